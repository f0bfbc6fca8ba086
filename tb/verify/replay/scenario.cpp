#include "tb/verify/replay/scenario.h"

#include <algorithm>

#include "tb/support/process/exit_status.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

void check_scenario(csv_file& file, const scenario& read, const std::vector<unsigned>& widths,
                    int earlier_line) {
    const auto refuse_width = [&](const std::string& message) { file.refuse_text("data_width_bits", message); };
    // A width of 0 is none: its cell has a mistake.
    if (read.data_width % 8 != 0) {
        refuse_width("is not a whole number of octets; expected 8, 16, 24, ... " +
                     std::to_string(most_data_width));
    } else if (read.data_width != 0 && !widths.empty() &&
               std::find(widths.begin(), widths.end(), read.data_width) == widths.end()) {
        refuse_width("is not a width of this block; expected " +
                     joined(widths, ", ", [](unsigned each) { return std::to_string(each); }));
    }
    if (earlier_line != 0) {
        file.refuse_text("scenario", "of config '" + read.config + "' is already in line " +
                                         std::to_string(earlier_line) + "; expected each scenario once");
    }
}

scenario_key key_of(const csv_file& file) {
    return {file.text(*file.optional_column("config")), file.text(*file.optional_column("scenario"))};
}

void refuse_scenario(csv_file& file) {
    file.refuse_text("scenario", "of config '" + key_of(file).first +
                                     "' is unknown; expected one that is in the file of scenarios");
}

void check_length(std::size_t result_bytes, const scenario& of, std::uint64_t cycle) {
    if (result_bytes > most_result_bytes) {
        throw command_error("scenario '" + of.name + "' of config '" + of.config + "': end_cycle: is " +
                                std::to_string(of.end_cycle) + ", and a file of results has " +
                                std::to_string(most_result_bytes >> 20) + " MiB at cycle " +
                                std::to_string(cycle) + "; expected an end_cycle for less, or fewer scenarios",
                            exit_status::bad_input);
    }
}

void note_late_stimuli(replay_job& job, const scenario& of, std::uint64_t late) {
    if (late > 0) {
        job.notes().push_back(of.config + " " + of.name + ": " + std::to_string(late) +
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
    write_row(m_out, m_scenario, cycle, cycle, cycle_ns_text(cycle, m_scenario.clock_period), signal, value);
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
