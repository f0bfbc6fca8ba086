#include "tb/compare/column_roles.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace weir::tb {

const char* const role_names_help =
    "  key        config, scenario, style, table, phase, class, signal, event\n"
    "  time       the first of cycle, start_cycle, cycle_first_beat, slot\n"
    "  ends       end_cycle, term_cycle, cycle_last_beat\n"
    "  durations  duration_cycles, latency_cycles, cycles\n"
    "  ignored    if there is a time, names that end in _ns; if there is duration_cycles, other names that "
    "begin with "
    "duration_\n"
    "  values     all others; names that end in _after are internal state of the block\n";

namespace {

using names = std::vector<std::string>;

const names key_names{"config", "scenario", "style", "table", "phase", "class", "signal", "event"};
const names signal_names{"class", "signal", "event"};
const names time_names{"cycle", "start_cycle", "cycle_first_beat", "slot"};
const names end_names{"end_cycle", "term_cycle", "cycle_last_beat"};
const names duration_names{"duration_cycles", "latency_cycles", "cycles"};

bool contains(const names& all, const std::string& name) {
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
        take("--ignore", m_choice.ignored, m_roles.ignored);
        check_same_columns();
        take_chosen("--key", m_choice.key, m_roles.key);
        take_chosen("--time", m_choice.time, m_roles.time);
        take_chosen("--ends", m_choice.ends, m_roles.ends);
        take_chosen("--durations", m_choice.durations, m_roles.durations);
        if (!m_choice.key) {
            take_all(key_names, m_roles.key);
        }
        if (!m_choice.time) {
            take_first(time_names, m_roles.time);
        }
        const bool timed = !m_roles.time.empty();
        if (!m_choice.ends && timed) {
            take_all(end_names, m_roles.ends);
        }
        if (!m_roles.ends.empty() && !timed) {
            m_errors.push_back({"", 0, "--ends", "needs an event time as reference; expected --time COLUMN"});
        }
        if (!m_choice.durations) {
            take_all(duration_names, m_roles.durations);
        }
        const bool has_duration = contains(m_roles.durations, "duration_cycles");
        for (const std::string& column : m_expected.columns) {
            if (m_taken.count(column) == 0) {
                const bool again =
                    (timed && ends_with(column, "_ns")) || (has_duration && column.rfind("duration_", 0) == 0);
                (again ? m_roles.ignored : m_roles.values).push_back(column);
                if (!again && !m_choice.state && ends_with(column, "_after")) {
                    m_roles.state.push_back(column);
                }
            }
        }
        check_state();
        m_roles.key_ends_in_signal = !m_roles.key.empty() && contains(signal_names, m_roles.key.back());
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
        for (const std::string& column : m_choice.state.value_or(names{})) {
            if (contains(m_roles.values, column)) {
                m_roles.state.push_back(column);
            } else {
                m_errors.push_back(
                    {"", 0, "--state", "'" + column + "' is not a value; expected " + joined(m_roles.values)});
            }
        }
    }

    void take_chosen(const std::string& option, const std::optional<names>& chosen, names& to) {
        if (chosen) {
            take(option, *chosen, to);
        }
    }
    void take(const std::string& option, const names& chosen, names& to) {
        for (const std::string& column : chosen) {
            if (!m_expected.find(column) && !m_actual.find(column)) {
                m_errors.push_back(
                    {"", 0, option,
                     "'" + column + "' is not a column; expected " + joined(m_expected.columns)});
            } else if (!m_taken.insert(column).second) {
                m_errors.push_back(
                    {"", 0, option, "'" + column + "' is given twice; expected one role per column"});
            } else {
                to.push_back(column);
            }
        }
    }
    void take_all(const names& known, names& to) {
        for (const std::string& column : known) {
            if (m_expected.find(column) && m_taken.insert(column).second) {
                to.push_back(column);
            }
        }
    }
    void take_first(const names& known, names& to) {
        for (const std::string& column : known) {
            if (to.empty() && m_expected.find(column) && m_taken.insert(column).second) {
                to.push_back(column);
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

std::string column_roles::time_unit() const {
    for (const char* const unit : {"ps", "ns", "us", "ms"}) {
        if (!time.empty() && ends_with(time.front(), std::string("_") + unit)) {
            return unit;
        }
    }
    return "";
}

std::string duration_text(std::int64_t count, const column_roles& roles) {
    const std::string unit = roles.time_unit();
    return std::to_string(count) + (!unit.empty() ? " " + unit : std::abs(count) == 1 ? " cycle" : " cycles");
}

std::string signed_duration_text(std::int64_t count, const column_roles& roles) {
    return (count > 0 ? "+" : "") + duration_text(count, roles);
}

std::vector<std::string> unused_times(const column_roles& roles) {
    std::vector<std::string> found;
    for (const std::string& column : roles.values) {
        if (roles.time.empty() && (ends_with(column, "_ns") || ends_with(column, "_ps"))) {
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
