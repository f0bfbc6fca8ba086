// INI texts and what loading them says.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "tb/run/options/load_config.h"

namespace weir::test {

using namespace tb;

using texts = std::vector<std::string>;

inline loaded_config load(const std::string& ini, const texts& args = {}) {
    std::istringstream in(ini);
    return load_config(args, {{"x.ini", &in}});
}
inline texts texts_of(const config_errors& errors) {
    texts all;
    for (const config_error& error : errors) {
        all.push_back(format_error(error));
    }
    return all;
}

}  // namespace weir::test
