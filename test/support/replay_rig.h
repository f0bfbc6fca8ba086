// Runs `weir replay` in a directory of its own and compares the bytes that it writes.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/scratch_directory.h"
#include "tb/run/arguments/commands.h"

namespace weir::test {

using namespace tb;

namespace fs = std::filesystem;

inline std::string golden_path(const std::string& name) {
    return std::string(WEIR_GOLDEN_DIR) + "/" + name;
}

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// Names the first line that differs.
inline void expect_same_text(const std::string& got, const std::string& expected) {
    if (got == expected) {
        return;
    }
    const std::vector<std::string> g = lines_of(got);
    const std::vector<std::string> e = lines_of(expected);
    std::size_t line = 0;
    while (line < g.size() && line < e.size() && g[line] == e[line]) {
        ++line;
    }
    const std::string end = "(no line)";
    ADD_FAILURE() << "line " << line + 1 << "\n  got      " << (line < g.size() ? g[line] : end)
                  << "\n  expected " << (line < e.size() ? e[line] : end);
}

class replay_rig : public testing::Test {
 protected:
    replay_rig() {
        std::string name = (fs::temp_directory_path() / "weir_replay_XXXXXX").string();
        m_root = ::mkdtemp(name.data());
    }
    ~replay_rig() override { fs::remove_all(m_root); }

    std::string path(const std::string& name) const { return (m_root / name).string(); }
    /// Writes a file and returns its path.
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path(name), std::ios::binary) << text;
        return path(name);
    }
    std::string written(const std::string& name) const { return contents(path(name)); }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(m_root)) {
            names.push_back(entry.path().filename().string());
        }
        return names;
    }

    int run(const std::vector<std::string>& args) {
        m_out.str("");
        m_err.str("");
        return replay_command(args, m_out, m_err);
    }
    void expect_success(const std::vector<std::string>& args) {
        EXPECT_EQ(run(args), 0);
        EXPECT_EQ(err(), "");
        EXPECT_EQ(out(), "");
    }
    std::string out() const { return m_out.str(); }
    std::string err() const { return m_err.str(); }

 private:
    fs::path m_root;
    std::ostringstream m_out;
    std::ostringstream m_err;
};

}  // namespace weir::test
