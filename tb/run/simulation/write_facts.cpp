#include "tb/run/simulation/write_facts.h"

#include "tb/run/checks/rtl_blocks.h"
#include "tb/run/options/requested_metrics.h"
#include "tb/support/plugins/loaded_plugins.h"

namespace weir::tb {

void write_facts(const run_directory& directory, const run_stopwatch& stopwatch, simulation& simulated,
                 const run_config& config, const char* ended, const warning_log& warnings) {
    run_facts facts = stopwatch.facts();
    facts.ended = ended;
    facts.linked_plugin = linked_plugin();
    facts.warnings = warnings.all();
    facts.threads = thread_config{config.run.threads, config.run.thread_grain}.team();
    facts.quantum = simulated.quantum();
    facts.engine = weir::name_of(config.run.engine);
    facts.quanta = simulated.network().engine().quanta();
    for (const node* n : simulated.network().engine().members()) {
        facts.engine_events += n->events();
    }
    for (const rtl_use& use : simulated.rtl().uses()) {
        facts.rtl.push_back({use.switch_name, use.block, use.cycles});
    }
    const fabric& network = simulated.network();
    if (const frame_exchange* const exchange = network.exchange()) {
        const std::size_t switches = network.own_switches().size();
        const std::size_t hosts = simulated.network().engine().members().size() - switches;
        facts.ranks.push_back({static_cast<std::uint32_t>(hosts), static_cast<std::uint32_t>(switches),
                               exchange->cut_links(), facts.engine_events, facts.cpu_seconds,
                               facts.peak_memory_bytes});
    }
    const std::vector<run_facts> parts = gathered_parts(network.team(), facts);
    for (std::size_t r = 1; r < parts.size(); ++r) {
        facts.add(parts[r]);
    }
    nlohmann::ordered_json document = to_json(facts);
    if (!warnings.units().by_option().empty()) {
        document["given"] = warnings.units().by_option();
    }
    for (const std::string& metric : config.output.metrics) {
        if (is_definition(metric)) {
            document["metrics"].push_back(metric);
        }
    }
    directory.write("run.json", to_text(document));
    directory.synchronise();
}

}  // namespace weir::tb
