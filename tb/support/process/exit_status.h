// What the program's exit status says, and which status an exception ends a command with. The one place for
// both.
//
//   try {
//       return run();      // exit_status::bad_input, exit_status::interrupted(SIGINT): 130
//   } catch (const std::exception& error) {
//       return print_failure("weir run", failure_of(error), err);
//   }
#pragma once

#include <exception>
#include <ostream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace weir::tb {

class output_error;

namespace exit_status {

enum code : int {
    success = 0,
    /// Of the model or of a comparison: a lossless loss, a broken invariant, a deadlock, a mismatch. The same
    /// command comes to the same verdict.
    verdict = 1,
    /// An option or a file that is read is wrong; nothing was written.
    bad_input = 2,
    /// A full disk, no memory, a file that cannot be written or that changed under way, a tool that is
    /// missing; a defect of this program, too ("internal error"). It says nothing about the model.
    environment = 3
};

/// As a shell has it: 130 at SIGINT, 143 at SIGTERM.
constexpr int interrupted(int signal) {
    return 128 + signal;
}
/// What a weir that this one has started ended with; environment where it was killed or never began.
constexpr int of_child(int status) {
    return status >= success && status <= environment ? status : environment;
}
/// What a path that the user named ends a command with, where the system refuses it for this reason.
///
/// bad_input where the path itself is wrong: nothing, or no directory, above it; a file where a directory is
/// needed, or the other way round; too long; links in a circle; a descriptor that is not open; in use by
/// another command. Any other reason is the environment's: no permission, a disk that is full, read-only or
/// broken, no memory, too many open files.
int of_path(const std::error_code& reason);

}  // namespace exit_status

/// Ends a command: what it says, and its exit status.
class command_error : public std::runtime_error {
 public:
    command_error(const std::string& what, int status) : std::runtime_error(what), m_status(status) {}
    int status() const { return m_status; }

 private:
    int m_status;
};

struct failure {
    int status = exit_status::environment;
    std::string message;
};

/// | exception | status |
/// |---|---|
/// | command_error | its own |
/// | a block's SC_REPORT_FATAL (`/weir/deadlock`) | verdict |
/// | output_error, flow_stream_error, rank_lost, std::system_error (also of std::filesystem) | environment |
/// | std::bad_alloc | environment: "out of memory" |
/// | any other | environment: "internal error: ..." |
///
/// `refused_path` says which output_errors are bad input.
failure failure_of(const std::exception& error);

/// What ends a command that cannot write where the option `key` tells it to: bad input, with the key and what
/// is expected, or the environment (`exit_status::of_path`). Later on nothing is the user's mistake any more.
command_error refused_path(const output_error& error, const std::string& key, const std::string& expected);

/// `command: message`; bad input is said without the command, as `file:line: key: ...`. Returns the status.
int print_failure(const std::string& command, const failure& what, std::ostream& err);

}  // namespace weir::tb
