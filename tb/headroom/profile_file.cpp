#include "tb/headroom/profile_file.h"

#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>

#include "tb/headroom/headroom_options.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace {

class row_reader {
 public:
    row_reader(profile_file& made, std::string name) : m_made(made), m_name(std::move(name)) {}

    void read(const std::string& text, int line) {
        std::istringstream in(text);
        const std::vector<std::string> fields{std::istream_iterator<std::string>(in), {}};
        if (fields.empty()) {
            return;
        }
        m_line = line;
        if (fields.size() != 6 && fields.size() != 7) {
            fail("", "the line has " + how_many(fields.size(), "field") +
                         "; expected speed cable size xon xoff threshold [xon_offset]");
            return;
        }
        const std::size_t errors = m_made.errors.size();
        profile_row row;
        row.line = line;
        row.speed = bit_rate{number("speed", fields[0], 1, 10'000'000) * 1'000'000};
        const auto cable = parse_length(fields[1]);
        row.cable = cable.value;
        if (!cable || !headroom_budget_config::cable_range.holds(cable.value)) {
            fail("cable", cable ? out_of_range(fields[1], "0m to 1000km") : cable.error);
        }
        row.size = bytes{number("size", fields[2], 0, most)};
        row.xon = bytes{number("xon", fields[3], 0, most)};
        row.headroom = bytes{number("xoff", fields[4], 0, most)};
        row.threshold = number("threshold", fields[5], -most, most);
        if (fields.size() == 7) {
            row.xon_offset = bytes{number("xon_offset", fields[6], 0, most)};
        }
        const auto earlier = m_seen.emplace(std::pair(row.speed.count(), row.cable.count()), line);
        if (m_made.errors.size() == errors && !earlier.second) {
            fail("", fields[0] + " " + fields[1] + " is already in line " +
                         std::to_string(earlier.first->second) + "; expected each speed and length once");
        }
        m_made.rows.push_back(row);
        m_any_right = m_any_right || m_made.errors.size() == errors;
    }

    /// Of a file without a single line that is right, one error is enough.
    void finish() {
        if (m_any_right || m_made.errors.size() == 1) {
            return;
        }
        config_error one{m_name, 0, "", "the file has no profile"};
        if (!m_made.errors.empty()) {
            one = m_made.errors.front();
            one.message.erase(one.message.find(';'));
            one.message += ", and no other line is a profile either";
        }
        one.message +=
            "; expected a pg_profile_lookup.ini, with lines of: speed cable size xon xoff threshold "
            "[xon_offset]";
        m_made.errors = {one};
    }

 private:
    static constexpr std::int64_t most = std::int64_t{1} << 40;

    void fail(const char* key, const std::string& message) {
        m_made.errors.push_back({m_name, m_line, key, message});
    }
    std::int64_t number(const char* key, const std::string& text, std::int64_t low, std::int64_t high) {
        std::int64_t value = 0;
        const char* const end = text.data() + text.size();
        const auto [stopped, error] = std::from_chars(text.data(), end, value);
        if (error != std::errc{} || stopped != end || value < low || value > high) {
            fail(key, "'" + text + "' is not a number that this column can have; expected " +
                          std::to_string(low) + " to " + std::to_string(high));
            return 0;
        }
        return value;
    }

    profile_file& m_made;
    std::string m_name;
    int m_line = 0;
    std::map<std::pair<std::int64_t, std::int64_t>, int> m_seen;
    /// Some line is a profile.
    bool m_any_right = false;
};

/// As SONiC writes it; lengths that are no whole metres keep their decimals.
std::string cable_text(millimetres cable) {
    return cable.count() % 1000 == 0 ? std::to_string(cable.count() / 1000) + "m" : to_text(cable);
}

}  // namespace

profile_file read_profile_file(std::istream& in, const std::string& name) {
    profile_file made;
    row_reader reader(made, name);
    int line = 0;
    for (std::string text; std::getline(in, text);) {
        text.erase(std::min(text.find('#'), text.size()));
        reader.read(text, ++line);
    }
    reader.finish();
    return made;
}

void write_profile_file(std::ostream& out, const std::vector<profile_row>& rows, const std::string& made_by) {
    out << "# PG lossless profiles. " << made_by << "\n";
    const bool offsets =
        std::any_of(rows.begin(), rows.end(), [](const profile_row& r) { return r.xon_offset; });
    out << "# speed  cable     size      xon     xoff  threshold" << (offsets ? "  xon_offset" : "") << '\n';
    for (const profile_row& row : rows) {
        out << std::right << std::setw(7) << row.speed.count() / 1'000'000 << std::setw(7)
            << cable_text(row.cable) << std::setw(9) << row.size.count() << std::setw(9) << row.xon.count()
            << std::setw(9) << row.headroom.count() << std::setw(11) << row.threshold;
        if (row.xon_offset) {
            out << std::setw(12) << row.xon_offset->count();
        }
        out << '\n';
    }
}

}  // namespace weir::tb
