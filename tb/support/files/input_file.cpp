#include "tb/support/files/input_file.h"

#include <array>
#include <boost/crc.hpp>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "tb/support/process/exit_status.h"

namespace weir::tb {

namespace fs = std::filesystem;

// The library's own buffer throws without the file's name.
class input_stream::file_buffer : public std::filebuf {
 public:
    explicit file_buffer(std::string path) : m_path(std::move(path)) { open(m_path, std::ios::in); }

 private:
    int_type underflow() override {
        return with_name([&] { return std::filebuf::underflow(); });
    }
    std::streamsize xsgetn(char* to, std::streamsize count) override {
        return with_name([&] { return std::filebuf::xsgetn(to, count); });
    }
    template <class Read>
    auto with_name(Read read) -> decltype(read()) {
        errno = 0;
        try {
            return read();
        } catch (const std::ios_base::failure&) {
            throw command_error(m_path + ": cannot be read: " + std::generic_category().message(errno),
                                exit_status::environment);
        }
    }

    std::string m_path;
};

input_stream::input_stream() : std::istream(nullptr) {}

input_stream::input_stream(const std::string& path)
    : std::istream(nullptr), m_buffer(std::make_unique<file_buffer>(path)) {
    rdbuf(m_buffer.get());
    if (!m_buffer->is_open()) {
        setstate(std::ios::failbit);
    }
    exceptions(std::ios::badbit);
}

input_stream::input_stream(input_stream&& other) noexcept
    : std::istream(std::move(other)), m_buffer(std::move(other.m_buffer)) {
    set_rdbuf(m_buffer.get());
}

input_stream& input_stream::operator=(input_stream&& other) noexcept {
    std::istream::operator=(std::move(other));
    m_buffer = std::move(other.m_buffer);
    set_rdbuf(m_buffer.get());
    return *this;
}

input_stream::~input_stream() = default;

/// What is to blame is the machine, not the file.
static bool is_of_environment(int error) {
    return error == EIO || error == EMFILE || error == ENFILE || error == ENOMEM;
}

/// UTF-8's, which editors put before a text's first character and no reader wants to see.
static void skip_byte_order_mark(std::istream& text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    std::size_t read = 0;
    for (; read < mark.size() && text.peek() == static_cast<unsigned char>(mark[read]); ++read) {
        text.get();
    }
    if (text.eof() && !text.bad()) {
        text.clear();
    }
    for (; read < mark.size() && read > 0; --read) {
        text.unget();
    }
}

bool path_exists(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

input_file open_input(const std::string& path, input_kind kind) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) {
        return {{}, "it is a directory"};
    }
    if (fs::is_character_file(status) || fs::is_block_file(status)) {
        return {{}, "it is a device, which may have no end"};
    }
    if (kind == input_kind::stored && fs::exists(status) && !fs::is_regular_file(status)) {
        return {{}, "it is a pipe, which cannot be read twice"};
    }
    errno = 0;
    input_file file{input_stream(path), {}};
    if (!file.text) {
        file.why_not = std::generic_category().message(errno);
        if (is_of_environment(errno)) {
            throw command_error(path + ": cannot be opened: " + file.why_not, exit_status::environment);
        }
        return file;
    }
    try {
        skip_byte_order_mark(file.text);
    } catch (const command_error&) {
        if (is_of_environment(errno)) {
            throw;
        }
        file.why_not = std::generic_category().message(errno);
    }
    return file;
}

std::string read_whole(const std::string& path, const std::string& allowed) {
    input_file file = open_input(path);
    if (!file.why_not.empty()) {
        throw command_error(path + ": cannot be read: " + file.why_not + "; expected " + allowed,
                            exit_status::bad_input);
    }
    return {std::istreambuf_iterator<char>(file.text), {}};
}

config_error unreadable(const std::string& key, const std::string& path, const std::string& why_not,
                        const std::string& allowed) {
    return {{}, 0, key, "'" + path + "' cannot be read: " + why_not + "; expected " + allowed};
}

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
