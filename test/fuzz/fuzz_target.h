// One parser, as a fuzzer calls it: it gets octets, and may refuse them, but nothing else.
//
//   const fuzz_target registered("sizes", [](std::string_view input) {
//       std::istringstream in{std::string(input)};
//       check(read_size_distribution(in, "input", {}).errors);
//   });
//
// fuzz.cpp makes a program of one target for libFuzzer; replay.cpp calls all of them with the files of corpus/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weir/base/config_error.h"

namespace weir::test {

using read_function = void (*)(std::string_view input);

struct fuzz_target {
    /// Adds itself to `fuzz_targets`. `name`: of its folder in corpus/.
    fuzz_target(const char* name, read_function read);

    std::string name;
    read_function read;
};
std::vector<fuzz_target>& fuzz_targets();

/// Calls the target. Returns the first error that it refuses the input with, or nothing. An exception by which
/// a command refuses its input, or says that a read has failed, is an answer; any other one gets through. Ends
/// the process where the call has taken more than `most_seconds_per_kb` of processor time for each KB that the
/// input has begun.
std::string call(const fuzz_target& target, std::string_view input);
/// A second, of code that sanitizers make two to three times slower.
inline constexpr double most_seconds_per_kb = 2.5;

/// Every error can be printed: it has a text, of at most `most_error_bytes`. Ends the process where it has not.
/// Any error at all refuses the input.
void check(const config_errors& errors);
/// The same of warnings, or of errors of one reader where another one may take the input: they refuse nothing.
void check_texts(const config_errors& errors);
inline constexpr std::size_t most_error_bytes = 8 << 10;

/// A file in memory that has this text, for parsers that open files: its path, the same at each call. `slot`:
/// for those that read several, below 4.
std::string file_of(std::string_view text, std::size_t slot = 0);

/// A file in a directory of this process, for parsers that find files by their names. Returns the directory.
std::string directory_with(const std::string& name, std::string_view text);

/// An input for several files has lines `%%` between their texts. Always `count` of them, the last ones perhaps
/// empty.
std::vector<std::string_view> parts_of(std::string_view input, std::size_t count);

}  // namespace weir::test
