#include "tb/asic/profiles/config_db_writer.h"

#include <filesystem>
#include <system_error>

#include "tb/support/files/json_file.h"

namespace weir::tb {

config_errors check_config_db_target(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const char* const key = "--write-config-db";
    if (fs::is_directory(path, ignored)) {
        return {{{}, 0, key, "'" + path + "' is a directory; expected a file"}};
    }
    const fs::path folder = fs::path(path).parent_path();
    if (!folder.empty() && !fs::is_directory(folder, ignored)) {
        return {{{}, 0, key, "'" + path + "' is in no directory that exists; expected one that does"}};
    }
    if (fs::is_regular_file(path, ignored) && fs::file_size(path, ignored) > 0 &&
        !read_json(path, "a config_db.json").document.is_object()) {
        return {{{},
                 0,
                 key,
                 "'" + path +
                     "' is there, and is no config_db.json; expected a new name, or that of one to replace"}};
    }
    return {};
}

}  // namespace weir::tb
