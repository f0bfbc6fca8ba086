#include "tb/files/work_directory.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace weir::tb {

work_directory::work_directory(const char* prefix) {
    std::string name = (std::filesystem::temp_directory_path() / prefix).string() + "XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), name);
    }
    m_path = name;
}

work_directory::~work_directory() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

}  // namespace weir::tb
