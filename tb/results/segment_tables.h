// What happened to the segments of each group of transfers: segments.csv, paths.csv, reroutes.csv, and
// `segments` in summary.json.
//
//   const std::vector<segment_counts> counts = count_segments(endpoints, network.team());
//   write_segments(file, counts, tags);
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/files/run_directory.h"
#include "tb/text/text_format.h"
#include "weir/model/ranks/rank_team.h"
#include "weir/traffic/host/traffic_endpoint.h"

namespace weir::tb {

/// Of all hosts, of all ranks, by tag. Collective.
std::vector<segment_counts> count_segments(const std::vector<traffic_endpoint*>& endpoints,
                                           model::rank_team& team);

void write_segments(output_file& file, const std::vector<segment_counts>& counts,
                    const std::vector<std::string>& tags);
/// How many segments came with each value of V.
void write_paths(output_file& file, const std::vector<segment_counts>& counts,
                 const std::vector<std::string>& tags);
/// By tag.
nlohmann::ordered_json to_json(const std::vector<segment_counts>& counts, const std::vector<std::string>& tags);

inline constexpr const char* reroutes_header =
    "time_ns,flow,src,dst,tag,why,path,next_path,stayed_ns,sent_bytes\n";
/// A line of reroutes.csv.
std::string_view reroute_line(csv_line& line, host_id src, host_id dst, const path_stay& stay,
                              const std::vector<std::string>& tags);

}  // namespace weir::tb
