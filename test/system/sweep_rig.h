// Sweeps as processes that are stopped, killed and gone on with, and what their directories then hold.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <algorithm>

#include "program.h"

namespace weir::test {

/// Every file below a sweep's directory but run.json, by its path there.
inline std::map<std::string, std::string> sweep_files(const fs::path& directory) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(directory)) {
        if (entry.is_regular_file() && entry.path().filename() != "run.json") {
            files[fs::relative(entry.path(), directory).string()] = contents(entry.path());
        }
    }
    return files;
}

inline void expect_same_sweeps(const fs::path& a, const fs::path& b) {
    const auto files_a = sweep_files(a);
    const auto files_b = sweep_files(b);
    EXPECT_FALSE(files_a.empty());
    for (const auto& [name, text] : files_a) {
        ASSERT_EQ(files_b.count(name), 1U) << name << " is missing in " << b;
        EXPECT_TRUE(text == files_b.at(name)) << name << " differs";
    }
    for (const auto& [name, text] : files_b) {
        EXPECT_EQ(files_a.count(name), 1U) << name << " is only in " << b;
    }
}

/// run.json of every run that has its name: it holds a date and a duration, so a run that was run again shows.
/// The directory may change meanwhile.
inline std::map<std::string, std::string> ended_runs(const fs::path& directory) {
    std::map<std::string, std::string> runs;
    std::error_code error;
    for (const auto& point : fs::directory_iterator(directory / "points", error)) {
        for (const auto& run : fs::directory_iterator(point.path(), error)) {
            if (run.path().extension() != ".partial") {
                runs[fs::relative(run.path(), directory).string()] = contents(run.path() / "run.json");
            }
        }
    }
    return runs;
}

/// Waits, at most a minute.
template <class Condition>
bool wait_until(Condition&& holds) {
    const auto latest = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!holds()) {
        if (std::chrono::steady_clock::now() > latest) {
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

/// A sweep and all its runs hold a lock on their directory: once it is free, none of them lives.
inline bool is_free(const fs::path& directory) {
    const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool is = descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    ::close(descriptor);
    return is;
}

inline nlohmann::json json_in(const fs::path& file) {
    return nlohmann::json::parse(contents(file), nullptr, false);
}

/// The document in the page that `weir report` makes of a directory.
inline nlohmann::json report_of(const scratch_directory& where, const std::string& directory) {
    const outcome o = run_program(where, {"report", directory, "--out", "report.html"});
    EXPECT_EQ(o.status, 0) << o.err;
    const std::string page = contents(where / "report.html");
    const std::string begin = "id=\"report\">";
    const std::size_t at = page.find(begin) + begin.size();
    return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
}

/// A table of such a document.
inline nlohmann::json table_in(const nlohmann::json& report, const std::string& id) {
    for (const nlohmann::json& table : report["tables"]) {
        if (table["id"] == id) {
            return table;
        }
    }
    ADD_FAILURE() << "no table " << id;
    return {};
}

}  // namespace weir::test
