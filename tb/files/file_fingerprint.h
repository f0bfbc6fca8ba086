// Tells whether a file is still the one that it was.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace weir::tb {

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
