#include "tb/view/page/report_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "tb/support/files/output_file.h"
#include "tb/support/process/exit_status.h"
#include "tb/view/chart/picture_directory.h"
#include "tb/view/page/report_page.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

constexpr const char* expected = "a file that is new or a report, in a directory that exists";

/// An empty file is nobody's: mktemp makes one.
bool is_report_or_empty(const std::string& file) {
    std::string head(report_head.size(), '\0');
    std::ifstream in(file, std::ios::binary);
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    return in.is_open() && (in.gcount() == 0 || head == report_head);
}

}  // namespace

bool is_stream(const std::string& out) {
    return out.rfind("/dev/", 0) == 0 || out.rfind("/proc/self/fd/", 0) == 0;
}

config_errors check_report_file(const std::string& out) {
    const auto refuse = [&](const std::string& what) { return config_errors{{"", 0, "--out", what}}; };
    if (out.empty()) {
        return refuse("is missing; expected --out FILE.html");
    }
    std::error_code error;
    const fs::file_status status = fs::status(out, error);
    if (fs::is_directory(status) || out.back() == '/') {
        return refuse("'" + out + "' is a directory; expected a file, such as '" +
                      (fs::path(out) / "report.html").string() + "'");
    }
    if (fs::is_regular_file(status) && !is_stream(out) && !is_report_or_empty(out)) {
        return refuse("'" + out + "' is not a report of weir, and would be overwritten; expected " + expected);
    }
    const fs::path directory = whole_path(out).parent_path();
    if (holds_sweep(directory)) {
        return refuse("'" + out +
                      "' is in the directory of a sweep, and a report in it would prevent the sweep "
                      "from continuing; expected a file outside it, or in its folder plots");
    }
    if (!run_around(directory).empty()) {
        return refuse("'" + out +
                      "' is in the directory of a run, and a report in it would prevent the run from "
                      "being repeated; expected a file outside it");
    }
    return {};
}

void write_report(const std::string& out, std::string_view page) {
    try {
        output_file file{fs::path(out)};
        file.write(page);
        file.finish();
        file.synchronise_name();
    } catch (const output_error& error) {
        throw refused_path(error, "--out", expected);
    }
}

}  // namespace weir::tb
