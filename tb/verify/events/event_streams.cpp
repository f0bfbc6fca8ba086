#include "tb/verify/events/event_streams.h"

#include <map>
#include <unordered_map>

#include "tb/support/text/csv_file.h"
#include "tb/verify/events/bit_text.h"

namespace weir::tb {

namespace {

constexpr std::size_t most_errors = 20;
/// Stands in no text of a CSV file that a person wrote.
constexpr char separator = '\x1f';

class stream_maker {
 public:
    stream_maker(const column_roles& roles, config_errors& errors) : m_roles(roles), m_errors(errors) {}

    void add(const event_table& table, std::vector<stream_event> event_stream::*side) {
        const auto places = [&](column_role role) { return places_of(table, m_roles.of(role)); };
        const std::vector<std::size_t> key = places(column_role::key);
        const std::vector<std::size_t> time = places(column_role::time);
        const std::vector<std::size_t> ends = places(column_role::ends);
        const std::vector<std::size_t> durations = places(column_role::durations);
        const std::vector<std::size_t> values = places(column_role::values);
        const std::size_t errors_before = m_errors.size();
        for (std::size_t r = 0; r < table.rows.size(); ++r) {
            if (m_errors.size() >= errors_before + most_errors) {
                return;
            }
            const event_row& row = table.rows[r];
            stream_event event;
            event.row = static_cast<std::uint32_t>(r);
            for (const std::size_t column : time) {
                read(table, row, column, event.time);
            }
            for (const std::size_t column : ends) {
                event.durations.push_back(duration(table, row, column, event.time));
            }
            for (const std::size_t column : durations) {
                event.durations.push_back(duration(table, row, column, 0));
            }
            event.values = number_of(m_values, text_of(row, values));
            (stream_of(row, key).*side).push_back(std::move(event));
        }
    }

    event_streams take() { return std::move(m_streams); }

 private:
    using numbers = std::unordered_map<std::string, std::uint32_t>;

    /// Places of columns in one table; the two tables may have them in another order.
    static std::vector<std::size_t> places_of(const event_table& table, const column_names& names) {
        std::vector<std::size_t> all;
        for (const std::string& name : names) {
            all.push_back(table.find(name).value_or(0));
        }
        return all;
    }

    static std::uint32_t number_of(numbers& all, const std::string& text) {
        return all.try_emplace(text, static_cast<std::uint32_t>(all.size())).first->second;
    }

    static std::string text_of(const event_row& row, const std::vector<std::size_t>& columns) {
        std::string text;
        for (const std::size_t column : columns) {
            text += plain_value(row.fields[column]);
            text += separator;
        }
        return text;
    }

    event_stream& stream_of(const event_row& row, const std::vector<std::size_t>& key) {
        const std::uint32_t stream = number_of(m_keys, text_of(row, key));
        if (stream == m_streams.size()) {
            event_stream& added = m_streams.emplace_back();
            for (const std::size_t column : key) {
                added.key.push_back(row.fields[column]);
            }
            std::vector<std::size_t> scope = key;
            if (m_roles.key_ends_in_signal) {
                scope.pop_back();
            }
            added.scope = number_of(m_scopes, text_of(row, scope));
        }
        return m_streams[stream];
    }

    bool read(const event_table& table, const event_row& row, std::size_t column, std::int64_t& value) {
        const std::string& text = row.fields[column];
        const auto number = parse_whole_number(plain_value(text));
        if (!number || *number > static_cast<std::uint64_t>(most_event_cycles)) {
            m_errors.push_back({table.path, row.line, table.columns[column],
                                "'" + text + "' is not a number of cycles; expected 0 to " +
                                    std::to_string(most_event_cycles) +
                                    ", a whole number (--key, --time, --ends, --durations and --ignore set the "
                                    "roles of columns)"});
            return false;
        }
        value = static_cast<std::int64_t>(*number);
        return true;
    }

    std::int64_t duration(const event_table& table, const event_row& row, std::size_t column,
                          std::int64_t from) {
        std::int64_t value = 0;
        if (row.fields[column].empty() || !read(table, row, column, value)) {
            return no_duration;
        }
        return value - from;
    }

    const column_roles& m_roles;
    config_errors& m_errors;
    event_streams m_streams;
    numbers m_keys;
    numbers m_scopes;
    numbers m_values;
};

}  // namespace

bool same_value(const std::string& a, const std::string& b) {
    return a == b || plain_value(a) == plain_value(b);
}

event_streams make_streams(const event_table& expected, const event_table& actual, const column_roles& roles,
                           config_errors& errors) {
    stream_maker maker(roles, errors);
    maker.add(expected, &event_stream::expected);
    maker.add(actual, &event_stream::actual);
    return maker.take();
}

}  // namespace weir::tb
