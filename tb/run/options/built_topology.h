// A fabric as the configuration has it: its plan, what changes, and what tables say of its switches, with the
// lines that say it, so that a dry run and warnings can name them.
#pragma once

#include <string>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/model/fabric/fabric.h"
#include "weir/model/forwarding/static_routes.h"
#include "weir/model/memory/shared_buffer_config.h"

namespace weir::tb {

/// Of shared.config_db, of a kind's groups or queues; empty: none.
struct pool_names {
    std::string lossless;
    std::string lossy;
    std::string queue;
    std::string lossless_queue;
};

/// Of one switch. Lines are numbered from 1; 0, or no element: none.
struct profile_sources {
    pool_names pools;
    /// By port: of shared.pg_profile_lookup, for its lossless groups.
    std::vector<int> line_of_port;
    /// By port * classes + class: of shared.group_profiles, for the group's headroom.
    std::vector<int> line_of_headroom;
    /// The same: the last row of shared.group_profiles that says anything of the group; 0: none.
    std::vector<int> line_of_group;
    /// The same: BUFFER_PROFILE's entry in shared.config_db; empty: none.
    std::vector<std::string> entry_of_group;
    /// The same: whether that entry has the group's headroom.
    std::vector<bool> entry_has_headroom;

    std::string entry_of(std::size_t group) const {
        return group < entry_of_group.size() ? entry_of_group[group] : std::string{};
    }
    static int line_of(const std::vector<int>& lines, std::size_t at) {
        return at < lines.size() ? lines[at] : 0;
    }
};

/// By switch; empty where no file is named, or memory is partitioned.
struct read_profiles {
    std::vector<shared_profiles> profiles;
    std::vector<profile_sources> sources;
    /// What a file says and the model does not do.
    std::vector<std::string> warnings;
};

struct built_topology {
    topology plan;
    std::vector<fabric_change> changes;
    std::vector<static_route> routes;
    std::vector<broken_adapter> broken_adapters;
    /// Of shared memories, by switch; empty: none.
    std::vector<shared_profiles> profiles;
    /// Which lines of files say so; the same.
    std::vector<profile_sources> profile_lines;
    /// Of the file, or of an option; the latter without a file.
    config_errors errors;
    std::vector<std::string> warnings;
    /// What the file says of the switches' latency, which is no part of the fabric; empty if nothing.
    std::string latency_warning;
};

}  // namespace weir::tb
