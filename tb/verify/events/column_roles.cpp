#include "tb/verify/events/column_roles.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace weir::tb {

namespace {

/// Names that say the role of a column. Of several that may be the time the first one is.
const by_role<column_names> known_names{{
    {"config", "scenario", "style", "table", "phase", "class", "signal", "event"},
    {"cycle", "start_cycle", "cycle_first_beat", "slot"},
    {"end_cycle", "term_cycle", "cycle_last_beat"},
    {"duration_cycles", "latency_cycles", "cycles"},
}};
const column_names signal_names{"class", "signal", "event"};

bool contains(const column_names& all, const std::string& name) {
    return std::find(all.begin(), all.end(), name) != all.end();
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Gives each column of the expected file its role; what was chosen comes before what the names say.
class role_finder {
 public:
    role_finder(const event_table& expected, const event_table& actual, const column_choice& choice,
                config_errors& errors)
        : m_expected(expected), m_actual(actual), m_choice(choice), m_errors(errors) {}

    column_roles find() {
        take_chosen(column_role::ignored);
        check_same_columns();
        constexpr column_role with_names[] = {column_role::key, column_role::time, column_role::ends,
                                              column_role::durations};
        for (const column_role role : with_names) {
            take_chosen(role);
        }
        for (const column_role role : with_names) {
            take_known(role);
        }
        const bool timed = m_roles.has_time();
        if (!m_roles.of(column_role::ends).empty() && !timed) {
            m_errors.push_back({"", 0, "--ends", "needs an event time as reference; expected --time COLUMN"});
        }
        const bool has_duration = contains(m_roles.of(column_role::durations), "duration_cycles");
        for (const std::string& column : m_expected.columns) {
            if (m_taken.count(column) == 0) {
                const bool again =
                    (timed && ends_with(column, "_ns")) || (has_duration && column.rfind("duration_", 0) == 0);
                m_roles.of(again ? column_role::ignored : column_role::values).push_back(column);
                if (!again && !chosen(column_role::state) && ends_with(column, "_after")) {
                    m_roles.of(column_role::state).push_back(column);
                }
            }
        }
        check_state();
        const column_names& key = m_roles.of(column_role::key);
        m_roles.key_ends_in_signal = !key.empty() && contains(signal_names, key.back());
        return m_roles;
    }

 private:
    /// Columns may stand in any order, but a column that is only in one file is compared with nothing.
    void check_same_columns() {
        const auto check = [&](const event_table& has, const event_table& lacks) {
            for (const std::string& column : has.columns) {
                if (!lacks.find(column) && m_taken.count(column) == 0) {
                    m_errors.push_back({lacks.path, 1, column,
                                        "is missing, but '" + has.path +
                                            "' has it; expected the same columns (in any order), or --ignore " +
                                            column});
                }
            }
        };
        check(m_expected, m_actual);
        check(m_actual, m_expected);
    }

    void check_state() {
        const column_names& values = m_roles.of(column_role::values);
        for (const std::string& column : chosen(column_role::state).value_or(column_names{})) {
            if (contains(values, column)) {
                m_roles.of(column_role::state).push_back(column);
            } else {
                m_errors.push_back(
                    {"", 0, "--state", "'" + column + "' is not a value; expected " + joined(values)});
            }
        }
    }

    const std::optional<column_names>& chosen(column_role role) const {
        return m_choice[static_cast<std::size_t>(role)];
    }
    void take_chosen(column_role role) {
        for (const std::string& column : chosen(role).value_or(column_names{})) {
            const auto refuse = [&](const std::string& message) {
                m_errors.push_back({"", 0, std::string("--") + name_of(role), "'" + column + "' " + message});
            };
            if (!m_expected.find(column) && !m_actual.find(column)) {
                refuse("is not a column; expected " + joined(m_expected.columns));
            } else if (!m_taken.insert(column).second) {
                refuse("is given twice; expected one role per column");
            } else {
                m_roles.of(role).push_back(column);
            }
        }
    }
    /// Without a choice. Ends without a time are nothing.
    void take_known(column_role role) {
        if (chosen(role) || (role == column_role::ends && !m_roles.has_time())) {
            return;
        }
        for (const std::string& column : known_names[static_cast<std::size_t>(role)]) {
            const bool is_settled = role == column_role::time && m_roles.has_time();
            if (!is_settled && m_expected.find(column) && m_taken.insert(column).second) {
                m_roles.of(role).push_back(column);
            }
        }
    }

    const event_table& m_expected;
    const event_table& m_actual;
    const column_choice& m_choice;
    config_errors& m_errors;
    column_roles m_roles;
    std::set<std::string> m_taken;
};

}  // namespace

std::string role_names_help() {
    const auto names = [](column_role role) {
        return joined(known_names[static_cast<std::size_t>(role)], ", ");
    };
    return "  key        " + names(column_role::key) + "\n  time       the first of " +
           names(column_role::time) + "\n  ends       " + names(column_role::ends) + "\n  durations  " +
           names(column_role::durations) +
           "\n  ignored    if there is a time, names that end in _ns; if there is duration_cycles, other names "
           "that "
           "begin with duration_\n"
           "  values     all others; names that end in _after are internal state of the block\n";
}

std::string duration_text(std::int64_t count, const column_roles& roles) {
    std::string unit = std::abs(count) == 1 ? "cycle" : "cycles";
    for (const char* const end : {"ps", "ns", "us", "ms"}) {
        if (roles.has_time() && ends_with(roles.time(), std::string("_") + end)) {
            unit = end;
        }
    }
    return std::to_string(count) + " " + unit;
}

std::string signed_duration_text(std::int64_t count, const column_roles& roles) {
    return (count > 0 ? "+" : "") + duration_text(count, roles);
}

column_names unused_times(const column_roles& roles) {
    column_names found;
    for (const std::string& column : roles.of(column_role::values)) {
        if (!roles.has_time() && (ends_with(column, "_ns") || ends_with(column, "_ps"))) {
            found.push_back(column);
        }
    }
    return found;
}

column_roles find_roles(const event_table& expected, const event_table& actual, const column_choice& choice,
                        config_errors& errors) {
    return role_finder(expected, actual, choice, errors).find();
}

}  // namespace weir::tb
