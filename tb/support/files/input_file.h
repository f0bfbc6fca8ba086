// Opens what a user has named as a file to be read. A directory can be opened and then gives nothing, and so
// says no reader what is wrong with it; a device may give text without end; and a disk that fails in the middle
// must not look like the end of the file.
//
//   input_file topology = open_input("fabric.topo");
//   topology.why_not;   // "it is a directory", "No such file or directory"; empty: `topology.text` can be read
//   unreadable("fabric.file", "fabric.topo", topology.why_not, "a topology file");
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <optional>
#include <string>

#include "weir/base/config_error.h"

namespace weir::tb {

/// A file's text, opened for reading; `fail()` where it could not be. A read that fails throws `command_error`
/// with the file's name and the system's reason, out of whatever reads.
class input_stream : public std::istream {
 public:
    input_stream();
    explicit input_stream(const std::string& path);
    input_stream(input_stream&& other) noexcept;
    input_stream& operator=(input_stream&& other) noexcept;
    ~input_stream() override;

 private:
    class file_buffer;

    std::unique_ptr<file_buffer> m_buffer;
};

struct input_file {
    input_stream text;
    /// Why it cannot be read; empty if it can.
    std::string why_not;
};

enum class input_kind {
    any,    ///< a pipe, too; no device: /dev/zero has no end
    stored  ///< read more than once: files proper only
};

/// True if something exists at `path`; false also if it cannot be looked at.
bool path_exists(const std::filesystem::path& path);

input_file open_input(const std::string& path, input_kind kind = input_kind::any);

/// The whole text. Throws `command_error`; `allowed`: what the file should have been.
std::string read_whole(const std::string& path, const std::string& allowed);

/// The error of an option that names a file; `allowed`: what the file should have been.
config_error unreadable(const std::string& key, const std::string& path, const std::string& why_not,
                        const std::string& allowed);

// Tells whether a file is still the one that it was.

struct file_fingerprint {
    std::uint64_t bytes = 0;
    /// CRC-64/XZ, 16 hexadecimal digits. Against accidents, not against forgers.
    std::string crc64;

    bool operator==(const file_fingerprint& other) const {
        return bytes == other.bytes && crc64 == other.crc64;
    }
    bool operator!=(const file_fingerprint& other) const { return !(*this == other); }
};

/// Nothing where the file cannot be read.
std::optional<file_fingerprint> fingerprint_of(const std::string& path);

}  // namespace weir::tb
