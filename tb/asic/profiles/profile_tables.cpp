#include "tb/asic/profiles/shared_tables.h"

#include <array>
#include <map>

#include "tb/run/options/run_traits.h"
#include "tb/support/text/table_rows.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

bool is_held_back(const run_config& config, unsigned c) {
    return config.flow_control.mode != flow_control_mode::none && config.shared.is_lossless(c);
}

class_mask lossless_classes_of(const run_config& config) {
    unsigned lossless = 0;
    for (unsigned c = 0; c < config.device.classes; ++c) {
        lossless |= is_held_back(config, c) ? 1U << c : 0U;
    }
    return static_cast<class_mask>(lossless);
}

namespace {

using field_ranges = field_range<bytes>;
/// Of a profile.
constexpr std::size_t most_sizes = 5;

/// Of groups, or of queues: what they have, and what a row says of them.
struct group_table {
    using profile = group_profile;
    static std::vector<profile>& of(shared_profiles& all) { return all.groups; }
    /// Its place in `each_size`.
    static constexpr std::size_t headroom_field = 4;
    static std::vector<std::string> values() {
        return {"minimum_bytes", "alpha", "threshold_bytes", "xon_bytes", "xon_offset_bytes", "headroom_bytes"};
    }
    static bool only_lossless(const std::string& column) {
        return column == "xon_bytes" || column == "xon_offset_bytes" || column == "headroom_bytes";
    }
    /// That a row sets, with what it sets there.
    template <class Row>
    static void each_size(profile& p, Row&& row) {
        row("minimum_bytes", p.minimum, shared_buffer_config::minimum_range);
        row("threshold_bytes", p.threshold, shared_buffer_config::pool_range);
        row("xon_bytes", p.xon, shared_buffer_config::pool_range);
        row("xon_offset_bytes", p.xon_offset, shared_buffer_config::pool_range);
        row("headroom_bytes", p.headroom, shared_buffer_config::pool_range);
    }
};

struct queue_table {
    using profile = queue_profile;
    static std::vector<profile>& of(shared_profiles& all) { return all.queues; }
    static std::vector<std::string> values() {
        return {"minimum_bytes", "alpha", "threshold_bytes", "ecn_threshold_bytes"};
    }
    static bool only_lossless(const std::string&) { return false; }
    template <class Row>
    static void each_size(profile& p, Row&& row) {
        row("minimum_bytes", p.minimum, shared_buffer_config::minimum_range);
        row("threshold_bytes", p.threshold, shared_buffer_config::pool_range);
        row("ecn_threshold_bytes", p.ecn_threshold, shared_buffer_config::pool_range);
    }
};

template <class Table>
class profile_reader {
 public:
    profile_reader(const std::string& path, const run_config& config, const topology& plan,
                   std::vector<shared_profiles>& profiles, config_errors& errors)
        : m_config(config), m_profiles(profiles), m_rows(path, plan, columns(), 2, errors) {}

    void read() {
        while (m_rows.next()) {
            read_row();
        }
        // Who is told of a mistake need not be told of what it has left without effect.
        for (const auto& [line, uses] : m_uses) {
            if (m_rows.good() && uses == 0) {
                m_rows.refuse(line, "line",
                              "has no effect, because later rows replace all of its values; expected general "
                              "rows first and exceptions after them");
            }
        }
    }

    /// By group or queue: the line that set this field; 0: none.
    std::vector<int> lines_of(switch_id s, std::size_t field) const {
        std::vector<int> lines;
        for (std::size_t at = field; s < m_last.size() && at < m_last[s].size(); at += most_sizes) {
            lines.push_back(m_last[s][at]);
        }
        return lines;
    }
    /// The last line that set any of its fields.
    std::vector<int> lines_of(switch_id s) const {
        std::vector<int> lines = lines_of(s, 0);
        for (std::size_t field = 1; field < most_sizes; ++field) {
            const std::vector<int> more = lines_of(s, field);
            std::transform(lines.begin(), lines.end(), more.begin(), lines.begin(),
                           [](int a, int b) { return std::max(a, b); });
        }
        return lines;
    }

 private:
    using profile = typename Table::profile;

    static std::vector<std::string> columns() {
        std::vector<std::string> all{"port", "class"};
        const std::vector<std::string> values = Table::values();
        all.insert(all.end(), values.begin(), values.end());
        return all;
    }

    void read_row() {
        const std::vector<switch_id> switches = m_rows.switches();
        if (switches.empty()) {
            return;
        }
        const std::optional<number_range> ports = m_rows.ports("port", switches);
        const std::optional<number_range> classes =
            m_rows.range("class", m_config.device.classes - 1, "(switch.classes)");
        const profile said = values_of_row();
        if (!ports || !classes || !check(*classes)) {
            return;
        }
        for (const switch_id s : switches) {
            std::vector<profile>& all = Table::of(m_profiles[s]);
            all.resize(std::size_t{m_rows.port_count(s)} * m_config.device.classes);
            for (unsigned port = ports->low; port <= ports->high && port < m_rows.port_count(s); ++port) {
                for (unsigned c = classes->low; c <= classes->high; ++c) {
                    apply(said, all, s, std::size_t{port} * m_config.device.classes + c,
                          is_held_back(m_config, c));
                }
            }
        }
    }

    profile values_of_row() {
        profile said;
        Table::each_size(said, [&](const char* column, std::optional<bytes>& value, const field_ranges& range) {
            const std::optional<std::uint64_t> read =
                m_rows.number(column, static_cast<std::uint64_t>(range.low.count()),
                              static_cast<std::uint64_t>(range.high.count()));
            if (read) {
                value = bytes{static_cast<std::int64_t>(*read)};
            }
        });
        said.alpha = m_rows.factor("alpha");
        return said;
    }

    /// Values that make no sense, together or for these classes.
    bool check(const number_range& classes) {
        bool any = false;
        bool lossless = false;
        for (unsigned c = classes.low; c <= classes.high; ++c) {
            lossless = lossless || is_held_back(m_config, c);
        }
        for (const std::string& column : Table::values()) {
            any = any || m_rows.has_value(column);
            if (m_rows.has_value(column) && Table::only_lossless(column) && !lossless) {
                m_rows.refuse(column,
                              "has no effect, because the class is lossy (pfc.mode, shared.lossless_classes); "
                              "expected an empty field, or a lossless class");
                return false;
            }
        }
        if (!any) {
            m_rows.refuse("line", "sets no value; expected at least one");
            return false;
        }
        if (m_rows.has_value("alpha") && m_rows.has_value("threshold_bytes")) {
            m_rows.refuse("threshold_bytes", "is given together with alpha; expected only one of the two");
            return false;
        }
        if (m_rows.has_value("ecn_threshold_bytes") && !uses_tcp(m_config) && !uses_roce(m_config)) {
            m_rows.refuse("ecn_threshold_bytes",
                          "has no effect, because no traffic uses TCP or RoCE; expected an empty field");
            return false;
        }
        if (m_rows.has_value("ecn_threshold_bytes") && m_config.marking.is_on()) {
            m_rows.refuse("ecn_threshold_bytes",
                          "has no effect, because marking.kind replaces it; expected an empty field");
            return false;
        }
        return true;
    }

    void apply(const profile& said, std::vector<profile>& all, switch_id s, std::size_t place, bool lossless) {
        profile from = said;
        profile& to = all[place];
        std::array<std::optional<bytes>*, most_sizes> fields{};
        std::size_t count = 0;
        Table::each_size(to, [&](const char*, std::optional<bytes>& value, const field_ranges&) {
            fields[count++] = &value;
        });
        std::size_t n = 0;
        Table::each_size(from, [&](const char* column, std::optional<bytes>& value, const field_ranges&) {
            std::optional<bytes>& field = *fields[n];
            const bool is_threshold = &field == &to.threshold;
            const bool sets = is_threshold ? from.alpha || from.threshold
                                           : value && (lossless || !Table::only_lossless(column));
            if (sets) {
                // A factor takes a number's place, and the other way round.
                to.alpha = is_threshold ? from.alpha : to.alpha;
                field = value;
                use(s, all.size() * most_sizes, place * most_sizes + n);
            }
            ++n;
        });
    }

    /// This row's word on that field of a switch is the last one so far.
    void use(switch_id s, std::size_t fields, std::size_t field) {
        m_last.resize(m_profiles.size());
        m_last[s].resize(fields);
        int& last = m_last[s][field];
        ++m_uses[m_rows.line()];
        if (last != 0) {
            --m_uses[last];
        }
        last = m_rows.line();
    }

    const run_config& m_config;
    std::vector<shared_profiles>& m_profiles;
    table_rows m_rows;
    /// By line: values that are still its own.
    std::map<int, std::int64_t> m_uses;
    /// By switch, group or queue, and field: the line that set it last; 0: none.
    std::vector<std::vector<int>> m_last;
};

}  // namespace

void read_group_profiles(const std::string& path, const run_config& config, const topology& plan,
                         read_profiles& read, config_errors& errors) {
    profile_reader<group_table> reader(path, config, plan, read.profiles, errors);
    reader.read();
    for (switch_id s = 0; s < plan.switches(); ++s) {
        read.sources[s].line_of_headroom = reader.lines_of(s, group_table::headroom_field);
        read.sources[s].line_of_group = reader.lines_of(s);
    }
}

void read_queue_profiles(const std::string& path, const run_config& config, const topology& plan,
                         std::vector<shared_profiles>& profiles, config_errors& errors) {
    profile_reader<queue_table>(path, config, plan, profiles, errors).read();
}

}  // namespace weir::tb
