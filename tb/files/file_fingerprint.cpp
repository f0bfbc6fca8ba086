#include "tb/files/file_fingerprint.h"

#include <array>
#include <boost/crc.hpp>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "tb/files/input_file.h"

namespace weir::tb {

std::optional<file_fingerprint> fingerprint_of(const std::string& path) {
    input_stream in(path);
    std::error_code error;
    if (!in || std::filesystem::is_directory(path, error)) {
        return std::nullopt;
    }
    boost::crc_optimal<64, 0x42F0E1EBA9EA3693, UINT64_MAX, UINT64_MAX, true, true> crc;
    file_fingerprint print;
    std::array<char, 1 << 16> part{};
    do {
        in.read(part.data(), part.size());
        crc.process_bytes(part.data(), static_cast<std::size_t>(in.gcount()));
        print.bytes += static_cast<std::uint64_t>(in.gcount());
    } while (in);
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(crc.checksum()));
    print.crc64 = text.data();
    return print;
}

}  // namespace weir::tb
