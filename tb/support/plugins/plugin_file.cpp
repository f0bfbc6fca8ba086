#include "tb/support/plugins/loaded_plugins.h"

#include <elf.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "tb/support/files/input_file.h"

namespace weir::tb {

namespace {

constexpr const char* cut = "is cut off: its headers say more than it has; expected a whole shared library";

/// Whether all parts that the program headers name are in the file. No ELF file of 64 bits: the loader says so.
bool is_whole(input_stream& in, std::uint64_t size) {
    Elf64_Ehdr header{};
    in.read(reinterpret_cast<char*>(&header), sizeof(header));
    if (in.gcount() < static_cast<std::streamsize>(sizeof(header)) ||
        std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) {
        return true;
    }
    if (header.e_phentsize != sizeof(Elf64_Phdr)) {
        return false;
    }
    std::vector<Elf64_Phdr> parts(header.e_phnum);
    in.seekg(static_cast<std::streamoff>(header.e_phoff));
    const auto length = static_cast<std::streamsize>(parts.size() * sizeof(Elf64_Phdr));
    in.read(reinterpret_cast<char*>(parts.data()), length);
    return in.gcount() == length && std::all_of(parts.begin(), parts.end(), [&](const Elf64_Phdr& part) {
               return part.p_filesz <= size && part.p_offset <= size - part.p_filesz;
           });
}

}  // namespace

std::string wrong_with_plugin_file(const std::string& path) {
    namespace fs = std::filesystem;
    const std::string expected = "; expected a plugin of weir (docs/extending.md)";
    std::error_code error;
    const fs::file_status found = fs::status(path, error);
    if (fs::exists(found) && !fs::is_regular_file(found)) {
        return (fs::is_directory(found) ? "is a directory" : "is no regular file") + expected;
    }
    const std::uint64_t size = error ? 0 : fs::file_size(path, error);
    input_stream in(path);
    if (error || !in) {
        return "cannot be read: " +
               (error ? error : std::error_code(errno, std::generic_category())).message() + expected;
    }
    return is_whole(in, size) ? std::string{} : cut;
}

}  // namespace weir::tb
