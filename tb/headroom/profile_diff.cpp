#include "tb/headroom/profile_diff.h"

#include <algorithm>
#include <cmath>

#include "tb/headroom/headroom_options.h"
#include "tb/text/text_format.h"
#include "tb/text/text_table.h"

namespace weir::tb {

namespace {

std::string difference(bytes of, bytes from) {
    const std::int64_t d = (of - from).count();
    return d == 0 ? "=" : (d > 0 ? "+" : "") + std::to_string(d);
}

double metres(millimetres length) {
    return static_cast<double>(length.count()) / 1000;
}

}  // namespace

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
    text_table table({"speed", "cable", "size", "xon", "xoff", "computed: size", "xon", "xoff"});
    std::size_t different = 0;
    std::size_t headrooms = 0;
    for (std::size_t i = 0; i < file.size(); ++i) {
        const profile_row& f = file[i];
        const profile_row& c = computed[i];
        different += f.size != c.size || f.xon != c.xon || f.headroom != c.headroom ? 1 : 0;
        headrooms += f.headroom == c.headroom ? 1 : 0;
        table.add({to_text(f.speed), to_text(f.cable), std::to_string(f.size.count()),
                   std::to_string(f.xon.count()), std::to_string(f.headroom.count()),
                   difference(c.size, f.size), difference(c.xon, f.xon), difference(c.headroom, f.headroom)});
    }
    out << name << " compared with the computed values: `=` is equal, a number is computed minus file\n\n";
    table.print(out);
    out << '\n'
        << file.size() - different << " of " << file.size() << " rows equal; " << headrooms << " of "
        << file.size() << " headrooms (xoff) equal\n\n";

    out << "Headroom by speed: growth per metre of cable, and headroom at 0 m\n\n";
    text_table lines({"speed", "B/m", "of round trip", "at 0 m", "off the line", "computed: B/m",
                      "of round trip", "at 0 m"});
    const std::vector<speed_fit> theirs = fit_by_speed(file, propagation);
    const std::vector<speed_fit> ours = fit_by_speed(computed, propagation);
    for (std::size_t i = 0; i < theirs.size(); ++i) {
        const speed_fit& t = theirs[i];
        const speed_fit& o = ours[i];
        lines.add({to_text(t.speed), decimal_text(t.bytes_per_metre, 1), decimal_text(t.of_round_trip, 2),
                   decimal_text(t.at_no_cable, 0), decimal_text(t.off_line, 0),
                   decimal_text(o.bytes_per_metre, 1), decimal_text(o.of_round_trip, 2),
                   decimal_text(o.at_no_cable, 0)});
    }
    lines.print(out);
    return different;
}

}  // namespace weir::tb
