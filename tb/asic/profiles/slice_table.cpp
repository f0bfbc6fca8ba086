#include "tb/asic/profiles/shared_tables.h"

#include "tb/support/text/table_rows.h"

namespace weir::tb {

namespace {

class slice_reader {
 public:
    slice_reader(const std::string& path, unsigned slices, const topology& plan,
                 std::vector<shared_profiles>& profiles, config_errors& errors)
        : m_slices(slices),
          m_plan(plan),
          m_profiles(profiles),
          m_rows(path, plan, {"ingress_port", "egress_port", "slice"}, 3, errors) {
        for (switch_id s = 0; s < plan.switches(); ++s) {
            const std::size_t ports = m_rows.port_count(s);
            m_profiles[s].slices.assign(ports * ports, 0);
            m_line.emplace_back(ports * ports, 0);
        }
    }

    void read() {
        while (m_rows.next()) {
            read_row();
        }
        for (switch_id s = 0; m_rows.good() && s < m_plan.switches(); ++s) {
            for (std::size_t pair = 0; pair < m_line[s].size(); ++pair) {
                if (m_line[s][pair] == 0) {
                    m_rows.refuse(0, "slice",
                                  pair_text(s, pair) + " has no slice; expected a line for each pair");
                    return;  // one is enough to see what is missing
                }
            }
        }
    }

 private:
    std::string pair_text(switch_id s, std::size_t pair) const {
        const std::size_t ports = m_rows.port_count(s);
        return m_plan.name(node_ref::of_switch(s)) + ": ingress port " + std::to_string(pair / ports) +
               " with egress port " + std::to_string(pair % ports);
    }

    void read_row() {
        const std::vector<switch_id> switches = m_rows.switches();
        if (switches.empty()) {
            return;
        }
        const std::optional<number_range> ingress = m_rows.ports("ingress_port", switches);
        const std::optional<number_range> egress = m_rows.ports("egress_port", switches);
        if (!m_rows.has_value("slice")) {
            m_rows.refuse("slice",
                          "is empty; expected 0 to " + std::to_string(m_slices - 1) + " (shared.slices)");
            return;
        }
        const std::optional<std::uint64_t> slice = m_rows.number("slice", 0, m_slices - 1);
        if (!ingress || !egress || !slice) {
            return;
        }
        for (const switch_id s : switches) {
            const unsigned ports = m_rows.port_count(s);
            for (unsigned in = ingress->low; in <= ingress->high && in < ports; ++in) {
                for (unsigned out = egress->low; out <= egress->high && out < ports; ++out) {
                    const std::size_t pair = std::size_t{in} * ports + out;
                    if (m_line[s][pair] != 0) {
                        m_rows.refuse("line", pair_text(s, pair) + " is already in line " +
                                                  std::to_string(m_line[s][pair]) +
                                                  "; expected each pair once");
                        return;
                    }
                    m_line[s][pair] = m_rows.line();
                    m_profiles[s].slices[pair] = static_cast<std::uint8_t>(*slice);
                }
            }
        }
    }

    unsigned m_slices;
    const topology& m_plan;
    std::vector<shared_profiles>& m_profiles;
    table_rows m_rows;
    /// By switch and pair: the line that has it; 0: none yet.
    std::vector<std::vector<int>> m_line;
};

}  // namespace

void read_slice_table(const std::string& path, unsigned slices, const topology& plan,
                      std::vector<shared_profiles>& profiles, config_errors& errors) {
    slice_reader(path, slices, plan, profiles, errors).read();
}

}  // namespace weir::tb
