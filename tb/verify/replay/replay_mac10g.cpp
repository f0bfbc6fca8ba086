#include <algorithm>
#include <string>
#include <vector>

#include "tb/verify/replay/replay_blocks.h"
#include "tb/verify/replay/scenario.h"
#include "tb/verify/replay/transmitter.h"
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

/// Calls take(numbers) for each item between blanks: `cycle:number[:number]`, each number up to its `highest`.
/// False, and an error, for another text; `allowed` says what an item is.
template <std::size_t Count, class Take>
bool read_items(csv_file& file, std::size_t at, const std::array<std::uint64_t, Count>& highest,
                const char* allowed, Take take) {
    for (const std::string& word : file.words(at)) {
        std::array<std::uint64_t, Count> numbers{};
        std::size_t from = 0;
        std::size_t read = 0;
        for (; read < Count && from <= word.size(); ++read) {
            const std::size_t colon = std::min(word.find(':', from), word.size());
            const auto number = parse_whole_number(std::string_view(word).substr(from, colon - from));
            if (!number || *number > highest[read]) {
                break;
            }
            numbers[read] = *number;
            from = colon + 1;
        }
        if (read < Count || from <= word.size()) {
            file.refuse(at, "'" + word + "' is not a " + allowed);
            return false;
        }
        take(numbers);
    }
    return true;
}

bool read_cell(csv_file& file, std::size_t at, const column_facts&, std::vector<request_change>& changes) {
    const bool good = read_items<2>(file, at, {most_cycles, 0xFF},
                                    "request; expected cycle:vector, such as 20:0x08, separated by blanks",
                                    [&](const auto& item) {
                                        changes.push_back({item[0], static_cast<class_mask>(item[1])});
                                    });
    return sort_by_cycle(changes), good;
}

}  // namespace

static bool read_cell(csv_file& file, std::size_t at, const column_facts&, std::vector<offered_frame>& frames) {
    const bool good = read_items<3>(
        file, at, {most_cycles, most_frame_octets, ~std::uint32_t{0}},
        "frame; expected cycle:nbytes:id, such as 20:1514:1, separated by blanks", [&](const auto& item) {
            if (item[1] < shown_octets) {
                file.refuse(at, std::to_string(item[1]) + " octets; expected 14 to " +
                                    std::to_string(most_frame_octets));
            }
            frames.push_back({item[0], static_cast<unsigned>(item[1]), std::to_string(item[2])});
        });
    return sort_by_cycle(frames), good;
}

namespace {

struct mac_scenario : scenario, pause_times {
    std::vector<request_change> changes;
    std::vector<offered_frame> frames;

    template <class Columns>
    static void describe(Columns& columns) {
        scenario::describe(columns);
        pause_times::describe(columns);
        columns(column("controls(cycle:tx_pfc_req)", &mac_scenario::changes, "requests, with blanks between"));
        columns(
            column("data_frames(offer_cycle:nbytes:id)", &mac_scenario::frames, "frames, with blanks between"));
    }
};

mac_10g_config mac_config_of(const mac_scenario& s, const replay_job& job) {
    mac_10g_config config;
    config.transmit = transmit_config_of(job, s, s);
    config.receive.quanta_step = s.quanta_step;
    config.wire.data_width = s.data_width;
    config.wire.idle_octets = static_cast<unsigned>(job.number("idle-octets"));
    config.wire.minimum_frame = static_cast<unsigned>(job.number("minimum-frame"));
    config.wire.deficit_idle_count = job.text("deficit-idle") == "on";
    // Not given, it is 0: what the data width says.
    config.receive_latency = job.cycles_of("receive-latency");
    return config;
}

constexpr auto mac_frame_columns = with_more(
    scenario_columns, cell<const char*>("type"), cell<std::uint64_t>("start_cycle"),
    cell<std::uint64_t>("start_lane"), cell<std::uint64_t>("term_cycle"), cell<std::uint64_t>("term_lane"),
    cell<std::string>("start_ns"), cell<std::uint64_t>("nbytes_incl_preamble"),
    cell<std::string>("hex_from_S_to_FCS(pfc)_or_first22(data)", "all octets of a PFC frame, else 22"));
using mac_frame = row_of<mac_frame_columns>;

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
    mac_replay(const mac_scenario& s, const replay_job& job, replay_table<mac_frame>& frames,
               replay_table<signal_row>& events)
        : m_scenario(s),
          m_source_address(source_address_of(job)),
          m_mac(mac_config_of(s, job), -idle_edges),
          m_source(s.frames, s.data_width),
          m_frames(frames),
          m_events(events, s) {}

    void run() {
        while (m_mac.cycle() < 0) {
            m_mac.clock({});
        }
        auto change = m_scenario.changes.begin();
        mac_10g_inputs in;
        for (std::uint64_t cycle = 0; cycle <= m_scenario.end_cycle; ++cycle) {
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
            write_row(m_frames, m_scenario, cycle, frame.control ? "pfc" : "data", start,
                      frame.place.start_lane, static_cast<std::uint64_t>(frame.place.term_cycle),
                      frame.place.term_lane, cycle_ns_text(start, m_scenario.clock_period), frame.place.octets,
                      octets_on_wire(frame, m_source_address,
                                     frame.control ? nullptr : &m_scenario.frames[frame.tag]));
        }
    }

    const mac_scenario& m_scenario;
    mac_address m_source_address;
    mac_10g m_mac;
    frame_source m_source;
    replay_table<mac_frame>& m_frames;
    event_writer m_events;
    class_mask m_request = 0;
    /// Sent, and not yet at their end.
    std::vector<mac_10g_frame> m_on_wire;
};

void run_mac10g(replay_job& job) {
    check_transmit_options(job);
    scenario_list<mac_scenario> scenarios(job, {32, 64});
    if (!job.errors().empty()) {
        return;
    }
    auto frames = job.table<mac_frame>("out-frames");
    auto events = job.table<signal_row>("out-events");
    for (const mac_scenario& s : scenarios) {
        mac_replay(s, job, frames, events).run();
    }
}

}  // namespace

replay_block mac10g_replay() {
    const char* const rtl = "verilog-ethernet, eth_mac_10g";
    std::vector<replay_option> options{
        input_option("scenarios", "The scenarios, with requests and data frames.").table<mac_scenario>(),
        output_option("out-frames", "Every frame on XGMII.").table<mac_frame>(),
        output_option("out-events", "Requests, beats and what the receiver says.").table<signal_row>(),
        plain_number(
            "receive-latency", 1, 1'000'000,
            "Cycles from a word on XGMII to the same word out of the receiver. Default: 4 with 32 bits, 3 "
            "with 64.",
            rtl)
            .optional(),
        number_option("idle-octets", 12, 12, 255, "Least distance from /T/ to the next /S/.", rtl),
        number_option("minimum-frame", 64, 64, 255, "Octets with FCS that shorter frames are padded to.", rtl),
        word_option("deficit-idle", {"on", "off"},
                    "Rule for inter-frame gaps: correct on average, or never too short.", rtl)};
    add_transmit_options(options);
    return {
        "mac10g",
        "a 10G MAC with PFC, modelled down to XGMII lanes, with its transmitter looped back to its receiver",
        "Times are clock cycles; a value at cycle n is what the n-th edge samples. From a request on an idle\n"
        "link to the far end's pause: 28 cycles with 32 bits, 19 with 64.\n",
        options, run_mac10g};
}

}  // namespace weir::tb
