// Reads golden files for the tests, with the reader of `weir replay`.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/named_row.h"
#include "tb/run/options/load_config.h"
#include "tb/support/text/csv_file.h"

namespace weir::golden {

using namespace tb;

/// Fields in the order of the header, which is not among the lines. Throws where the file is not as it should.
inline std::vector<std::vector<std::string>> lines_of_file(const std::string& path) {
    config_errors errors;
    csv_file file(path, errors);
    std::vector<std::vector<std::string>> all;
    while (file.next()) {
        std::vector<std::string>& fields = all.emplace_back();
        for (std::size_t column = 0; column < file.header().size(); ++column) {
            fields.push_back(file.text(column));
        }
    }
    if (!errors.empty()) {
        throw std::runtime_error(format_error(errors.front()));
    }
    return all;
}

inline std::vector<std::vector<std::string>> lines(const std::string& name) {
    return lines_of_file(std::string(WEIR_GOLDEN_DIR) + "/" + name);
}

/// Column to text.
using row = test::named_row;

inline std::vector<row> rows_of_file(const std::string& path) {
    config_errors errors;
    const auto header = std::make_shared<const std::vector<std::string>>(csv_file(path, errors).header());
    std::vector<row> all;
    for (std::vector<std::string>& fields : lines_of_file(path)) {
        all.emplace_back(header, std::move(fields));
    }
    return all;
}

inline std::vector<row> rows(const std::string& name) {
    return rows_of_file(std::string(WEIR_GOLDEN_DIR) + "/" + name);
}

}  // namespace weir::golden
