#include "weir/traffic/transport_config.h"

#include <string>

#include "weir/base/unit_text.h"
#include "weir/traffic/transport_context.h"

namespace weir {

namespace {

std::string text_of(std::uint32_t value) {
    return std::to_string(value);
}
template <class Value>
std::string text_of(Value value) {
    return to_text(value);
}

/// Collects the violations of one block's ranges.
class range_check {
 public:
    explicit range_check(const char* block) : m_block(block) {}

    template <class Value>
    void between(const char* field, Value value, Value low, Value high) {
        if (value < low || value > high) {
            fail(field, value, text_of(low) + " to " + text_of(high));
        }
    }
    template <class Value>
    void at_least(const char* field, Value value, Value low, const char* why) {
        if (value < low) {
            fail(field, value, "at least " + text_of(low) + why);
        }
    }
    config_errors errors() && { return std::move(m_errors); }

 private:
    template <class Value>
    void fail(const char* field, Value value, const std::string& allowed) {
        m_errors.push_back({"", 0, std::string(m_block) + "." + field,
                            "'" + text_of(value) + "' is out of range; allowed: " + allowed});
    }
    const char* m_block;
    config_errors m_errors;
};

}  // namespace

config_errors tcp_config::validate() const {
    range_check check("tcp");
    check.between("mss", mss, 1_B, 9'146_B);
    check.between("header", header, 58_B, 128_B);
    check.at_least("min_rto", min_rto, 1_ps, "");
    check.at_least("initial_rto", initial_rto, min_rto, " (min_rto)");
    check.at_least("max_rto", max_rto, initial_rto, " (initial_rto)");
    check.between<picoseconds>("max_rto", max_rto, 1_ps, 1h);
    check.between<picoseconds>("rto_granularity", rto_granularity, 0_ps, 1s);
    check.between<std::uint32_t>("initial_window", initial_window, 1, 65'535);
    check.at_least("receive_window", receive_window, mss, " (mss)");
    check.between("receive_window", receive_window, 1_B, 1_MiB * 1024);
    check.between<std::uint32_t>("ack_every", ack_every, 1, 2);
    check.between<picoseconds>("delayed_ack_timeout", delayed_ack_timeout, 1_ps, 500ms);
    return std::move(check).errors();
}

config_errors udp_config::validate() const {
    range_check check("udp");
    check.between("payload", payload, 1_B, 9'158_B);
    check.between("header", header, 46_B, 128_B);
    return std::move(check).errors();
}

tcp_constants::tcp_constants(const tcp_config& config)
    : mss(static_cast<std::uint64_t>(config.mss.count())),
      receive_window(static_cast<std::uint64_t>(config.receive_window.count())),
      initial_window(mss * config.initial_window),
      header(static_cast<std::uint32_t>(config.header.count())),
      full_frame(frame_length(header, mss)),
      empty_frame(frame_length(header, 0)),
      duplicate_acks(config.duplicate_acks),
      ack_every(config.ack_every),
      min_rto(config.min_rto),
      initial_rto(config.initial_rto),
      max_rto(config.max_rto),
      rto_granularity(config.rto_granularity),
      delayed_ack_timeout(config.delayed_ack_timeout),
      handshake(config.handshake) {}

}  // namespace weir
