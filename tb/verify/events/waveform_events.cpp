#include "tb/verify/events/waveform_events.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "tb/verify/events/bit_text.h"
#include "tb/verify/events/waveform.h"
#include "tb/verify/events/whole_number.h"

namespace weir::tb {

namespace {

class event_sampler {
 public:
    event_sampler(const std::string& path, const signal_map& map, config_errors& errors)
        : m_map(map), m_errors(errors), m_wave(open_waveform(path, errors)) {
        m_table.path = path;
        m_table.columns = map.columns;
        m_table.columns.insert(m_table.columns.end(), {"cycle", "signal", "value"});
    }

    event_table run() {
        const std::size_t before = m_errors.size();
        if (m_wave == nullptr) {
            return std::move(m_table);
        }
        for (const mapped_event& event : m_map.events) {
            resolve(event);
        }
        if (m_errors.size() != before) {
            return std::move(m_table);
        }
        m_now.resize(m_wave->signals().size());
        m_wave->read(
            {m_wanted.begin(), m_wanted.end()},
            [this](std::uint64_t time, std::size_t signal, std::string_view value) {
                if (time != m_time) {
                    settle();
                    m_time = time;
                }
                m_pending.emplace_back(signal, value);
            },
            m_errors);
        settle();
        m_table.notes = m_wave->notes();
        for (const sampled_event& event : m_events) {
            if (event.events == 0) {
                m_table.notes.push_back(m_map.path + ":" + std::to_string(event.map->line) + ": '" +
                                        event.map->event.text + "' has no event in " + m_table.path + ": " +
                                        why_none(event));
            }
        }
        return std::move(m_table);
    }

 private:
    struct resolved_test {
        const signal_test* map = nullptr;
        signal_slice signal;
    };
    /// A signal, and where its bit is in the text of its bits.
    using clock_key = std::pair<std::size_t, std::size_t>;
    /// A line of the map, with what it has seen.
    struct sampled_event {
        const mapped_event* map = nullptr;
        std::vector<signal_slice> signals;
        clock_key clock;
        std::vector<resolved_test> valid;
        std::vector<resolved_test> origin;
        bool clocked = false;
        bool begun = false;
        std::uint64_t cycle = 0;
        std::size_t events = 0;
        std::optional<std::string> last;
    };

    /// A clock, and its edges at one point of time. The first level is no edge.
    struct clock_level {
        void follow(std::string_view value) {
            rises = rises || (!level.empty() && level != "1" && value == "1");
            falls = falls || (!level.empty() && level != "0" && value == "0");
            level = value;
        }
        std::string level;
        bool rises = false;
        bool falls = false;
    };

    /// A signal that is sampled. An error if there is none; then the result is of no use.
    signal_slice find(const mapped_event& event, const char* column, const std::string& path) {
        const auto found = find_signal(*m_wave, path);
        if (!found) {
            m_errors.push_back({m_map.path, event.line, column,
                                "'" + path + "' is not in " + m_table.path +
                                    "; expected a signal's path, or one of its bits" + near(path)});
            return {};
        }
        m_wanted.insert(found->signal);
        return *found;
    }

    static const char* why_none(const sampled_event& event) {
        return !event.clocked             ? "its clock has no edge of this kind"
               : !event.begun             ? "its origin condition is never true"
               : event.map->valid.empty() ? "it never changes"
                                          : "its valid condition is never true";
    }

    /// Signals with the same last name, or some of the file's.
    std::string near(const std::string& path) const {
        const std::string last = path.substr(path.rfind('.') + 1);
        const std::string name = last.substr(0, last.find('['));
        std::string text;
        std::size_t count = 0;
        for (const bool same_name : {true, false}) {
            for (const waveform_signal& s : m_wave->signals()) {
                const bool same = s.name.substr(s.name.rfind('.') + 1) == name;
                if (count < 5 && (same || !same_name)) {
                    text += (text.empty() ? ", such as " : ", ") + s.name + range_of(s);
                    ++count;
                }
            }
            if (count > 0) {
                break;
            }
        }
        return text;
    }

    static std::string range_of(const waveform_signal& signal) {
        if (signal.width <= 1) {
            return "";
        }
        const std::int64_t first = signal.first_bit == signal.last_bit
                                       ? static_cast<std::int64_t>(signal.width) - 1
                                       : signal.first_bit;
        return "[" + std::to_string(first) + ":" + std::to_string(signal.last_bit) + "]";
    }

    void resolve(const mapped_event& event) {
        sampled_event& sampled = m_events.emplace_back();
        sampled.map = &event;
        for (const std::string& path : event.paths) {
            sampled.signals.push_back(find(event, "path", path));
        }
        const std::size_t errors_before = m_errors.size();
        const signal_slice clock = find(event, "clock", event.clock.signal);
        if (m_errors.size() == errors_before && width_of(clock) != 1) {
            m_errors.push_back({m_map.path, event.line, "clock",
                                "'" + event.clock.signal +
                                    "' is not one bit; expected a signal of one bit, or one bit of a signal"});
        }
        sampled.clock = {clock.signal, clock.bits ? clock.bits->first : 0};
        m_clocks[sampled.clock];
        for (const signal_test& test : event.valid) {
            sampled.valid.push_back({&test, find(event, "valid", test.path)});
        }
        for (const signal_test& test : event.origin) {
            sampled.origin.push_back({&test, find(event, "origin", test.path)});
        }
    }

    std::size_t width_of(const signal_slice& slice) const {
        return slice.bits ? slice.bits->second : m_wave->signals()[slice.signal].width;
    }
    std::string_view bits_of(const signal_slice& slice) const {
        const std::string_view all = m_now[slice.signal];
        return slice.bits ? slice_of(all, m_wave->signals()[slice.signal].width, *slice.bits) : all;
    }

    bool hold(const std::vector<resolved_test>& tests) const {
        return std::all_of(tests.begin(), tests.end(), [this](const resolved_test& test) {
            // Nothing if a bit is not known.
            const auto value = plain_number("0b" + std::string(bits_of(test.signal)));
            return value && (*value == test.map->value) != test.map->differs;
        });
    }

    /// The changes of one point of time are known: edges among them sample what was before.
    void settle() {
        for (const auto& [signal, value] : m_pending) {
            const auto end = m_clocks.lower_bound({signal + 1, 0});
            for (auto clock = m_clocks.lower_bound({signal, 0}); clock != end; ++clock) {
                clock->second.follow(
                    slice_of(value, m_wave->signals()[signal].width, {clock->first.second, 1}));
            }
        }
        for (sampled_event& event : m_events) {
            const clock_level& clock = m_clocks.at(event.clock);
            if (event.map->clock.falling_edge ? clock.falls : clock.rises) {
                sample(event);
            }
        }
        for (auto& [signal, value] : m_pending) {
            m_now[signal] = std::move(value);
        }
        m_pending.clear();
        for (auto& [key, clock] : m_clocks) {
            clock.rises = false;
            clock.falls = false;
        }
    }

    void sample(sampled_event& event) {
        event.clocked = true;
        if (!event.begun && !hold(event.origin)) {
            return;
        }
        if (event.begun) {
            ++event.cycle;
        }
        event.begun = true;
        std::string value;
        for (const signal_slice& slice : event.signals) {
            value += (value.empty() ? "" : " ") + value_text(bits_of(slice), width_of(slice));
        }
        const bool changed = event.last && *event.last != value;
        if (event.valid.empty() ? changed : hold(event.valid)) {
            ++event.events;
            event_row& row = m_table.rows.emplace_back();
            row.time = time_text(m_time, m_wave->unit());
            row.fields = event.map->texts;
            row.fields.insert(row.fields.end(), {std::to_string(event.cycle), event.map->event.text, value});
        }
        event.last = std::move(value);
    }

    const signal_map& m_map;
    config_errors& m_errors;
    std::unique_ptr<waveform> m_wave;
    event_table m_table;
    std::set<std::size_t> m_wanted;
    std::vector<sampled_event> m_events;
    std::uint64_t m_time = 0;
    /// By signal: its bits before the changes that are pending, as short as the file has them.
    std::vector<std::string> m_now;
    std::vector<std::pair<std::size_t, std::string>> m_pending;
    std::map<clock_key, clock_level> m_clocks;
};

}  // namespace

event_table read_waveform_events(const std::string& path, const signal_map& map, config_errors& errors) {
    return event_sampler(path, map, errors).run();
}

}  // namespace weir::tb
