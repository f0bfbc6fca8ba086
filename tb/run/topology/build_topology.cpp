#include "tb/run/topology/build_topology.h"

#include <set>

#include "tb/asic/profiles/read_profiles.h"
#include "tb/run/topology/fabric_texts.h"
#include "tb/support/files/input_file.h"
#include "weir/base/unit_text.h"
#include "weir/model/topology/foreign_topology_files.h"
#include "weir/model/topology/topology_files.h"

namespace weir::tb {

// Once, however many tiers say so.
template <class Latencies>
static std::string warning_of(const std::string& file, const Latencies& latencies) {
    std::string all;
    std::set<picoseconds> said;
    for (const picoseconds latency : latencies) {
        if (latency > picoseconds{0} && said.insert(latency).second) {
            all += (all.empty() ? "" : ", ") + to_text(latency);
        }
    }
    return all.empty()
               ? all
               : file + ": Switch_Latency_ns of " + all + " is ignored; set switch.lookup_delay instead";
}

static topology_file read_file(const fabric_options& fabric, std::string& latency_warning) {
    input_file opened = open_input(fabric.file);
    if (!opened.why_not.empty()) {
        topology_file failed;
        failed.errors.push_back(unreadable("fabric.file", fabric.file, opened.why_not, "a topology file"));
        return failed;
    }
    std::istream& text = opened.text;
    switch (fabric.format) {
        case fabric_file_format::hpcc:
            return parse_hpcc_topology(text, fabric.file);
        case fabric_file_format::htsim: {
            htsim_topology_file file = parse_htsim_topology(text, fabric.file);
            latency_warning = warning_of(fabric.file, file.switch_latency);
            return file;
        }
        case fabric_file_format::weir:
            break;
    }
    return parse_topology(text, fabric.file);
}

built_topology build_topology(const run_config& config) {
    built_topology built;
    topology plan;
    if (const auto& make = fabric_kinds()[config.fabric.topology].make) {
        plan = make(config.fabric);
        built.errors = plan.validate();
    } else {
        topology_file file = read_file(config.fabric, built.latency_warning);
        built.errors = file.errors;
        built.warnings = file.warnings;
        plan = std::move(file.fabric);
    }
    if (!built.errors.empty()) {
        return built;
    }
    link_overrides overrides = apply_link_overrides(plan, config.fabric.link_overrides);
    built.errors = overrides.errors;
    built.plan = std::move(overrides.plan);
    built.changes = std::move(overrides.changes);
    parsed_routes routes = parse_routes(built.plan, config.fabric.routes);
    built.errors.insert(built.errors.end(), routes.errors.begin(), routes.errors.end());
    built.routes = std::move(routes.routes);
    parsed_adapters adapters = parse_adapters(built.plan, config.device.classes, config.broken_adapters);
    built.errors.insert(built.errors.end(), adapters.errors.begin(), adapters.errors.end());
    built.broken_adapters = std::move(adapters.adapters);
    if (built.errors.empty()) {
        read_profiles read = read_shared_profiles(config, built, built.errors);
        built.profiles = std::move(read.profiles);
        built.profile_lines = std::move(read.sources);
        built.warnings.insert(built.warnings.end(), read.warnings.begin(), read.warnings.end());
    }
    if (!routes.loop_warning.empty()) {
        built.warnings.push_back(routes.loop_warning);
    }
    return built;
}

}  // namespace weir::tb
