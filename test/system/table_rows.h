// A run's CSV tables, line by line, with columns by the names of the header.
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "program.h"

namespace weir::test {

using table_row = std::map<std::string, std::string>;

/// Fields without quotes.
inline std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream text(line + ',');
    for (std::string field; std::getline(text, field, ',');) {
        fields.push_back(field);
    }
    return fields;
}

inline std::vector<table_row> rows_of(const fs::path& file) {
    std::istringstream text(contents(file));
    std::string line;
    std::getline(text, line);
    const std::vector<std::string> header = fields_of(line);
    std::vector<table_row> rows;
    while (std::getline(text, line)) {
        const std::vector<std::string> fields = fields_of(line);
        EXPECT_EQ(fields.size(), header.size()) << file << ": " << line;
        table_row row;
        for (std::size_t i = 0; i < std::min(fields.size(), header.size()); ++i) {
            row[header[i]] = fields[i];
        }
        rows.push_back(row);
    }
    return rows;
}

}  // namespace weir::test
