#include "tb/run/tables/completion_lines.h"

#include <algorithm>

#include "tb/run/samples/json_values.h"
#include "tb/support/text/text_format.h"

namespace weir::tb {

namespace {

constexpr std::size_t tag_numbers = 256;
/// Characters of the cells but the tag.
constexpr std::size_t most_beside_tag = most_digits + 2 * most_ns_digits + 4;

}  // namespace

completion_lines::completion_lines(const std::vector<std::string>& tags) {
    std::size_t longest = 0;
    for (std::size_t tag = 0; tag < tag_numbers; ++tag) {
        m_tag_names.emplace_back(csv_text(tag_name(tags, static_cast<std::uint8_t>(tag))));
        longest = std::max(longest, m_tag_names.back().most());
    }
    m_text.resize(most_beside_tag + longest);
}

// Called for each transfer and each job: everything that it calls is inlined.
[[gnu::flatten]] std::string_view completion_lines::shared_cells(pfc_class priority, std::uint8_t tag,
                                                                 picoseconds start, picoseconds end) {
    const completion_columns<fct_column> columns{priority, &m_tag_names[tag], start, end - start};
    csv_row row(m_text.data());
    for_each_column(columns, [&](const auto& facts, const auto& value) {
        csv_cell<std::decay_t<decltype(value)>>::put(row, value, facts);
    });
    return {m_text.data(), static_cast<std::size_t>(row.at() - m_text.data()) - 1};
}

}  // namespace weir::tb
