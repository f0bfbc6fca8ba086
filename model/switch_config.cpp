#include "weir/model/switch_config.h"

#include <string>

#include "weir/base/unit_text.h"

namespace weir {

namespace {

std::string text_of(std::uint32_t value) {
    return std::to_string(value);
}
std::string text_of(pause_quanta value) {
    return std::to_string(value.count());
}
/// Without the zeros that std::to_string appends.
std::string text_of(double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    return text.back() == '.' ? text.substr(0, text.size() - 1) : text;
}
template <class Quantity>
std::string text_of(Quantity value) {
    return to_text(value);
}

/// Collects violations: `'17' is out of range; allowed: 1 to 16`.
class range_check {
 public:
    explicit range_check(const char* block) : m_block(block) {}

    template <class T>
    bool between(const char* field, T value, T low, T high) {
        return require(low <= value && value <= high, field, value, text_of(low) + " to " + text_of(high));
    }
    template <class T>
    bool at_least(const char* field, T value, T low, const std::string& why = {}) {
        return require(value >= low, field, value, "at least " + text_of(low) + why);
    }
    template <class T>
    bool require(bool holds, const char* field, T value, const std::string& allowed) {
        if (!holds) {
            fail(field, "'" + text_of(value) + "' is out of range; allowed: " + allowed);
        }
        return holds;
    }
    void fail(const char* field, const std::string& message) {
        m_errors.push_back({"", 0, m_block + "." + field, message});
    }
    void add(const config_errors& errors) { m_errors.insert(m_errors.end(), errors.begin(), errors.end()); }
    config_errors take() { return std::move(m_errors); }

 private:
    std::string m_block;
    config_errors m_errors;
};

constexpr picoseconds no_time{0};
/// So that occupancies fit 32 bits.
constexpr bytes largest_memory = 1_MiB * 1024;

/// Packet memory that a frame of `length` occupies.
bytes occupied(bytes length, bytes memory_cell) {
    return memory_cell > 0_B ? memory_cell * cells_of(length, memory_cell).count() : length;
}

void check_memory(range_check& check, const switch_config& device) {
    const bool cell_fits = check.between("memory_cell", device.memory_cell, 0_B, 65'535_B);
    const bool frame_fits = check.between("max_frame", device.max_frame, 64_B, 65'535_B);
    const bytes frame = cell_fits && frame_fits ? occupied(device.max_frame, device.memory_cell) : 64_B;
    const std::string why = device.memory_cell > 0_B
                                ? " (switch.max_frame in whole cells of switch.memory_cell)"
                                : " (switch.max_frame)";
    check.at_least("ingress_buffer", device.ingress_buffer, frame, why);
    check.require(device.ingress_buffer <= largest_memory, "ingress_buffer", device.ingress_buffer,
                  "at most " + to_text(largest_memory));
    const bool whole_frame = check.at_least("egress_buffer", device.egress_buffer, frame, why);
    check.require(device.egress_buffer <= largest_memory, "egress_buffer", device.egress_buffer,
                  "at most " + to_text(largest_memory));
    const bool alpha = check.require(0 < device.share_alpha && device.share_alpha <= 64, "share_alpha",
                                     device.share_alpha, "above 0, at most 64");
    if (!whole_frame || device.classes < 2 || device.classes > pfc_classes) {
        return;
    }
    if (device.share == egress_share::fixed) {
        check.at_least("egress_buffer", device.egress_buffer, frame * device.classes,
                       " (switch.max_frame for each of switch.classes, with switch.share = fixed)");
    }
    const double share = device.share_alpha * static_cast<double>(device.egress_buffer.count());
    if (device.share == egress_share::dynamic && alpha && share < static_cast<double>(frame.count())) {
        check.fail("share_alpha", "'" + text_of(device.share_alpha) + "' of switch.egress_buffer (" +
                                      to_text(device.egress_buffer) + ") holds no frame of switch.max_frame (" +
                                      to_text(device.max_frame) + "); allowed: a share that does");
    }
}

void check_thresholds(range_check& check, const switch_config& device) {
    const std::vector<bytes>& thresholds = device.balance_thresholds;
    if (thresholds.empty() && device.balance == balance_policy::adaptive) {
        check.fail("balance_thresholds",
                   "'' is empty; allowed: at least one threshold with switch.balance = adaptive");
    }
    for (std::size_t i = 0; i < thresholds.size(); ++i) {
        if (thresholds[i] < 1_B || (i > 0 && thresholds[i] <= thresholds[i - 1])) {
            check.fail("balance_thresholds", "'" + to_text(thresholds[i]) + "' is not above " +
                                                 to_text(i > 0 ? thresholds[i - 1] : 0_B) +
                                                 "; allowed: ascending thresholds of at least 1B");
            return;
        }
    }
}

}  // namespace

scheduler_config switch_config::egress_scheduler() const {
    scheduler_config config;
    config.algorithm = scheduler;
    config.weights = weights;
    return config;
}

config_errors switch_config::validate() const {
    range_check check("switch");
    check_memory(check, *this);
    check.between<picoseconds>("lookup_delay", lookup_delay, no_time, 1s);
    check.between<picoseconds>("lookup_interval", lookup_interval, no_time, 1s);
    check.between<std::uint32_t>("tcam_entries", tcam_entries, 1, 16'777'216);
    check.between<std::uint32_t>("speedup", speedup, 1, 16);
    check.between<std::uint32_t>("iterations", iterations, 0, 256);
    check.between("cell", cell, 16_B, 4096_B);
    check_thresholds(check, *this);
    check.between<std::uint32_t>("classes", classes, 1, pfc_classes);
    check.add(egress_scheduler().validate("switch"));
    return check.take();
}

config_errors pfc_config::validate(const switch_config& device) const {
    range_check check("pfc");
    check.between("quanta", quanta, pause_quanta{1}, pause_quanta{65'535});
    check.require(0 < refresh && refresh < 1, "refresh", refresh, "above 0, below 1");
    if (response) {
        check.between<picoseconds>("response", *response, no_time, 1s);
    }
    const bytes memory = device.ingress_buffer;
    bool reserve_fits = true;
    if (reserve) {
        reserve_fits = check.at_least("reserve", *reserve, 0_B);
        const std::int64_t classes = mode == flow_control_mode::pause ? 1 : device.classes;
        if (reserve_fits && mode != flow_control_mode::none && *reserve * classes >= memory) {
            reserve_fits = false;
            check.fail("reserve", "'" + to_text(*reserve) + "' for each of " + std::to_string(classes) +
                                      " lossless classes leaves nothing of switch.ingress_buffer (" +
                                      to_text(memory) + "); allowed: less than " + to_text(memory) + " in all");
        }
    }
    bool xoff_fits = true;
    if (xoff) {
        const bytes kept = reserve && reserve_fits ? *reserve : 0_B;
        const bytes most = memory > kept ? memory - kept : 0_B;
        xoff_fits = check.require(
            1_B <= *xoff && *xoff <= most, "xoff", *xoff,
            "1B to " + to_text(most) + " (switch.ingress_buffer" + (reserve ? " less pfc.reserve)" : ")"));
    }
    if (xon) {
        check.at_least("xon", *xon, 0_B);
        if (xoff && xoff_fits) {
            check.require(*xon <= *xoff, "xon", *xon, "at most pfc.xoff (" + to_text(*xoff) + ")");
        } else if (!xoff) {
            check.require(*xon <= memory, "xon", *xon,
                          "at most switch.ingress_buffer (" + to_text(memory) + ")");
        }
    }
    return check.take();
}

config_errors link_config::validate() const {
    range_check check("link");
    check.between("rate", rate, 1_Mbps, 10'000_Gbps);
    // The lookahead of a fabric is its smallest latency.
    check.between<picoseconds>("latency", latency, 1_ps, 1s);
    check.between("wire_overhead", wire_overhead, 0_B, 1000_B);
    return check.take();
}

config_errors host_config::validate() const {
    range_check check("host");
    check.between<picoseconds>("stack_out", stack_out, no_time, 1s);
    check.between<picoseconds>("stack_in", stack_in, no_time, 1s);
    check.between("nic_buffer", nic_buffer, 0_B, largest_memory);
    return check.take();
}

}  // namespace weir
