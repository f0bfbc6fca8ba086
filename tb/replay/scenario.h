// What the cycle-level replays share: scenarios (a configuration's clock and data width, how long to run) and
// lists of what happened at which cycle.
//
//   scenario_file scenarios(job.text("scenarios"), job.errors());
//   while (scenarios.next()) { use(scenarios.current()); }
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tb/replay/replay_job.h"
#include "tb/text/csv_file.h"
#include "tb/text/text_format.h"

namespace weir::tb {

/// Configuration and scenario.
using scenario_key = std::pair<std::string, std::string>;

/// Longest run. Unit: cycle.
inline constexpr std::uint64_t most_cycles = 4'000'000'000;

struct scenario {
    scenario_key key;
    /// Unit: bit. Whole octets.
    unsigned data_width = 0;
    /// Unit: ps.
    std::uint64_t clock_period = 0;
    /// Timers lose this per cycle. Unit: 1/256 quantum. 0: as the data width says.
    std::uint32_t quanta_step = 0;
    /// The last cycle that is run.
    std::uint64_t end_cycle = 0;
};

/// A scenario file: the columns config, scenario, data_width_bits, clk_period_ps, end_cycle; quanta_step may
/// be missing. A block asks for further columns before the first `next`.
class scenario_file {
 public:
    scenario_file(const std::string& path, config_errors& errors);

    csv_file& file() { return m_file; }
    /// Goes to the next scenario; those with mistakes are reported and left out.
    bool next();
    const scenario& current() const { return m_current; }
    /// Reports a data width that the block does not have.
    void check_data_width(const std::vector<unsigned>& allowed);

 private:
    bool read();

    csv_file m_file;
    std::size_t m_config;
    std::size_t m_scenario;
    std::size_t m_data_width;
    std::size_t m_clock_period;
    std::size_t m_end_cycle;
    std::optional<std::size_t> m_quanta_step;
    scenario m_current;
    std::map<scenario_key, int> m_lines;
};

/// Columns config and scenario of a file of stimuli, which must be among the scenarios read.
class scenario_columns {
 public:
    explicit scenario_columns(csv_file& file)
        : m_file(file), m_config(file.column("config")), m_scenario(file.column("scenario")) {}

    /// Finds what belongs to the line's scenario in a map by scenario_key; nullptr, and an error, if there is
    /// none.
    template <class Map>
    typename Map::mapped_type* find(Map& scenarios) {
        const auto at = scenarios.find({m_file.text(m_config), m_file.text(m_scenario)});
        if (at == scenarios.end()) {
            m_file.refuse(m_scenario, "'" + m_file.text(m_scenario) + "' of config '" + m_file.text(m_config) +
                                          "' is unknown; expected one that is in the file of scenarios");
            return nullptr;
        }
        return &at->second;
    }

 private:
    csv_file& m_file;
    std::size_t m_config;
    std::size_t m_scenario;
};

/// Longest file of results. Unit: B.
inline constexpr std::size_t most_result_bytes = std::size_t{256} << 20;
/// Throws command_error, as bad input, where a scenario has made `results` longer: end_cycle may ask for any
/// number of lines.
void check_length(const std::string& results, const scenario& of, std::uint64_t cycle);

/// Says that so many stimuli of a scenario come after its last cycle; nothing for 0.
void note_late_stimuli(replay_job& job, const scenario& of, std::uint64_t late);

/// A cycle as a time with three decimals. `80.000`
std::string cycle_ns_text(std::uint64_t cycle, std::uint64_t clock_period_ps);
/// `0x08`, `0x0008`.
std::string hex_text(std::uint64_t value, int digits);
std::string octets_text(const std::uint8_t* octets, std::size_t size);

/// Writes lines `config,scenario,cycle,time_ns,signal,value`.
class event_writer {
 public:
    static constexpr const char* header = "config,scenario,cycle,time_ns,signal,value\n";

    event_writer(std::string& out, const scenario& of) : m_out(out), m_scenario(of) {}
    void write(std::uint64_t cycle, const std::string& signal, const std::string& value);
    /// A vector of classes as `0x08`, or nothing if it is 0.
    void write_mask(std::uint64_t cycle, const std::string& signal, unsigned mask);
    /// Lines `signal[k]` for each class that has changed.
    void write_changes(std::uint64_t cycle, const std::string& signal, unsigned before, unsigned now);

 private:
    std::string& m_out;
    const scenario& m_scenario;
    csv_line m_line;
};

}  // namespace weir::tb
