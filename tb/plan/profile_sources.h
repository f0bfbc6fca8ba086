// What tables say of shared memories, and which line says it, so that a dry run and warnings can name it.
#pragma once

#include <vector>

#include "weir/model/memory/shared_buffer_config.h"

namespace weir::tb {

/// Of one switch. Lines are numbered from 1; 0, or no element: none.
struct profile_sources {
    /// By port: of shared.pg_profile_lookup, for its lossless groups.
    std::vector<int> line_of_port;
    /// By port * classes + class: of shared.group_profiles, for the group's headroom.
    std::vector<int> line_of_headroom;

    static int line_of(const std::vector<int>& lines, std::size_t at) {
        return at < lines.size() ? lines[at] : 0;
    }
};

/// By switch; empty where no file is named, or memory is partitioned.
struct read_profiles {
    std::vector<shared_profiles> profiles;
    std::vector<profile_sources> sources;
};

}  // namespace weir::tb
