#include "weir/traffic/roce/rate_controls.h"

#include "weir/traffic/roce/dcqcn.h"
#include "weir/traffic/roce/dcqcn_mellanox.h"

namespace weir::traffic {

namespace {

/// The link's rate, whatever comes.
class line_rate final : public rate_control {
 public:
    explicit line_rate(bit_rate line) : m_line(line) {}

    std::size_t state_bytes() const override { return sizeof(rate_state); }
    void open(rate_state& s) const override { s = {m_line, never}; }
    void on_notification(rate_state&, picoseconds) const override {}
    void on_sent(rate_state&, std::uint64_t) const override {}
    void advance(rate_state&, picoseconds) const override {}
    bool heeds_marks() const override { return false; }

 private:
    bit_rate m_line;
};

template <class Rule>
std::unique_ptr<const rate_control> make(const roce_config& config, bit_rate line) {
    return std::make_unique<const Rule>(config.dcqcn, line);
}

}  // namespace

registry<rate_control_kind, rate_control_maker>& rate_controls() {
    static registry<rate_control_kind, rate_control_maker> list{
        {"dcqcn", "DCQCN as in its paper: each CNP cuts; a timer and a byte counter increase", make<dcqcn>},
        {"dcqcn_mellanox", "DCQCN of Mellanox's adapters, as HPCC's simulator has it: cuts at clock ticks",
         make<dcqcn_mellanox>},
        {"none", "the link's rate; marks are ignored",
         [](const roce_config&, bit_rate line) { return std::make_unique<const line_rate>(line); }},
    };
    return list;
}

}  // namespace weir::traffic
