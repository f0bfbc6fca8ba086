#include "tb/run/exit_status.h"

#include <new>
#include <system_error>
#include <systemc>

#include "tb/results/run_directory.h"
#include "weir/traffic/sorted_flow_stream.h"

namespace weir {

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
    if (is_a<output_error>(error) || is_a<flow_stream_error>(error) || is_a<std::system_error>(error)) {
        return {exit_status::environment, error.what()};
    }
    if (is_a<std::bad_alloc>(error)) {
        return {exit_status::environment, "out of memory"};
    }
    return {exit_status::environment, std::string("internal error: ") + error.what()};
}

int print_failure(const std::string& command, const failure& what, std::ostream& err) {
    err << (what.status == exit_status::bad_input ? "" : command + ": ") << what.message << '\n';
    return what.status;
}

}  // namespace weir
