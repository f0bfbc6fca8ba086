#include "tb/replay/replay_mac10g.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tb/replay/frame_source.h"
#include "tb/replay/scenario.h"
#include "tb/replay/transmit_options.h"
#include "weir/model/clocked/mac_10g.h"

namespace weir::tb {

namespace {

/// Edges after reset before cycle 0.
constexpr std::int64_t idle_edges = 40;
/// Destination, source and type: what is shown of a data frame.
constexpr unsigned shown_octets = 14;

struct request_change {
    std::uint64_t cycle = 0;
    class_mask request = 0;
};

struct mac_scenario {
    scenario base;
    mac_10g_config config;
    std::vector<request_change> changes;
    std::vector<offered_frame> frames;
};

/// `cycle:number[:number]`, each after a colon in its range.
std::optional<std::vector<std::uint64_t>> parse_item(const std::string& item,
                                                     const std::vector<std::uint64_t>& highest) {
    std::vector<std::uint64_t> numbers;
    std::size_t from = 0;
    while (from <= item.size()) {
        const std::size_t colon = std::min(item.find(':', from), item.size());
        const auto number = parse_whole_number(item.substr(from, colon - from));
        if (!number || numbers.size() == highest.size() || *number > highest[numbers.size()]) {
            return std::nullopt;
        }
        numbers.push_back(*number);
        from = colon + 1;
    }
    return numbers.size() == highest.size() ? std::optional(numbers) : std::nullopt;
}

/// Items with blanks between. Reports what is no item; `allowed` says what one is.
std::vector<std::vector<std::uint64_t>> read_items(csv_file& file, std::size_t column,
                                                   const std::vector<std::uint64_t>& highest,
                                                   const std::string& allowed) {
    std::vector<std::vector<std::uint64_t>> items;
    for (const std::string& word : file.words(column)) {
        if (const auto item = parse_item(word, highest)) {
            items.push_back(*item);
        } else {
            file.refuse(column, "'" + word + "' is not a " + allowed);
            return {};
        }
    }
    std::stable_sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a[0] < b[0]; });
    return items;
}

std::vector<mac_scenario> read_scenarios(replay_job& job) {
    scenario_file list(job.text("scenarios"), job.errors());
    csv_file& file = list.file();
    const pause_time_columns times(file);
    const std::size_t controls = file.column("controls(cycle:tx_pfc_req)");
    const std::size_t data = file.column("data_frames(offer_cycle:nbytes:id)");
    std::vector<mac_scenario> scenarios;
    while (list.next()) {
        mac_scenario s{list.current(), {}, {}, {}};
        s.config.transmit = transmit_config_of(job);
        s.config.transmit.quanta_step = s.config.receive.quanta_step = s.base.quanta_step;
        s.config.wire.data_width = s.base.data_width;
        s.config.wire.idle_octets = static_cast<unsigned>(job.number("idle-octets"));
        s.config.wire.minimum_frame = static_cast<unsigned>(job.number("minimum-frame"));
        s.config.wire.deficit_idle_count = job.text("deficit-idle") == "on";
        // Not given, it is 0: what the data width says.
        s.config.receive_latency = cycles{static_cast<std::int64_t>(job.number("receive-latency"))};
        list.check_data_width({32, 64});
        times.read(file, s.config.transmit);
        for (const auto& item :
             read_items(file, controls, {most_cycles, 0xFF},
                        "request; expected cycle:vector, such as 20:0x08, separated by blanks")) {
            s.changes.push_back({item[0], static_cast<class_mask>(item[1])});
        }
        const auto frames =
            read_items(file, data, {most_cycles, most_frame_octets, ~std::uint32_t{0}},
                       "frame; expected cycle:nbytes:id, such as 20:1514:1, separated by blanks");
        for (const auto& item : frames) {
            if (item[1] < shown_octets) {
                file.refuse(data, std::to_string(item[1]) + " octets; expected 14 to " +
                                      std::to_string(most_frame_octets));
            }
            s.frames.push_back({item[0], static_cast<unsigned>(item[1]), std::to_string(item[2])});
        }
        scenarios.push_back(std::move(s));
    }
    return scenarios;
}

/// From /S/ on: all octets of a PFC frame, the first 22 of a data frame, whose addresses are octets 02 and
/// whose octet i is otherwise id + i.
std::string octets_on_wire(const mac_10g_frame& frame, const mac_address& source, const offered_frame* data) {
    std::string text = "fb555555555555d5";
    if (frame.control) {
        const auto octets = encode_pause_frame_with_fcs(frame_kind::pfc, frame.fields, source);
        return text + octets_text(octets.data(), octets.size());
    }
    const auto id = static_cast<unsigned>(*parse_whole_number(data->id));
    for (unsigned i = 0; i < shown_octets; ++i) {
        text += hex_text(i < 12 ? 0x02 : (id + i) & 0xFF, 2).substr(2);
    }
    return text;
}

/// One scenario, edge by edge.
class mac_replay {
 public:
    static constexpr const char* header =
        "config,scenario,type,start_cycle,start_lane,term_cycle,term_lane,start_ns,nbytes_incl_preamble,"
        "hex_from_S_to_FCS(pfc)_or_first22(data)\n";

    mac_replay(const mac_scenario& s, const replay_job& job, std::string& frames, std::string& events)
        : m_scenario(s),
          m_source_address(source_address_of(job)),
          m_mac(s.config, -idle_edges),
          m_source(s.frames, s.base.data_width),
          m_frames(frames),
          m_events(events, s.base) {}

    void run() {
        while (m_mac.cycle() < 0) {
            m_mac.clock({});
        }
        auto change = m_scenario.changes.begin();
        mac_10g_inputs in;
        for (std::uint64_t cycle = 0; cycle <= m_scenario.base.end_cycle; ++cycle) {
            for (; change != m_scenario.changes.end() && change->cycle == cycle; ++change) {
                in.request = change->request;
                m_events.write(cycle, "in.tx_pfc_req", hex_text(in.request, 2));
            }
            m_source.advance(cycle);
            const bool accepted = m_source.valid() && m_mac.accepts_data();
            if (accepted && m_source.first()) {
                m_events.write(cycle, "tx_axis_first_beat.frame", m_source.frame().id);
            }
            note_received(cycle);
            in.data_valid = m_source.valid();
            in.data_last = m_source.last();
            in.data_octets = in.data_valid ? m_source.octets() : 0;
            in.data_tag = static_cast<std::uint32_t>(m_source.number());
            m_mac.clock(in);
            if (m_mac.sent() != nullptr) {
                m_on_wire.push_back(*m_mac.sent());
                m_mac.receive(*m_mac.sent());
            }
            write_ended(cycle);
            if (accepted) {
                m_source.take();
            }
        }
    }

 private:
    void note_received(std::uint64_t cycle) {
        const pfc_receive_outputs& out = m_mac.receive_outputs();
        if (m_mac.received_last_beat()) {
            m_events.write(cycle, "rx_axis_tlast.tuser", m_mac.received_control() ? "1" : "0");
        }
        m_events.write_mask(cycle, "stat_rx_pfc_xoff", out.xoff);
        m_events.write_mask(cycle, "stat_rx_pfc_xon", out.xon);
        m_events.write_changes(cycle, "rx_pfc_req", m_request, out.request);
        m_request = out.request;
    }
    /// A frame is written when its /T/ has been seen.
    void write_ended(std::uint64_t cycle) {
        while (!m_on_wire.empty() && m_on_wire.front().place.term_cycle <= static_cast<std::int64_t>(cycle)) {
            const mac_10g_frame frame = m_on_wire.front();
            m_on_wire.erase(m_on_wire.begin());
            const auto start = static_cast<std::uint64_t>(frame.place.start_cycle);
            m_frames += m_line.add_name(m_scenario.base.key.first)
                            .add_name(m_scenario.base.key.second)
                            .add_name(frame.control ? "pfc" : "data")
                            .add(start)
                            .add(frame.place.start_lane)
                            .add(static_cast<std::uint64_t>(frame.place.term_cycle))
                            .add(frame.place.term_lane)
                            .add_name(cycle_ns_text(start, m_scenario.base.clock_period))
                            .add(frame.place.octets)
                            .add_name(octets_on_wire(frame, m_source_address,
                                                     frame.control ? nullptr : &m_scenario.frames[frame.tag]))
                            .end();
            check_length(m_frames, m_scenario.base, cycle);
        }
    }

    const mac_scenario& m_scenario;
    mac_address m_source_address;
    mac_10g m_mac;
    frame_source m_source;
    std::string& m_frames;
    event_writer m_events;
    csv_line m_line;
    class_mask m_request = 0;
    /// Sent, and not yet at their end.
    std::vector<mac_10g_frame> m_on_wire;
};

void run_mac10g(replay_job& job) {
    check_transmit_options(job);
    const std::vector<mac_scenario> scenarios = read_scenarios(job);
    if (!job.errors().empty()) {
        return;
    }
    std::string& frames = job.output("out-frames");
    std::string& events = job.output("out-events");
    frames = mac_replay::header;
    events = event_writer::header;
    for (const mac_scenario& s : scenarios) {
        mac_replay(s, job, frames, events).run();
    }
}

}  // namespace

replay_block mac10g_replay() {
    const char* const source = "verilog-ethernet, eth_mac_10g";
    std::vector<replay_option> options{
        input_option(
            "scenarios",
            "Columns config, scenario, data_width_bits (32, 64), clk_period_ps, end_cycle, controls "
            "(cycle:vector ...), data_frames (offer_cycle:nbytes:id ...), quanta_k0..k7 and refresh_k0..k7 "
            "(eight times with blanks between)."),
        output_option("out-frames",
                      "Every frame on XGMII: config, scenario, type, cycle and lane of /S/ and of /T/, time, "
                      "nbytes_incl_preamble, octets (all of a PFC frame, the first 22 of others)."),
        output_option("out-events", "config, scenario, cycle, time_ns, signal, value."),
        derived_number(
            "receive-latency", 1, 1'000'000,
            "Cycles from a word on XGMII to the same word out of the receiver. Default: 4 with 32 bits, 3 "
            "with 64.",
            source),
        number_option("idle-octets", 12, 12, 255, "Least distance from /T/ to the next /S/.", source),
        number_option("minimum-frame", 64, 64, 255, "Octets with FCS that shorter frames are padded to.",
                      source),
        word_option("deficit-idle", {"on", "off"},
                    "Rule for inter-frame gaps: correct on average, or never too short.", source)};
    const std::vector<replay_option> more = transmit_options();
    options.insert(options.end(), more.begin(), more.end());
    return {
        "mac10g",
        "a 10G MAC with PFC, modelled down to XGMII lanes, with its transmitter looped back to its receiver",
        "Times are clock cycles; a value at cycle n is what the n-th edge samples. From a request on an idle\n"
        "link to the far end's pause: 28 cycles with 32 bits, 19 with 64.\n",
        options, run_mac10g};
}

}  // namespace weir::tb
