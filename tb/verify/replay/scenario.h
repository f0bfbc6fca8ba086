// What the cycle-level replays share: scenarios (a configuration's clock and data width, how long to run) and
// lists of what happened at which cycle.
//
//   scenario_list<scenario> scenarios(job);
//   auto frames = job.read<signal_row>("stimuli");
//   while (const auto* const row = frames.next()) {
//       if (scenario* const of = scenarios.find(frames)) { ... }
//   }
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tb/verify/replay/replay_job.h"
#include "weir/model/clocked/pfc_receive_control.h"

namespace weir::tb {

/// Configuration and scenario.
using scenario_key = std::pair<std::string, std::string>;

/// Longest run. Unit: cycle.
inline constexpr std::uint64_t most_cycles = 4'000'000'000;

/// The first columns of every table.
inline constexpr std::tuple scenario_columns(cell<std::string>("config"), cell<std::string>("scenario"));

struct scenario {
    std::string config;
    std::string name;
    /// Unit: bit. Whole octets.
    unsigned data_width = 0;
    /// Unit: ps.
    std::uint64_t clock_period = 0;
    /// Timers lose this per cycle. Unit: 1/256 quantum. 0: as the data width says.
    std::uint32_t quanta_step = 0;
    /// The last cycle that is run.
    std::uint64_t end_cycle = 0;

    template <class Columns>
    static void describe(Columns& columns) {
        columns(column("config", &scenario::config));
        columns(column("scenario", &scenario::name));
        columns(column("data_width_bits", &scenario::data_width).range(8, most_data_width));
        columns(column("clk_period_ps", &scenario::clock_period).range(1, 1'000'000'000));
        columns(column("end_cycle", &scenario::end_cycle).range(0, most_cycles));
        columns(column("quanta_step", &scenario::quanta_step,
                       "1/256 quanta that timers lose per cycle. Default: half the data width")
                    .range(1, (1U << 24) - 1)
                    .may_be_missing());
    }
};

/// Reports a data width that is not in whole octets or not among `widths` (none: any), and a scenario that an
/// earlier line has; 0: none has it.
void check_scenario(csv_file& file, const scenario& read, const std::vector<unsigned>& widths,
                    int earlier_line);
scenario_key key_of(const csv_file& file);
void refuse_scenario(csv_file& file);

/// The scenarios of `--scenarios`, in the order of the file. `Scenario`: a scenario with further columns.
/// Mistakes are reported; then the list is of no use.
template <class Scenario>
class scenario_list {
 public:
    explicit scenario_list(replay_job& job, const std::vector<unsigned>& widths = {}) {
        auto file = job.read<Scenario>("scenarios");
        while (const Scenario* const read = file.next_line()) {
            const auto [at, is_new] = m_places.emplace(key_of(file), std::pair{m_all.size(), file.line()});
            check_scenario(file, *read, widths, is_new ? 0 : at->second.second);
            m_all.push_back(*read);
        }
    }
    /// The scenario of the current line of `file`; null, and an error, if there is none.
    Scenario* find(csv_file& file) {
        const auto at = m_places.find(key_of(file));
        return at != m_places.end() ? &m_all[at->second.first] : (refuse_scenario(file), nullptr);
    }
    auto begin() { return m_all.begin(); }
    auto end() { return m_all.end(); }

 private:
    std::vector<Scenario> m_all;
    /// Place in the list, and line of the file.
    std::map<scenario_key, std::pair<std::size_t, int>> m_places;
};

/// Stimuli may stand in any order; those of one cycle stay in that of the file.
template <class Stimulus>
void sort_by_cycle(std::vector<Stimulus>& stimuli) {
    std::stable_sort(stimuli.begin(), stimuli.end(),
                     [](const Stimulus& a, const Stimulus& b) { return a.cycle < b.cycle; });
}
/// Number of stimuli after the last cycle.
template <class Stimulus>
std::uint64_t count_late(const std::vector<Stimulus>& stimuli, const scenario& of) {
    const auto is_late = [&](const Stimulus& each) { return each.cycle > of.end_cycle; };
    return static_cast<std::uint64_t>(std::count_if(stimuli.begin(), stimuli.end(), is_late));
}
/// Says that so many stimuli of a scenario have no effect; nothing for 0.
void note_late_stimuli(replay_job& job, const scenario& of, std::uint64_t late);

/// Longest file of results. Unit: B.
inline constexpr std::size_t most_result_bytes = std::size_t{256} << 20;
/// Throws command_error, as bad input, where a scenario has made the results longer: end_cycle may ask for any
/// number of lines.
void check_length(std::size_t result_bytes, const scenario& of, std::uint64_t cycle);
/// Writes the columns of a scenario's table that follow `scenario_columns`.
template <class Row, class... Values>
void write_row(replay_table<Row>& out, const scenario& of, std::uint64_t cycle, Values&&... values) {
    out.write({of.config, of.name, std::forward<Values>(values)...});
    check_length(out.text().size(), of, cycle);
}

/// A cycle as a time with three decimals. `80.000`
std::string cycle_ns_text(std::uint64_t cycle, std::uint64_t clock_period_ps);
/// `0x08`, `0x0008`.
std::string hex_text(std::uint64_t value, int digits);
std::string octets_text(const std::uint8_t* octets, std::size_t size);

inline constexpr auto signal_columns =
    with_more(scenario_columns, cell<std::uint64_t>("cycle"), cell<std::string>("time_ns"),
              cell<std::string>("signal"), cell<std::string>("value"));
using signal_row = row_of<signal_columns>;

/// Writes the events of one scenario.
class event_writer {
 public:
    event_writer(replay_table<signal_row>& out, const scenario& of) : m_out(out), m_scenario(of) {}
    void write(std::uint64_t cycle, const std::string& signal, const std::string& value);
    /// A vector of classes as `0x08`, or nothing if it is 0.
    void write_mask(std::uint64_t cycle, const std::string& signal, unsigned mask);
    /// Lines `signal[k]` for each class that has changed.
    void write_changes(std::uint64_t cycle, const std::string& signal, unsigned before, unsigned now);

 private:
    replay_table<signal_row>& m_out;
    const scenario& m_scenario;
};

}  // namespace weir::tb
