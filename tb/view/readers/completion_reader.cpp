#include "tb/view/readers/completion_reader.h"

#include <cmath>
#include <iterator>
#include <string_view>

#include "tb/support/text/csv_file.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

constexpr const char* expected_file = "a table of a run of weir";
/// A handful is enough to tell a user what there is.
constexpr std::size_t most_sizes_seen = 32;

template <class Value>
bool takes(const std::set<Value>& wanted, const Value& value) {
    return wanted.empty() || wanted.count(value) != 0;
}

}  // namespace

struct completion_reader::columns {
    columns(csv_file& table, const char* time_name)
        : bytes(table.column("bytes")),
          time(table.column(time_name)),
          are_ages(std::string_view(time_name) == completion_reader::age_column),
          ideal(table.optional_column("ideal_ns")),
          frame_class(table.optional_column("priority")),
          tag(table.optional_column("tag")) {}

    std::size_t bytes;
    std::size_t time;
    bool are_ages;
    std::optional<std::size_t> ideal;
    std::optional<std::size_t> frame_class;
    std::optional<std::size_t> tag;
};

std::optional<completion> completion_reader::read_line(csv_file& table, const columns& at) {
    completion c{};
    double ideal_ns = 0;
    std::uint64_t frame_class = 0;
    bool is_good = table.number(at.bytes, c.bytes);
    is_good = table.number(at.time, c.time_ns) && is_good;
    is_good = (!at.ideal || table.number_or_none(*at.ideal, ideal_ns)) && is_good;
    is_good = (!at.frame_class || table.number(*at.frame_class, frame_class, 0, 7)) && is_good;
    if (!is_good) {
        return std::nullopt;
    }
    const std::string tag = at.tag ? table.text(*at.tag) : std::string{};
    c.group = group_of(tag, frame_class);
    if (!takes(m_filter.tags, tag) || !takes(m_filter.classes, frame_class)) {
        return std::nullopt;
    }
    if (ideal_ns > 0) {
        c.slowdown = c.time_ns / ideal_ns;
    }
    if (at.are_ages) {
        c.is_unfinished = true;
        c.slowdown = HUGE_VAL;
    }
    return c;
}

std::size_t completion_reader::group_of(const std::string& tag, std::uint64_t frame_class) {
    const auto [group, is_new] = m_groups.emplace(std::pair(tag, frame_class), m_groups.size());
    if (is_new) {
        m_found.seen.tags.insert(tag);
        m_found.seen.classes.insert(frame_class);
        m_found.groups.push_back((tag.empty() ? "" : tag + ", ") + "class " + std::to_string(frame_class));
    }
    return group->second;
}

void completion_reader::read(const fs::path& path, bool are_jobs, const char* time, std::uint64_t expected) {
    csv_file table(path, m_errors, input_kind::any, expected_file);
    const std::size_t kind_column = are_jobs ? table.column("kind") : 0;
    const columns at(table, time);
    // Kinds come in long rows of equals: one look-up per change.
    std::string kind;
    std::vector<completion>* list = are_jobs ? nullptr : &m_found.transfers;
    while (table.next()) {
        if (are_jobs && (list == nullptr || table.text(kind_column) != kind)) {
            kind = table.text(kind_column);
            m_found.seen.kinds.insert(kind);
            list = &m_found.jobs_by_kind[kind];
        }
        const std::optional<completion> c = read_line(table, at);
        if (!c || (are_jobs && !takes(m_filter.kinds, kind))) {
            continue;
        }
        if (are_jobs && m_found.seen.sizes.size() < most_sizes_seen) {
            m_found.seen.sizes.insert(c->bytes);
        }
        if (takes(m_filter.sizes, c->bytes)) {
            list->push_back(*c);
        }
    }
    table.expect_rows(expected, are_jobs ? "jobs" : "transfers");
    for (auto each = m_found.jobs_by_kind.begin(); each != m_found.jobs_by_kind.end();) {
        each = each->second.empty() ? m_found.jobs_by_kind.erase(each) : std::next(each);
    }
}

}  // namespace weir::tb
