#include "tb/run/options/fabric_options.h"

#include <algorithm>
#include <utility>

namespace weir::tb {

namespace {

/// `host_link.rate` of a generator is the option `fabric.host_rate`; other fields have their option's name.
std::string option_of(const std::string& field) {
    const std::size_t at = field.find("_link.");
    if (at != std::string::npos) {
        return "fabric." + field.substr(0, at) + "_" + field.substr(at + 6);
    }
    const std::size_t dot = field.find('.');
    return "fabric." + (dot == std::string::npos ? field : field.substr(0, dot) + "_" + field.substr(dot + 1));
}

}  // namespace

config_errors fabric_options::validate() const {
    range_check check("fabric");
    check.refuse_missing(!fabric_kinds()[topology].make && file.empty(), "file",
                         "'' is empty; expected a path, because {fabric.topology} = file");
    check.add(fabric_kinds().errors_of(topology, [&](const topology_traits& kind) {
        config_errors of_kind = kind.validate ? kind.validate(*this) : config_errors{};
        for (config_relation& relation : of_kind.relations) {
            relation.key = option_of(relation.key);
        }
        for (config_error& error : of_kind) {
            error.key = option_of(error.key);
            std::transform(error.others.begin(), error.others.end(), error.others.begin(), option_of);
        }
        return of_kind;
    }));
    return check.take();
}

void fabric_options::resolve_links(const link_config& defaults) {
    const auto chosen = [&](const link_choice& choice) {
        return link_properties{choice.rate.value_or(defaults.rate), choice.latency.value_or(defaults.latency)};
    };
    single.host_link = dumbbell.host_link = racks.host_link = pods.host_link = fat_tree.host_link =
        xgft.host_link = chosen(host);
    dumbbell.bottleneck = chosen(bottleneck);
    racks.root_link = chosen(root);
    pods.agg_link = fat_tree.agg_link = xgft.agg_link = chosen(agg);
    pods.core_link = fat_tree.core_link = xgft.core_link = chosen(core);
}

std::string fabric_options::options_of_hosts() const {
    return fabric_kinds()[topology].options_of_hosts;
}

std::string fabric_options::options_of_links() const {
    std::string keys = link_overrides.empty() ? "" : "{fabric.link}, ";
    if (!fabric_kinds()[topology].make) {
        return keys + "{fabric.file}";
    }
    for (const auto& [tier, choice] :
         {std::pair("host", host), {"bottleneck", bottleneck}, {"root", root}, {"agg", agg}, {"core", core}}) {
        keys += choice.latency ? "{fabric." + std::string(tier) + "_latency}, " : "";
        keys += choice.rate ? "{fabric." + std::string(tier) + "_rate}, " : "";
    }
    return keys + "{link.latency}, {link.rate}";
}

}  // namespace weir::tb
