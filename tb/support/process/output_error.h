// What goes wrong with files that are written.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace weir::tb {

/// A file or a directory could not be read or written: which one, what was tried, and the system's reason.
class output_error : public std::runtime_error {
 public:
    output_error(const std::filesystem::path& name, const std::string& what, std::error_code reason)
        : output_error(name.string() + ": " + what + ": " + reason.message(), reason) {}
    /// For who does not tell why, as some libraries.
    explicit output_error(const std::string& text,
                          std::error_code reason = std::make_error_code(std::errc::io_error))
        : std::runtime_error(text), m_reason(reason) {}

    /// exit_status.h says what it means for the command.
    const std::error_code& reason() const { return m_reason; }

 private:
    std::error_code m_reason;
};

}  // namespace weir::tb
