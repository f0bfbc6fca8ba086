#include "tb/replay/scenario.h"

#include <algorithm>

#include "tb/process/exit_status.h"
#include "tb/text/joined.h"
#include "weir/model/clocked/pfc_receive_control.h"

namespace weir::tb {

scenario_file::scenario_file(const std::string& path, config_errors& errors)
    : m_file(path, errors),
      m_config(m_file.column("config")),
      m_scenario(m_file.column("scenario")),
      m_data_width(m_file.column("data_width_bits")),
      m_clock_period(m_file.column("clk_period_ps")),
      m_end_cycle(m_file.column("end_cycle")),
      m_quanta_step(m_file.optional_column("quanta_step")) {}

bool scenario_file::next() {
    while (m_file.next()) {
        if (read()) {
            return true;
        }
    }
    return false;
}

bool scenario_file::read() {
    m_current = {};
    m_current.key = {m_file.text(m_config), m_file.text(m_scenario)};
    std::uint64_t data_width = 0;
    std::uint64_t quanta_step = 0;
    bool good = m_file.number(m_data_width, data_width, 8, most_data_width);
    if (good && data_width % 8 != 0) {
        m_file.refuse(m_data_width, "'" + m_file.text(m_data_width) +
                                        "' is not a whole number of octets; expected "
                                        "8, 16, 24, ... " +
                                        std::to_string(most_data_width));
        good = false;
    }
    good = m_file.number(m_clock_period, m_current.clock_period, 1, 1'000'000'000) && good;
    good = m_file.number(m_end_cycle, m_current.end_cycle, 0, most_cycles) && good;
    if (m_quanta_step) {
        good = m_file.number(*m_quanta_step, quanta_step, 1, (1U << 24) - 1) && good;
    }
    const auto [at, is_new] = m_lines.emplace(m_current.key, m_file.line());
    if (!is_new) {
        m_file.refuse(m_scenario, "'" + m_current.key.second + "' of config '" + m_current.key.first +
                                      "' is already in line " + std::to_string(at->second) +
                                      "; expected each scenario once");
    }
    m_current.data_width = static_cast<unsigned>(data_width);
    m_current.quanta_step = static_cast<std::uint32_t>(quanta_step);
    return good && is_new;
}

void scenario_file::check_data_width(const std::vector<unsigned>& allowed) {
    if (std::find(allowed.begin(), allowed.end(), m_current.data_width) != allowed.end()) {
        return;
    }
    const std::string list = joined(allowed, ", ", [](unsigned width) { return std::to_string(width); });
    m_file.refuse(m_data_width,
                  "'" + m_file.text(m_data_width) + "' is not a width of this block; expected " + list);
}

void check_length(const std::string& results, const scenario& of, std::uint64_t cycle) {
    if (results.size() > most_result_bytes) {
        throw command_error("scenario '" + of.key.second + "' of config '" + of.key.first +
                                "': end_cycle: is " + std::to_string(of.end_cycle) +
                                ", and a file of results has " + std::to_string(most_result_bytes >> 20) +
                                " MiB at cycle " + std::to_string(cycle) +
                                "; expected an end_cycle for less, or fewer scenarios",
                            exit_status::bad_input);
    }
}

void note_late_stimuli(replay_job& job, const scenario& of, std::uint64_t late) {
    if (late > 0) {
        job.notes().push_back(of.key.first + " " + of.key.second + ": " + std::to_string(late) +
                              " stimuli are later than end_cycle (" + std::to_string(of.end_cycle) +
                              ") and have no effect");
    }
}

std::string cycle_ns_text(std::uint64_t cycle, std::uint64_t clock_period_ps) {
    const std::uint64_t time = cycle * clock_period_ps;
    return std::to_string(time / 1000) + "." + std::to_string(1000 + time % 1000).substr(1);
}

std::string hex_text(std::uint64_t value, int digits) {
    std::string text = "0x";
    for (int d = digits; d-- > 0;) {
        text += "0123456789abcdef"[value >> (4 * d) & 0xF];
    }
    return text;
}

std::string octets_text(const std::uint8_t* octets, std::size_t size) {
    std::string text;
    for (std::size_t o = 0; o < size; ++o) {
        text += hex_text(octets[o], 2).substr(2);
    }
    return text;
}

void event_writer::write(std::uint64_t cycle, const std::string& signal, const std::string& value) {
    m_out += m_line.add_name(m_scenario.key.first)
                 .add_name(m_scenario.key.second)
                 .add(cycle)
                 .add_name(cycle_ns_text(cycle, m_scenario.clock_period))
                 .add_name(signal)
                 .add_name(value)
                 .end();
    check_length(m_out, m_scenario, cycle);
}

void event_writer::write_mask(std::uint64_t cycle, const std::string& signal, unsigned mask) {
    if (mask != 0) {
        write(cycle, signal, hex_text(mask, 2));
    }
}

void event_writer::write_changes(std::uint64_t cycle, const std::string& signal, unsigned before,
                                 unsigned now) {
    for (unsigned c = 0; c < pfc_classes; ++c) {
        if (((before ^ now) >> c & 1) != 0) {
            write(cycle, signal + "[" + std::to_string(c) + "]", (now >> c & 1) != 0 ? "1" : "0");
        }
    }
}

}  // namespace weir::tb
