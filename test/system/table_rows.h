// A run's CSV tables, line by line, with columns by the names of the header.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "program.h"
#include "support/named_row.h"

namespace weir::test {

using table_row = named_row;

/// Fields without quotes.
inline std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        fields.push_back(line.substr(begin, end - begin));
        begin = end + 1;
    }
    return fields;
}

inline std::vector<table_row> rows_of(const fs::path& file) {
    const std::string text = contents(file);
    std::shared_ptr<const std::vector<std::string>> header;
    std::vector<table_row> rows;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::vector<std::string> fields = fields_of(text.substr(begin, end - begin));
        begin = end + 1;
        if (header == nullptr) {
            header = std::make_shared<const std::vector<std::string>>(std::move(fields));
            continue;
        }
        EXPECT_EQ(fields.size(), header->size()) << file << ", line " << rows.size() + 2;
        rows.emplace_back(header, std::move(fields));
    }
    return rows;
}

}  // namespace weir::test
