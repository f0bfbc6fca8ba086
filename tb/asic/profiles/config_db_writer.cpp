#include "tb/asic/profiles/config_db_writer.h"

#include <algorithm>
#include <optional>
#include <set>

#include "tb/asic/profiles/config_db_buffers.h"
#include "tb/asic/profiles/config_db_values.h"
#include "tb/asic/profiles/shared_tables.h"
#include "tb/asic/sonic/sonic_names.h"
#include "tb/support/text/joined.h"
#include "tb/support/text/port_text.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

class config_db_writer {
 public:
    config_db_writer(const run_config& config, const built_topology& built, switch_id s)
        : m_config(config),
          m_classes(config.device.classes),
          m_device(config, built, s),
          m_memory(m_device.memory),
          m_links(m_device.links),
          m_has_base(!config.shared_tables.config_db.empty()),
          m_said(config.shared_tables.config_db),
          m_base(m_has_base ? read_config_db_file(config.shared_tables.config_db, "shared.config_db")
                            : read_config_db(new_document().dump(), "config_db.json")) {}

    written_config_db write() {
        m_written.errors = m_base.errors;
        if (m_written.errors.empty() && m_links.size() > m_base.ports.size()) {
            m_said.fail("PORT", "has " + std::to_string(m_base.ports.size()) + " ports, but " + m_device.name +
                                    " has " + std::to_string(m_links.size()) + "; expected at least as many");
        }
        if (m_config.flow_control.mode == flow_control_mode::pause) {
            m_said.fail("PORT_QOS_MAP",
                        "pfc_enable: has no form for 802.3x PAUSE (pfc.mode = pause); expected "
                        "pfc.mode = pfc or none");
        }
        if (m_written.errors.empty() && !m_said.has_errors()) {
            give_headroom_pool();
            m_taken.emplace(m_base, lossless_classes_of(m_config), m_classes,
                            static_cast<unsigned>(m_links.size()), m_config.device.memory_cell);
            m_written.document = m_base.document;
            write_pools();
            write_classes();
            config_db_values values(m_device, m_base, *m_taken, m_written.errors);
            config_db_buffers buffers(m_base, *m_taken, m_written.document, m_said);
            for (const sonic_side side : {sonic_side::ingress, sonic_side::egress}) {
                buffers.write(side, wanted(side, values));
            }
        }
        const config_errors found = m_said.errors();
        m_written.errors.insert(m_written.errors.end(), found.begin(), found.end());
        tell_what_is_left();
        return m_written;
    }

 private:
    /// Ports, classes, maps and pools of a switch that no file describes.
    ordered_json new_document() {
        ordered_json made;
        const std::string lossless = classes_text(lossless_classes_of(m_config));
        ordered_json same;
        for (unsigned c = 0; c < sonic_classes; ++c) {
            same[std::to_string(c)] = std::to_string(c);
        }
        for (const char* const map :
             {"TC_TO_PRIORITY_GROUP_MAP", "TC_TO_QUEUE_MAP", "MAP_PFC_PRIORITY_TO_QUEUE"}) {
            made[map]["AZURE"] = same;
        }
        for (unsigned port = 0; port < m_links.size(); ++port) {
            const std::string name = "Ethernet" + std::to_string(4 * port);
            constexpr std::int64_t mega = 1'000'000;
            const std::int64_t rate = m_links[port].fastest_rate().count();
            if (rate % mega != 0) {
                m_said.fail("PORT|" + name, "speed: " + to_text(m_links[port].fastest_rate()) +
                                                " is not a whole number of Mb/s; expected another rate");
            }
            made["PORT"][name] = {{"index", std::to_string(port)}, {"speed", std::to_string(rate / mega)}};
            made["CABLE_LENGTH"]["AZURE"][name] =
                std::to_string(metres_of(m_links[port].longest_latency())) + "m";
            made["PORT_QOS_MAP"][name] = {
                {"tc_to_pg_map", "AZURE"}, {"tc_to_queue_map", "AZURE"}, {"pfc_to_queue_map", "AZURE"}};
            if (!lossless.empty()) {
                made["PORT_QOS_MAP"][name]["pfc_enable"] = lossless;
            }
        }
        const auto pool = [&](const char* name, const char* type, const char* mode) {
            made["BUFFER_POOL"][name] = {{"type", type}, {"mode", mode}};
        };
        pool("ingress_lossless_pool", "ingress", "dynamic");
        pool("egress_lossless_pool", "egress", "static");
        if (m_memory.has_lossy() && !m_memory.has_common_pool()) {
            pool("ingress_lossy_pool", "ingress", "dynamic");
        }
        if (m_memory.has_lossy() && !m_memory.has_common_queue_pool()) {
            pool("egress_lossy_pool", "egress", "dynamic");
        }
        return made;
    }

    // --- pools --------------------------------------------------------------------------------------------

    /// With xoff in the lossless pool, sizes of profiles are without theirs.
    void give_headroom_pool() {
        const sonic_switch before(m_base, lossless_classes_of(m_config), m_classes,
                                  static_cast<unsigned>(m_links.size()), m_config.device.memory_cell);
        const std::size_t pool = before.pool(sonic_side::ingress, true);
        if (!m_memory.has_lossless() || !m_device.shared.headroom_pool || pool == sonic_buffer::none) {
            return;
        }
        if (*m_device.shared.headroom_pool == 0_B) {
            m_written.errors.push_back(
                {{},
                 0,
                 "shared.headroom_pool",
                 "0B cannot be written: with xoff of 0, a pool is one without a headroom "
                 "pool; expected above 0B, or auto"});
            return;
        }
        m_changes_sizes =
            m_has_base && before.sizes_include_reserved() && !m_config.shared.pools_include_reserved;
        if (!before.has_headroom_pool()) {
            for (sonic_profile& profile : m_base.profiles) {
                const bool is_ingress =
                    profile.pool != sonic_buffer::none && m_base.pools[profile.pool].is_of(sonic_side::ingress);
                if (profile.xoff && is_ingress) {
                    profile.size = before.values_of(profile, sonic_side::ingress, true).minimum;
                    m_base.document["BUFFER_PROFILE"][profile.name]["size"] = size_text(profile.size);
                }
            }
        }
        if (m_base.pools[pool].xoff != m_device.shared.headroom_pool) {
            m_base.pools[pool].xoff = m_device.shared.headroom_pool;
            m_base.document["BUFFER_POOL"][m_base.pools[pool].name]["xoff"] =
                size_text(*m_device.shared.headroom_pool);
        }
    }

    /// Of all members that the model has.
    std::uint64_t reserved_cells(sonic_side side, bool lossless, bool common) const {
        std::uint64_t cells = 0;
        for (unsigned port = 0; port < m_links.size(); ++port) {
            for (unsigned k = 0; k < m_classes; ++k) {
                const auto c = static_cast<pfc_class>(k);
                if (m_memory.is_lossless(c) != lossless && !common) {
                    continue;
                }
                const group_limits& group = m_memory.limits(port, c);
                cells += side == sonic_side::egress
                             ? m_memory.queue_limits_of(port, c).minimum
                             : group.minimum + (m_memory.headroom_pool() ? 0 : group.headroom);
            }
        }
        return cells;
    }

    void write_pool(sonic_side side, bool lossless, const std::optional<bytes>& option) {
        const bool common =
            side == sonic_side::ingress ? m_memory.has_common_pool() : m_memory.has_common_queue_pool();
        const bool any = lossless ? m_memory.has_lossless() : m_memory.has_lossy() && !common;
        const std::size_t pool = m_taken->pool(side, lossless);
        if (!any || pool == sonic_buffer::none || (m_has_base && !option && !m_changes_sizes)) {
            return;
        }
        const std::optional<bytes>& before = m_base.pools[pool].size;
        if (m_has_base && !option && !before) {
            return;
        }
        const bool read_so = m_device.shared.pools_include_reserved.value_or(false);
        const bool written_so =
            m_has_base ? m_config.shared.pools_include_reserved.value_or(m_taken->sizes_include_reserved())
                       : m_taken->sizes_include_reserved();
        const bytes elsewhere = written_so ? m_taken->reserved_elsewhere(pool) : 0_B;
        bytes size{0};
        if (option && read_so == written_so) {
            size = *option + elsewhere;
        } else {
            const std::uint64_t shared =
                side == sonic_side::ingress ? m_memory.pool(lossless) : m_memory.queue_pool(lossless);
            const std::uint64_t reserved = written_so ? reserved_cells(side, lossless, common) : 0;
            size = m_memory.bytes_of((shared + reserved) * m_memory.slices()) + elsewhere;
        }
        m_sizes_by_option = m_sizes_by_option || written_so != m_taken->sizes_include_reserved();
        if (before != size) {
            m_written.document["BUFFER_POOL"][m_base.pools[pool].name]["size"] = size_text(size);
        }
    }

    void write_pools() {
        check_common("shared.common_pool", sonic_side::ingress, m_memory.has_common_pool());
        check_common("shared.common_queue_pool", sonic_side::egress, m_memory.has_common_queue_pool());
        write_pool(sonic_side::ingress, true, m_config.shared.lossless_pool);
        write_pool(sonic_side::ingress, false, m_config.shared.lossy_pool);
        write_pool(sonic_side::egress, true, m_config.shared.lossless_queue_pool);
        write_pool(sonic_side::egress, false, m_config.shared.queue_pool);
    }

    void check_common(const char* key, sonic_side side, bool common) {
        const bool both = m_memory.has_lossless() && m_memory.has_lossy();
        if (both && m_taken->pool(side, true) != sonic_buffer::none && m_taken->is_common(side) != common) {
            m_written.errors.push_back({{},
                                        0,
                                        key,
                                        std::string(common ? "true" : "false") +
                                            " cannot be written, because lossless and lossy " +
                                            members_name(side) + " of shared.config_db draw from " +
                                            (common ? "two pools" : "one pool") + "; expected auto"});
        }
    }

    // --- classes ------------------------------------------------------------------------------------------

    /// pfc_enable, where lossless classes are others than the file's.
    void write_classes() {
        if (!m_has_base || m_config.flow_control.mode == flow_control_mode::none) {
            return;
        }
        const class_mask lossless = m_taken->lossless();
        for (unsigned port = 0; port < m_links.size(); ++port) {
            const sonic_port& base = m_base.ports[port];
            if (base.pfc_enable != lossless) {
                const std::string& entry = base.qos_entry.empty() ? base.name : base.qos_entry;
                m_written.document["PORT_QOS_MAP"][entry]["pfc_enable"] = classes_text(lossless);
            }
        }
    }

    /// Of a group or queue: the file names it, or a row of a table has a class of it; without a file all do.
    bool has_values(sonic_side side, unsigned port, unsigned n, const config_db_values& values) const {
        bool any = false;
        for (unsigned c = 0; c < m_classes; ++c) {
            any = any || (m_taken->number_of(side, port, c) == n &&
                          (!m_has_base || values.base_profile(side, port, c) != nullptr ||
                           values.has_own(side, port, c)));
        }
        return any;
    }

    /// Each group or queue that is to have an entry.
    std::vector<wanted_buffer> wanted(sonic_side side, config_db_values& values) {
        std::vector<wanted_buffer> all;
        for (unsigned port = 0; port < m_links.size(); ++port) {
            for (unsigned n = 0; n < sonic_classes; ++n) {
                std::optional<wanted_buffer> found;
                unsigned first = 0;
                const bool is_written = has_values(side, port, n, values);
                for (unsigned c = 0; c < m_classes; ++c) {
                    const bool lossless = m_taken->is_lossless(c);
                    if (m_taken->number_of(side, port, c) != n) {
                        continue;
                    }
                    if (!is_written) {
                        (side == sonic_side::egress ? m_queues_left : m_groups_left).insert(n);
                        m_lossless_left = m_lossless_left || (lossless && side == sonic_side::ingress);
                        continue;
                    }
                    const wanted_buffer each{port, n, lossless, values.of(side, port, c),
                                             values.new_name(side, port, lossless)};
                    if (found && found->values != each.values) {
                        m_said.fail(class_map_table(side),
                                    "puts classes " + std::to_string(first) + " and " + std::to_string(c) +
                                        " into one " + member_name(side) +
                                        ", but their values differ in the model (" +
                                        values.place(side, port, c) + "); expected equal values");
                        return {};
                    }
                    first = found ? first : c;
                    found = found ? found : each;
                }
                if (found) {
                    all.push_back(*found);
                }
            }
        }
        return all;
    }

    void tell_what_is_left() {
        const auto tell = [&](const char* table, const char* what, const std::set<unsigned>& numbers) {
            const std::string list = joined(numbers, ", ", [](unsigned n) { return std::to_string(n); });
            if (!numbers.empty()) {
                m_written.warnings.push_back("--write-config-db: " + std::string(what) + " " + list +
                                             " of some ports are not written, because " + table +
                                             " of shared.config_db does not name them");
            }
        };
        tell("BUFFER_PG", "priority groups", m_groups_left);
        tell("BUFFER_QUEUE", "queues", m_queues_left);
        if (m_lossless_left) {
            m_written.warnings.emplace_back(
                "--write-config-db: lossless priority groups that the file does not name are made by the "
                "switch, "
                "from its pg_profile_lookup.ini; shared.headroom, or rows of shared.group_profiles, have them "
                "written");
        }
        if (m_sizes_by_option) {
            m_written.warnings.push_back(
                std::string(
                    "--write-config-db: sizes of pools are written as shared.pools_include_reserved = ") +
                (*m_config.shared.pools_include_reserved ? "true" : "false") +
                " says; who reads the file needs that option, too");
        }
        if (m_has_base && m_config.flow_control.mode == flow_control_mode::none &&
            lossless_priorities(m_base) != 0) {
            m_written.warnings.emplace_back(
                "--write-config-db: pfc.mode = none is not written: pfc_enable, and the headroom and XON of "
                "profiles, stay as they are");
        }
    }

    const run_config& m_config;
    const unsigned m_classes;
    const switch_memory m_device;
    const shared_buffer& m_memory;
    const std::vector<port_config>& m_links;
    const bool m_has_base;
    sonic_messages m_said;
    /// The file, with the model's headroom pool.
    config_db m_base;
    /// Its pools' sizes had what is reserved in them, and no longer have.
    bool m_changes_sizes = false;
    std::optional<sonic_switch> m_taken;
    /// Numbers that the file does not name, and nothing else does.
    std::set<unsigned> m_groups_left;
    std::set<unsigned> m_queues_left;
    bool m_lossless_left = false;
    /// A size has another meaning than the platform's.
    bool m_sizes_by_option = false;
    written_config_db m_written;
};

}  // namespace

written_config_db config_db_of(const run_config& config, const built_topology& built, switch_id s) {
    return config_db_writer(config, built, s).write();
}

written_config_db config_db_of_switch(const run_config& config, const built_topology& built,
                                      const std::string& name) {
    written_config_db written;
    const std::vector<switch_id> described = switches_of_config_db(config, built.plan, written.errors);
    switch_id first = described.empty() ? 0 : described.front();
    if (!name.empty()) {
        const auto found = std::find_if(described.begin(), described.end(), [&](switch_id s) {
            return built.plan.name(node_ref::of_switch(s)) == name;
        });
        if (found == described.end()) {
            written.errors.push_back(
                {{},
                 0,
                 "--config-db-switch",
                 "'" + name + "' is no switch that shared.config_db describes; expected one such as " +
                     built.plan.name(node_ref::of_switch(first))});
            return written;
        }
        return config_db_of(config, built, *found);
    }
    written = config_db_of(config, built, first);
    for (const switch_id s : described) {
        if (written.errors.empty() && s != first &&
            config_db_of(config, built, s).document != written.document) {
            written.errors.push_back({{},
                                      0,
                                      "--config-db-switch",
                                      "is missing, and " + built.plan.name(node_ref::of_switch(first)) +
                                          " and " + built.plan.name(node_ref::of_switch(s)) +
                                          " differ; expected the name of one switch"});
        }
    }
    return written;
}

}  // namespace weir::tb
