#include "tb/verify/replay/transmitter.h"

#include <optional>
#include <string>

namespace weir::tb {

namespace {

/// `5a:51:52:53:54:55`
std::optional<mac_address> parse_address(const std::string& text) {
    mac_address address{};
    for (std::size_t octet = 0; octet < address.size(); ++octet) {
        const std::size_t at = 3 * octet;
        const bool is_divided = text.size() == 17 && (octet == 0 || text[at - 1] == ':');
        const auto read = is_divided ? parse_octets(std::string_view(text).substr(at, 2)) : std::nullopt;
        if (!read) {
            return std::nullopt;
        }
        address[octet] = read->front();
    }
    return address;
}

}  // namespace

void add_transmit_options(std::vector<replay_option>& options) {
    const char* const rtl = "verilog-ethernet, mac_pause_ctrl_tx and mac_ctrl_tx";
    options.insert(
        options.end(),
        {number_option("launch-latency", 2, 2, 1'000'000,
                       "Cycles from a changed request to the launch and its stat_ pulses, idle link.", rtl),
         number_option("first-beat-latency", 4, 4, 1'000'000,
                       "Cycles from a changed request to the frame's first beat, idle link.", rtl),
         number_option("refresh-extra", 1, 1, 1'000'000,
                       "Cycles from the end of a refresh time to the frame's launch.", rtl),
         word_option(
             "launch-edge", {"lost", "kept"},
             "Treatment of a class whose request changes in the same cycle in which a frame is launched. lost: "
             "the enable bit is lost in this frame and the next, and the statistics contradict the frame; this "
             "is a known defect of the RTL (tx_known_rtl_defects.csv). kept: the correct behaviour.",
             rtl),
         text_option("source-address", "Source address of PFC frames.", "5a:51:52:53:54:55",
                     "how the goldens were made")});
}

void check_transmit_options(replay_job& job) {
    if (job.number("first-beat-latency") < job.number("launch-latency") + 2) {
        job.errors().push_back(
            {"", 0, "--first-beat-latency",
             job.text("first-beat-latency") + "; expected at least 2 more than --launch-latency"});
    }
    if (!parse_address(job.text("source-address"))) {
        job.errors().push_back({"", 0, "--source-address",
                                "'" + job.text("source-address") +
                                    "' is not an address; expected six octets, such as 5a:51:52:53:54:55"});
    }
}

pfc_transmit_config transmit_config_of(const replay_job& job, const scenario& of, const pause_times& times) {
    pfc_transmit_config config;
    config.data_width = of.data_width;
    config.quanta_step = of.quanta_step;
    config.quanta = times.quanta;
    config.refresh = times.refresh;
    config.launch = job.cycles_of("launch-latency");
    config.first_beat = job.cycles_of("first-beat-latency");
    config.refresh_extra = job.cycles_of("refresh-extra");
    config.edge = job.text("launch-edge") == "lost" ? launch_edge::lost : launch_edge::kept;
    return config;
}

mac_address source_address_of(const replay_job& job) {
    return parse_address(job.text("source-address")).value_or(mac_address{});
}

}  // namespace weir::tb
