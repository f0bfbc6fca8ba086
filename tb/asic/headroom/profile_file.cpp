#include "tb/asic/headroom/profile_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iomanip>
#include <iterator>
#include <map>
#include <sstream>

#include "tb/asic/headroom/headroom_options.h"
#include "tb/support/record/table_writers.h"
#include "tb/support/text/text_format.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace {

/// As SONiC writes it; lengths that are no whole metres keep their decimals.
std::string cable_text(millimetres cable) {
    return cable.count() % 1000 == 0 ? std::to_string(cable.count() / 1000) + "m" : to_text(cable);
}

std::string difference(bytes of, bytes from) {
    const std::int64_t d = (of - from).count();
    return d == 0 ? "=" : (d > 0 ? "+" : "") + std::to_string(d);
}

double metres(millimetres length) {
    return static_cast<double>(length.count()) / 1000;
}

}  // namespace

profile_file read_profile_file(std::istream& in, const std::string& name) {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    const std::string columns = "speed cable size xon xoff threshold [xon_offset]";
    profile_file made;
    std::map<std::pair<std::int64_t, std::int64_t>, int> seen;
    // Some line is a profile.
    bool any_right = false;
    int line = 0;
    for (std::string text; std::getline(in, text);) {
        ++line;
        std::istringstream words(text.substr(0, text.find('#')));
        const std::vector<std::string> fields{std::istream_iterator<std::string>(words), {}};
        const std::size_t errors = made.errors.size();
        const auto fail = [&](const char* key, const std::string& message) {
            made.errors.push_back({name, line, key, message});
        };
        const auto number = [&](const char* key, std::size_t field, std::int64_t low, std::int64_t high) {
            std::int64_t value = 0;
            const char* const end = fields[field].data() + fields[field].size();
            const auto [stopped, error] = std::from_chars(fields[field].data(), end, value);
            if (error == std::errc{} && stopped == end && value >= low && value <= high) {
                return value;
            }
            fail(key, "'" + fields[field] + "' is not a number that this column can have; expected " +
                          std::to_string(low) + " to " + std::to_string(high));
            return std::int64_t{0};
        };
        if (fields.empty()) {
            continue;
        }
        if (fields.size() != 6 && fields.size() != 7) {
            fail("", "the line has " + how_many(fields.size(), "field") + "; expected " + columns);
            continue;
        }
        profile_row row;
        row.line = line;
        row.speed = bit_rate{number("speed", 0, 1, 10'000'000) * 1'000'000};
        const auto cable = parse_length(fields[1]);
        row.cable = cable.value;
        if (!cable || !headroom_budget_config::cable_range.holds(cable.value)) {
            fail("cable", cable ? out_of_range(fields[1], "0m to 1000km") : cable.error);
        }
        row.size = bytes{number("size", 2, 0, most)};
        row.xon = bytes{number("xon", 3, 0, most)};
        row.headroom = bytes{number("xoff", 4, 0, most)};
        row.threshold = number("threshold", 5, -most, most);
        if (fields.size() == 7) {
            row.xon_offset = bytes{number("xon_offset", 6, 0, most)};
        }
        const auto earlier = seen.emplace(std::pair(row.speed.count(), row.cable.count()), line);
        if (made.errors.size() == errors && !earlier.second) {
            fail("", fields[0] + " " + fields[1] + " is already in line " +
                         std::to_string(earlier.first->second) + "; expected each speed and length once");
        }
        made.rows.push_back(row);
        any_right = any_right || made.errors.size() == errors;
    }
    // Of a file without a single line that is right, one error is enough.
    if (!any_right && made.errors.size() != 1) {
        config_error one{name, 0, "", "the file has no profile"};
        if (!made.errors.empty()) {
            one = made.errors.front();
            one.message.erase(one.message.find(';'));
            one.message += ", and no other line is a profile either";
        }
        one.message += "; expected a pg_profile_lookup.ini, with lines of: " + columns;
        made.errors = {one};
    }
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

std::vector<speed_fit> fit_by_speed(const std::vector<profile_row>& rows, metres_per_second propagation) {
    std::vector<speed_fit> fits;
    for (const profile_row& first : rows) {
        const bool known =
            std::any_of(fits.begin(), fits.end(), [&](const speed_fit& f) { return f.speed == first.speed; });
        if (known) {
            continue;
        }
        const profile_row* shortest = &first;
        const profile_row* longest = &first;
        for (const profile_row& row : rows) {
            if (row.speed == first.speed) {
                shortest = row.cable < shortest->cable ? &row : shortest;
                longest = row.cable > longest->cable ? &row : longest;
            }
        }
        speed_fit fit;
        fit.speed = first.speed;
        if (shortest->cable < longest->cable) {
            fit.bytes_per_metre = static_cast<double>((longest->headroom - shortest->headroom).count()) /
                                  metres(longest->cable - shortest->cable);
        }
        const double round_trip =
            2 * static_cast<double>(fit.speed.count()) / 8 / static_cast<double>(propagation.count());
        fit.of_round_trip = fit.bytes_per_metre / round_trip;
        const auto on_line = [&](const profile_row& row) {
            return static_cast<double>(row.headroom.count()) - fit.bytes_per_metre * metres(row.cable);
        };
        fit.at_no_cable = on_line(*shortest);
        for (const profile_row& row : rows) {
            if (row.speed == fit.speed) {
                fit.off_line = std::max(fit.off_line, std::abs(on_line(row) - fit.at_no_cable));
            }
        }
        fits.push_back(fit);
    }
    return fits;
}

std::size_t print_diff(std::ostream& out, const std::vector<profile_row>& file,
                       const std::vector<profile_row>& computed, const std::string& name,
                       metres_per_second propagation) {
    data_table table =
        data_table::of({"speed", "cable", "size", "xon", "xoff", "computed: size", "xon", "xoff"});
    std::size_t different = 0;
    std::size_t headrooms = 0;
    for (std::size_t i = 0; i < file.size(); ++i) {
        const profile_row& f = file[i];
        const profile_row& c = computed[i];
        different += f.size != c.size || f.xon != c.xon || f.headroom != c.headroom ? 1 : 0;
        headrooms += f.headroom == c.headroom ? 1 : 0;
        table.add_row({to_text(f.speed), to_text(f.cable), std::to_string(f.size.count()),
                       std::to_string(f.xon.count()), std::to_string(f.headroom.count()),
                       difference(c.size, f.size), difference(c.xon, f.xon),
                       difference(c.headroom, f.headroom)});
    }
    out << name << " compared with the computed values: `=` is equal, a number is computed minus file\n\n";
    print_table(out, table);
    out << '\n'
        << file.size() - different << " of " << file.size() << " rows equal; " << headrooms << " of "
        << file.size() << " headrooms (xoff) equal\n\n";

    out << "Headroom by speed: growth per metre of cable, and headroom at 0 m\n\n";
    data_table lines({{"speed"},
                      {"B/m", fixed(1)},
                      {"of round trip", fixed(2)},
                      {"at 0 m", fixed(0)},
                      {"off the line", fixed(0)},
                      {"computed: B/m", fixed(1)},
                      {"of round trip", fixed(2)},
                      {"at 0 m", fixed(0)}});
    const std::vector<speed_fit> theirs = fit_by_speed(file, propagation);
    const std::vector<speed_fit> ours = fit_by_speed(computed, propagation);
    for (std::size_t i = 0; i < theirs.size(); ++i) {
        const speed_fit& t = theirs[i];
        const speed_fit& o = ours[i];
        lines.add_row({to_text(t.speed), t.bytes_per_metre, t.of_round_trip, t.at_no_cable, t.off_line,
                       o.bytes_per_metre, o.of_round_trip, o.at_no_cable});
    }
    print_table(out, lines);
    return different;
}

}  // namespace weir::tb
