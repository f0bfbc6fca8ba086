#include "tb/run/topology/name_ranges.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>

#include "tb/support/text/text_format.h"

namespace weir::tb {

namespace {

/// `agg3.1`: "agg#.#", {3, 1}.
struct split_name {
    std::string text;
    std::vector<std::uint64_t> numbers;
    const std::string* whole = nullptr;
};

split_name split(const std::string& name) {
    constexpr std::size_t most_digits = 9;
    split_name made;
    made.whole = &name;
    for (std::size_t at = 0; at < name.size();) {
        std::size_t end = at;
        while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0) {
            ++end;
        }
        const bool is_number = end > at && end - at <= most_digits && (name[at] != '0' || end == at + 1);
        if (is_number) {
            made.text += '\x1f';
            made.numbers.push_back(std::stoull(name.substr(at, end - at)));
        } else {
            end = std::max(end, at + 1);
            made.text += name.substr(at, end - at);
        }
        at = end;
    }
    return made;
}

/// Every combination of the numbers between the first and the last one.
bool is_grid(const std::vector<split_name>& names) {
    const split_name& first = names.front();
    const split_name& last = names.back();
    std::uint64_t combinations = 1;
    for (std::size_t n = 0; n < first.numbers.size(); ++n) {
        for (const split_name& name : names) {
            if (name.numbers[n] < first.numbers[n] || name.numbers[n] > last.numbers[n]) {
                return false;
            }
        }
        combinations *= last.numbers[n] - first.numbers[n] + 1;
        if (combinations > names.size()) {
            return false;
        }
    }
    return combinations == names.size();
}

/// Which number has gone up by one, and no other has changed; nothing: the end.
std::size_t step_between(const split_name& a, const split_name& b) {
    std::size_t changed = a.numbers.size();
    for (std::size_t n = 0; n < a.numbers.size(); ++n) {
        if (a.numbers[n] != b.numbers[n]) {
            if (changed != a.numbers.size() || b.numbers[n] != a.numbers[n] + 1) {
                return a.numbers.size();
            }
            changed = n;
        }
    }
    return changed;
}

class range_list {
 public:
    void add(const split_name& first, const split_name& last, std::size_t names) {
        const bool pair = names == 2;
        m_ranges.push_back({*first.whole + (names == 1 ? "" : (pair ? ", " : " to ") + *last.whole), names});
    }

    void add_runs(const std::vector<split_name>& names) {
        for (std::size_t from = 0; from < names.size();) {
            std::size_t to = from;
            std::size_t step = names[from].numbers.size();
            while (to + 1 < names.size()) {
                const std::size_t next = step_between(names[to], names[to + 1]);
                if (next == names[from].numbers.size() || (to > from && next != step)) {
                    break;
                }
                step = next;
                ++to;
            }
            add(names[from], names[to], to - from + 1);
            from = to + 1;
        }
    }

    std::string text(std::size_t most) const {
        const bool all = m_ranges.size() <= most;
        std::string list;
        std::size_t left_out = 0;
        for (std::size_t r = 0; r < m_ranges.size(); ++r) {
            if (!all && r + 1 >= most && r + 1 < m_ranges.size()) {
                left_out += m_ranges[r].names;
                continue;
            }
            if (left_out > 0) {
                list += ", " + count_text(left_out) + " more";
                left_out = 0;
            }
            list += (list.empty() ? "" : ", ") + m_ranges[r].text;
        }
        return list;
    }

 private:
    struct range {
        std::string text;
        std::size_t names;
    };
    std::vector<range> m_ranges;
};

}  // namespace

std::string name_ranges(const std::vector<std::string>& names, std::size_t most) {
    std::vector<std::vector<split_name>> groups;
    std::map<std::string, std::size_t> group_of;
    for (const std::string& name : names) {
        split_name parts = split(name);
        const auto [known, added] = group_of.try_emplace(parts.text, groups.size());
        if (added) {
            groups.emplace_back();
        }
        groups[known->second].push_back(std::move(parts));
    }
    range_list list;
    for (const std::vector<split_name>& group : groups) {
        if (is_grid(group)) {
            list.add(group.front(), group.back(), group.size());
        } else {
            list.add_runs(group);
        }
    }
    return list.text(most);
}

}  // namespace weir::tb
