#include "tb/headroom/verify.h"

#include <algorithm>
#include <cmath>

#include "tb/headroom/attack_search.h"
#include "weir/base/unit_text.h"

namespace weir {

namespace {

using namespace pfc_attack;

/// Frames of all attacks of a search, unless it is told.
constexpr std::int64_t frames_of_search = 4'000'000;

bytes memory_bound(const pfc_setting& setting) {
    const bytes wire = setting.terms().total_bytes();
    if (setting.cell() == 0_B) {
        return wire;
    }
    const crowded_length crowded =
        most_crowded(64_B, setting.lossless_frame(), setting.parameters.wire_overhead, setting.cell());
    const exact_bytes memory = crowded.memory_per_wire_byte * wire.count();
    const auto whole = static_cast<std::int64_t>(numerator(memory) / denominator(memory));
    return memory_of(bytes{whole + 1}, setting.cell());
}

class verifier {
 public:
    verifier(const headroom_budget& budget, const verify_config& config)
        : m_budget(budget),
          m_config(config),
          m_setting(setting_of(budget)),
          m_made(compute_attack(m_setting, 1)) {}

    headroom_verdict run() {
        m_verdict.bound = memory_bound(m_setting);
        keep(m_verdict.bound + memory_of(m_setting.parameters.device.max_frame, m_setting.cell()));
        run_computed();
        search();
        m_verdict.needed = std::max(m_verdict.computed, m_verdict.searched);
        if (m_verdict.needed > m_verdict.bound) {
            contradict("more than the bound arrived");
        }
        m_verdict.headroom_loses = loses_with(attacked_headroom(m_budget));
        m_verdict.needed_loses = loses_with(m_verdict.needed);
        m_verdict.one_byte_less_loses = loses_with(m_verdict.needed - 1_B);
        if (m_verdict.needed_loses || !m_verdict.one_byte_less_loses) {
            contradict("the first drop is not one byte below what is needed");
        }
        return m_verdict;
    }

 private:
    void contradict(const std::string& what) {
        m_verdict.contradiction = m_verdict.contradiction.empty() ? what : m_verdict.contradiction;
    }
    /// Memory for so much after XOFF.
    void keep(bytes reserve) {
        m_setting.parameters.device.ingress_buffer = m_at_xoff + reserve;
        m_setting.parameters.flow_control.reserve = std::max(reserve, 0_B);
    }

    void run_computed() {
        const results r = run_attacks(m_setting, {m_made.script}, m_made.end);
        const class_outcome& seen = r.outcomes[0].classes[0];
        m_verdict.computed = memory_after(seen);
        if (!r.violation.empty()) {
            contradict(r.violation);
        } else if (seen.xoff_at != m_made.xoff_at[0] || bytes{seen.bytes_after} != m_made.memory_after ||
                   bytes{seen.bytes_at_xoff} != m_at_xoff) {
            contradict("the computed attack took " + std::to_string(seen.bytes_after) + " B after XOFF at " +
                       to_text(seen.xoff_at) + ", computed were " +
                       std::to_string(m_made.memory_after.count()) + " B at " + to_text(m_made.xoff_at[0]));
        }
    }
    static bytes memory_after(const class_outcome& seen) { return bytes{seen.bytes_after}; }

    void search() {
        attack_search tries(m_setting, m_config.seed);
        const std::int64_t affordable = frames_of_search / tries.frames_per_case();
        const std::uint32_t cases = m_config.cases.value_or(
            affordable < 16 ? 0U : static_cast<std::uint32_t>(std::min<std::int64_t>(affordable, 2048)));
        if (cases == 0) {
            return;
        }
        const auto side = static_cast<unsigned>(std::sqrt(cases / 4.0));
        search_result found = side > 0 ? tries.grid(side, side) : search_result{};
        found.merge(tries.random(std::max(1U, cases / 4)));
        found = tries.climb(found, 16, std::max(1U, cases / 32));
        m_verdict.cases = found.cases;
        if (!found.violation.empty()) {
            contradict(found.violation);
        }
        const attack best = tries.script_of(found.best);
        const results again = run_attacks(m_setting, {best}, tries.end());
        m_verdict.searched = memory_after(again.outcomes[0].classes[0]);
        if (m_verdict.searched > m_verdict.computed) {
            m_made.script = best;
            m_made.end = tries.end();
            m_at_xoff = bytes{again.outcomes[0].classes[0].bytes_at_xoff};
        }
    }

    bool loses_with(bytes reserve) {
        keep(reserve);
        return !run_attacks(m_setting, {m_made.script}, m_made.end).violation.empty();
    }

    const headroom_budget& m_budget;
    verify_config m_config;
    pfc_setting m_setting;
    /// The worst attack so far, and the memory in use when it makes the switch send XOFF.
    computed_attack m_made;
    bytes m_at_xoff = m_made.memory_at_xoff;
    headroom_verdict m_verdict;
};

}  // namespace

pfc_setting setting_of(const headroom_budget& budget) {
    const headroom_budget_config& used = budget.used;
    pfc_setting s;
    s.name = to_text(used.rate);
    s.link.rate = used.rate;
    s.link.latency = std::max(budget.link.one_way, 1_ps);
    s.largest_lossless = *used.lossless_mtu;
    s.parameters.wire_overhead = *used.wire_overhead;
    switch_config& device = s.parameters.device;
    device.max_frame = *used.port_mtu;
    device.classes = 1;
    device.memory_cell = *used.cell;
    device.share = egress_share::whole;
    device.tcam_entries = 256;
    pfc_config& pfc = s.parameters.flow_control;
    pfc.mode = flow_control_mode::pfc;
    pfc.response = budget.link.response;
    device.lookup_delay = budget.link.pipeline;
    pfc.charge = budget.link.pipeline > 0_ps ? charge_time::enqueue : charge_time::arrival;
    // High enough that frames which only pass do not reach it.
    const bytes full = memory_of(device.max_frame, device.memory_cell);
    pfc.xoff = 4 * full + memory_of(4 * s.terms().bytes_of(device.lookup_delay), device.memory_cell);
    device.egress_buffer = 4 * full;
    device.ingress_buffer = *pfc.xoff + 2 * full;
    pfc.xon = full;
    pfc.reserve = 0_B;
    return s;
}

headroom_verdict verify_headroom(const headroom_budget& budget, const verify_config& config) {
    return verifier(budget, config).run();
}

}  // namespace weir
