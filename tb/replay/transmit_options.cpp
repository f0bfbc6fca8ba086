#include "tb/replay/transmit_options.h"

#include <algorithm>
#include <optional>
#include <string>

namespace weir::tb {

namespace {

/// `5a:51:52:53:54:55`
std::optional<mac_address> parse_address(std::string text) {
    constexpr std::size_t length = 17;
    if (text.size() != length) {
        return std::nullopt;
    }
    for (std::size_t at = 2; at < length; at += 3) {
        if (text[at] != ':') {
            return std::nullopt;
        }
    }
    text.erase(std::remove(text.begin(), text.end(), ':'), text.end());
    const auto octets = parse_octets(text);
    mac_address address{};
    if (!octets || octets->size() != address.size()) {
        return std::nullopt;
    }
    std::copy(octets->begin(), octets->end(), address.begin());
    return address;
}

cycles cycles_of(const replay_job& job, const char* option) {
    return cycles{static_cast<std::int64_t>(job.number(option))};
}

}  // namespace

std::vector<replay_option> transmit_options() {
    const char* const source = "verilog-ethernet, mac_pause_ctrl_tx and mac_ctrl_tx";
    replay_option address;
    address.name = "source-address";
    address.kind = replay_option_kind::text;
    address.doc = "Source address of PFC frames.";
    address.source = "how the goldens were made";
    address.required = false;
    address.default_text = "5a:51:52:53:54:55";
    return {
        number_option("launch-latency", 2, 2, 1'000'000,
                      "Cycles from a changed request to the launch and its stat_ pulses, idle link.", source),
        number_option("first-beat-latency", 4, 4, 1'000'000,
                      "Cycles from a changed request to the frame's first beat, idle link.", source),
        number_option("refresh-extra", 1, 1, 1'000'000,
                      "Cycles from the end of a refresh time to the frame's launch.", source),
        word_option(
            "launch-edge", {"lost", "kept"},
            "Treatment of a class whose request changes in the same cycle in which a frame is launched. lost: "
            "the enable bit is lost in this frame and the next, and the statistics contradict the frame; this "
            "is a known defect of the RTL (tx_known_rtl_defects.csv). kept: the correct behaviour.",
            source),
        address};
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

pfc_transmit_config transmit_config_of(const replay_job& job) {
    pfc_transmit_config config;
    config.launch = cycles_of(job, "launch-latency");
    config.first_beat = cycles_of(job, "first-beat-latency");
    config.refresh_extra = cycles_of(job, "refresh-extra");
    config.edge = job.text("launch-edge") == "lost" ? launch_edge::lost : launch_edge::kept;
    return config;
}

mac_address source_address_of(const replay_job& job) {
    return parse_address(job.text("source-address")).value_or(mac_address{});
}

bool pause_time_columns::read(csv_file& file, pfc_transmit_config& config) const {
    std::vector<std::uint64_t> quanta;
    std::vector<std::uint64_t> refresh;
    bool good = file.numbers(m_quanta, quanta, pfc_classes, 0xFFFF);
    good = file.numbers(m_refresh, refresh, pfc_classes, 0xFFFF) && good;
    if (good) {
        const auto narrow = [](std::uint64_t time) { return static_cast<std::uint16_t>(time); };
        std::transform(quanta.begin(), quanta.end(), config.quanta.begin(), narrow);
        std::transform(refresh.begin(), refresh.end(), config.refresh.begin(), narrow);
    }
    return good;
}

}  // namespace weir::tb
