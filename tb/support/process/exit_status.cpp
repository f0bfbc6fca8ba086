#include "tb/support/process/exit_status.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <system_error>
#include <systemc>

#include "tb/support/process/error_text.h"
#include "tb/support/process/output_error.h"
#include "weir/model/ranks/rank_team.h"
#include "weir/traffic/traces/sorted_flow_stream.h"

namespace weir::tb {

namespace {

/// Blocks name themselves as a path; the kernel's own reports are sentences.
bool is_of_a_block(const sc_core::sc_report& report) {
    return report.get_msg_type()[0] == '/';
}

template <class Error>
bool is_a(const std::exception& error) {
    return dynamic_cast<const Error*>(&error) != nullptr;
}

}  // namespace

failure failure_of(const std::exception& error) {
    if (const auto* own = dynamic_cast<const command_error*>(&error)) {
        return {own->status(), own->what()};
    }
    const auto* report = dynamic_cast<const sc_core::sc_report*>(&error);
    if (report != nullptr && is_of_a_block(*report)) {
        return {exit_status::verdict, std::string(report->get_msg_type()) + ": " + report->get_msg()};
    }
    if (is_a<output_error>(error) || is_a<flow_stream_error>(error) || is_a<std::system_error>(error) ||
        is_a<model::rank_lost>(error)) {
        return {exit_status::environment, error.what()};
    }
    if (is_a<std::bad_alloc>(error)) {
        return {exit_status::environment, "out of memory"};
    }
    return {exit_status::environment, std::string("internal error: ") + error.what()};
}

int exit_status::of_path(const std::error_code& reason) {
    static constexpr std::errc wrong_paths[] = {
        std::errc::no_such_file_or_directory,
        std::errc::not_a_directory,
        std::errc::is_a_directory,
        std::errc::file_exists,
        std::errc::filename_too_long,
        std::errc::too_many_symbolic_link_levels,
        std::errc::invalid_argument,
        std::errc::bad_file_descriptor,
        std::errc::no_such_device_or_address,
        std::errc::operation_would_block,
    };
    const bool wrong = std::any_of(std::begin(wrong_paths), std::end(wrong_paths),
                                   [&](std::errc each) { return reason == each; });
    return wrong ? bad_input : environment;
}

command_error refused_path(const output_error& error, const std::string& key, const std::string& expected) {
    const int status = exit_status::of_path(error.reason());
    return {status == exit_status::bad_input
                ? format_error({{}, 0, key, error.what() + ("; expected " + expected)})
                : error.what(),
            status};
}

int print_failure(const std::string& command, const failure& what, std::ostream& err) {
    err << (what.status == exit_status::bad_input ? "" : command + ": ") << what.message << '\n';
    return what.status;
}

}  // namespace weir::tb
