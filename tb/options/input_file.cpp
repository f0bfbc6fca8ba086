#include "tb/options/input_file.h"

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace weir {

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

input_file open_input(const std::string& path, input_kind kind) {
    namespace fs = std::filesystem;
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
    input_file file{std::ifstream(path), {}};
    if (!file.text) {
        file.why_not = std::generic_category().message(errno);
    } else {
        skip_byte_order_mark(file.text);
    }
    return file;
}

config_error unreadable(const std::string& key, const std::string& path, const std::string& why_not,
                        const std::string& allowed) {
    return {{}, 0, key, "'" + path + "' cannot be read: " + why_not + "; expected " + allowed};
}

}  // namespace weir
