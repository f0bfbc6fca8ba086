#include "tb/asic/headroom/verify.h"

#include <algorithm>
#include <cmath>

#include "tb/asic/headroom/attack_search.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

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
    verifier(const headroom_budget& budget, const verify_config& config,
             const std::function<void(std::size_t)>& told)
        : m_budget(budget),
          m_config(config),
          m_told(told),
          m_setting(setting_of(budget, config)),
          m_made(compute_attack(m_setting, m_setting.attacked_classes())) {
        m_verdict.attack = config;
        m_verdict.less = m_setting.is_shared() ? std::max(m_setting.cell(), 1_B) : 1_B;
        for (const bytes b : m_made.memory_at_xoff) {
            m_at_xoff += b;
        }
    }

    headroom_verdict run() {
        const bytes crossing = memory_of(m_setting.lossless_frame(), m_setting.cell());
        m_verdict.bound = memory_bound(m_setting) + (m_setting.full_pool ? crossing : 0_B);
        keep(m_verdict.bound + memory_of(m_setting.parameters.device.max_frame, m_setting.cell()));
        run_computed();
        search();
        if (m_verdict.needed > m_verdict.bound) {
            contradict("frames took more memory than the upper bound");
        }
        keep(m_verdict.headroom(m_budget));
        m_verdict.headroom_loses = loses();
        keep(m_verdict.needed, m_verdict.needed_at_once);
        m_verdict.needed_loses = loses();
        const bool one = m_config.memory != attacked_memory::shared;
        keep(m_verdict.needed - (one ? 0_B : m_verdict.less), m_verdict.needed_at_once - m_verdict.less);
        m_verdict.less_loses = loses();
        if (m_verdict.needed_loses || !m_verdict.less_loses) {
            contradict(std::string("the first drop does not occur at one ") +
                       (m_verdict.less > 1_B ? "cell" : "byte") + " less than the headroom needed");
        }
        return m_verdict;
    }

 private:
    void contradict(const std::string& what) {
        m_verdict.contradiction = m_verdict.contradiction.empty() ? what : m_verdict.contradiction;
    }
    /// Memory for `each` group after its XOFF, or, where they share it, for `all` of them.
    void keep(bytes each, bytes all) {
        if (!m_setting.is_shared()) {
            m_setting.parameters.device.ingress_buffer = m_at_xoff + all;
            m_setting.parameters.flow_control.reserve = std::max(each, 0_B);
            return;
        }
        shared_buffer_config& shared = m_setting.parameters.shared;
        shared.headroom = each;
        shared.headroom_pool.reset();
        const std::int64_t groups = m_setting.attacked_classes() * (2 * std::int64_t{m_config.ports} + 1);
        bytes kept = memory_of(each, m_setting.cell()) * groups;
        if (m_config.memory == attacked_memory::headroom_pool) {
            kept = all;
            shared.headroom_pool = all;
        }
        shared.memory = kept + *shared.lossless_pool + *shared.lossy_pool +
                        m_setting.reverse_minimum * static_cast<std::int64_t>(m_config.ports);
    }
    void keep(bytes each) { keep(each, each * static_cast<std::int64_t>(m_setting.groups())); }

    /// The groups' memory after XOFF: the most of one, and of all.
    struct taken {
        bytes most{0};
        bytes all{0};
        bytes at_xoff{0};
    };
    taken taken_of(const outcome& o) const {
        taken sum;
        for (unsigned g = 0; g < m_setting.groups(); ++g) {
            sum.most = std::max(sum.most, bytes{o.classes[g].bytes_after});
            sum.all += bytes{o.classes[g].bytes_after};
            sum.at_xoff += bytes{o.classes[g].bytes_at_xoff};
        }
        return sum;
    }

    void run_computed() {
        const results r = run_attacks(m_setting, {m_made.script}, m_made.end);
        const outcome& o = r.outcomes[0];
        const taken sum = taken_of(o);
        m_verdict.computed = m_verdict.needed = sum.most;
        m_verdict.needed_at_once = sum.all;
        if (!r.violation.empty()) {
            contradict(r.violation);
        }
        for (unsigned g = 0; g < m_setting.groups(); ++g) {
            const class_outcome& seen = o.classes[g];
            if (seen.xoff_at != m_made.xoff_at[g] || bytes{seen.bytes_after} != m_made.memory_after[g] ||
                bytes{seen.bytes_at_xoff} != m_made.memory_at_xoff[g]) {
                contradict("the computed attack took " + std::to_string(seen.bytes_after) +
                           " B after XOFF in group " + std::to_string(g) + " at " + to_text(seen.xoff_at) +
                           ", but the computation gave " + std::to_string(m_made.memory_after[g].count()) +
                           " B at " + to_text(m_made.xoff_at[g]));
            }
        }
    }

    void search() {
        attack_search tries(m_setting, m_config.seed);
        tries.watch(m_told);
        const std::int64_t affordable = frames_of_search / tries.frames_per_case();
        const std::uint32_t cases = m_config.cases.value_or(
            affordable < 16 ? 0U : static_cast<std::uint32_t>(std::min<std::int64_t>(affordable, 2048)));
        if (cases == 0) {
            return;
        }
        const auto side = static_cast<unsigned>(std::sqrt(cases / 4.0));
        search_result found = side > 0 ? tries.grid(side, side) : search_result{};
        found.merge(tries.random(std::max(1U, cases / 4)));
        found = tries.sweep(found, std::max(8U, cases / 64));
        found = tries.climb(found, 16, std::max(1U, cases / 32));
        m_verdict.cases = found.cases;
        if (!found.violation.empty()) {
            contradict(found.violation);
        }
        const attack best = tries.script_of(found.best);
        const taken sum = taken_of(run_attacks(m_setting, {best}, tries.end()).outcomes[0]);
        m_verdict.searched = sum.most;
        if (sum.all > m_verdict.needed_at_once) {
            contradict("the search found " + std::to_string((sum.all - m_verdict.needed_at_once).count()) +
                       " B more than the computed attack");
            m_verdict.needed = sum.most;
            m_verdict.needed_at_once = sum.all;
            m_made.script = best;
            m_made.end = tries.end();
            m_at_xoff = sum.at_xoff;
        }
    }

    bool loses() const { return !run_attacks(m_setting, {m_made.script}, m_made.end).violation.empty(); }

    const headroom_budget& m_budget;
    verify_config m_config;
    std::function<void(std::size_t)> m_told;
    pfc_setting m_setting;
    /// The worst attack so far, and the memory in use when it makes the switch send XOFF, all groups together.
    computed_attack m_made;
    bytes m_at_xoff{0};
    headroom_verdict m_verdict;
};

/// A shared memory whose pool has room for all frames that meet a threshold, or (`full_pool`) for none.
void add_shared_memory(pfc_setting& s, const headroom_budget& budget) {
    const bytes full = memory_of(s.parameters.device.max_frame, s.cell());
    const bytes crossing = memory_of(s.lossless_frame(), s.cell());
    s.parameters.flow_control.charge = charge_time::enqueue;
    shared_buffer_config& shared = s.parameters.shared;
    s.parameters.device.buffer = named<buffer_kind>("shared");
    shared.lossless_classes.emplace();
    for (unsigned c = 0; c < s.parameters.device.classes; ++c) {
        shared.lossless_classes->push_back(c);
    }
    const bytes reverse = 8 * full;
    if (s.parameters.device.classes < pfc_classes) {
        s.parameters.device.classes += 1;
        shared.lossy_pool = reverse * s.attacked_ports;
    } else {
        s.reverse_minimum = reverse;
        shared.lossy_pool = 0_B;
    }
    shared.lossy_alpha = shared.queue_alpha = shared_buffer_config::alpha_range.high;
    s.full_pool = budget.used.full_pool;
    if (s.full_pool) {
        // Large, so that others may fill it to the last cell, and no group is paused before it has something.
        shared.alpha = shared_buffer_config::alpha_range.high;
        shared.lossless_pool = 4 * crossing;
        return;
    }
    // Small, so that many groups meet their thresholds one after another with the most of the pool free.
    shared.alpha = 1.0 / 64;
    for (shared.lossless_pool = 128 * full; memory_of_frames(up_to_thresholds(s).back(), s.cell()) < 4 * full;
         shared.lossless_pool = 2 * *shared.lossless_pool) {
    }
}

}  // namespace

config_errors verify_config::validate(const headroom_budget& budget) const {
    range_check check = check_ranges(*this, "headroom");
    if (memory == attacked_memory::port) {
        check.require(ports == 1, "attacked_ports", ports,
                      "1 for a port's own memory, or {attacked_memory} = shared or headroom_pool");
        return check.take();
    }
    check.require(groups(budget) <= most_groups, "attacked_ports", ports,
                  "at most " + std::to_string(most_groups) + " groups (ports times lossless classes) at once");
    // Every port's groups have headroom, those of the senders whom XOFF waits for and of the sink too.
    const std::int64_t kept = memory == attacked_memory::headroom_pool
                                  ? groups(budget)
                                  : budget.used.lossless_classes * (2 * std::int64_t{ports} + 1);
    const bytes most{std::int64_t{1} << 31};
    check.require(2 * budget.headroom <= most / kept, "attacked_ports", ports,
                  "fewer ports or classes: the headroom of all groups exceeds the 1 GiB that can be simulated");
    return check.take();
}

pfc_setting setting_of(const headroom_budget& budget, const verify_config& config) {
    const headroom_budget_config& used = budget.used;
    pfc_setting s;
    s.name = to_text(used.rate);
    s.link.rate = used.rate;
    s.link.latency = std::max(budget.link.one_way, 1_ps);
    s.largest_lossless = *used.lossless_mtu;
    s.parameters.wire_overhead = *used.wire_overhead;
    switch_config& device = s.parameters.device;
    device.max_frame = *used.port_mtu;
    device.classes = used.lossless_classes;
    s.attacked_ports = config.ports;
    s.counts_all_groups = config.groups(budget) > 1;
    s.counts_memory = true;
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
    if (config.memory != attacked_memory::port) {
        add_shared_memory(s, budget);
    }
    return s;
}

headroom_verdict verify_headroom(const headroom_budget& budget, const verify_config& config,
                                 const std::function<void(std::size_t)>& told) {
    return verifier(budget, config, told).run();
}

}  // namespace weir::tb
