#include "fuzz/fuzz_target.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <systemc>

#include "tb/support/process/error_text.h"
#include "tb/support/process/exit_status.h"

// Wanted by libsystemc.
int sc_main(int, char**) {
    return 0;
}

namespace weir::test {

namespace {

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::abort();
}

/// Removed when the process ends.
class process_directory {
 public:
    process_directory() {
        std::string name = (std::filesystem::temp_directory_path() / "weir_fuzz_XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) {
            fail(name + ": cannot be made");
        }
        path = name;
    }
    ~process_directory() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }

    std::filesystem::path path;
};

/// Of the current call's input: the first error.
std::string refusal;

/// Of this process.
double processor_seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

fuzz_target::fuzz_target(const char* its_name, read_function its_read) : name(its_name), read(its_read) {
    fuzz_targets().push_back(*this);
}

std::vector<fuzz_target>& fuzz_targets() {
    static std::vector<fuzz_target> all;
    return all;
}

std::string call(const fuzz_target& target, std::string_view input) {
    refusal.clear();
    const double before = processor_seconds();
    try {
        target.read(input);
    } catch (const tb::command_error& error) {
        check({{"", 0, "", error.what()}});
    }
    const double seconds = processor_seconds() - before;
    if (seconds > most_seconds_per_kb * static_cast<double>(1 + input.size() / 1024)) {
        fail(target.name + ": an input of " + std::to_string(input.size()) + " B took " +
             std::to_string(seconds) + " s");
    }
    return refusal;
}

void check(const config_errors& errors) {
    check_texts(errors);
    if (!errors.empty() && refusal.empty()) {
        refusal = tb::format_error(errors.front());
    }
}

void check_texts(const config_errors& errors) {
    for (const config_error& error : errors) {
        if (error.message.empty()) {
            fail("an error has no text: key '" + error.key + "'");
        }
        if (tb::format_error(error).size() > most_error_bytes) {
            fail("an error is too long: key '" + error.key + "'");
        }
    }
}

std::string file_of(std::string_view text, std::size_t slot) {
    static std::array<int, 4> files = [] {
        std::array<int, 4> made{};
        for (int& file : made) {
            file = ::memfd_create("input", 0);
        }
        return made;
    }();
    const int file = files.at(slot);
    if (::ftruncate(file, 0) != 0 ||
        ::pwrite(file, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
        fail("a file in memory cannot be written");
    }
    return "/proc/self/fd/" + std::to_string(file);
}

std::string directory_with(const std::string& name, std::string_view text) {
    static const process_directory directory;
    std::ofstream(directory.path / name, std::ios::binary) << text;
    return directory.path.string();
}

std::vector<std::string_view> parts_of(std::string_view input, std::size_t count) {
    constexpr std::string_view divider = "%%\n";
    std::vector<std::string_view> parts;
    for (; parts.size() + 1 < count; input.remove_prefix(parts.back().size())) {
        if (!parts.empty()) {
            input.remove_prefix(std::min(divider.size(), input.size()));
        }
        std::size_t at = input.find(divider);
        while (at != 0 && at != std::string_view::npos && input[at - 1] != '\n') {
            at = input.find(divider, at + 1);
        }
        parts.push_back(input.substr(0, at));
    }
    if (!parts.empty()) {
        input.remove_prefix(std::min(divider.size(), input.size()));
    }
    parts.push_back(input);
    return parts;
}

}  // namespace weir::test
