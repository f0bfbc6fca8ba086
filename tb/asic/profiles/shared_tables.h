// The files of [shared], one after the other: what each says of groups, queues and slices is added to what
// those before it have said (read_profiles.h).
#pragma once

#include <string>
#include <vector>

#include "tb/asic/sonic/config_db.h"
#include "tb/run/options/built_topology.h"
#include "tb/run/options/run_config.h"

namespace weir::tb {

/// shared.config_db: groups, queues and pools as a SONiC switch's config_db.json has them (sonic_switch.h).
///
/// A class of the model is SONiC's traffic class. The port's maps say its priority group and its queue, whose
/// profiles it takes; a lossless class has to have one number as traffic class, PFC priority, priority group
/// and queue, because the model knows only one. Port n of a named switch is the n-th of the file's ports,
/// EthernetN by N. What the file does not say stays as it is: from shared.pg_profile_lookup, or from the
/// options.
///
/// `read` has room for each switch.
void read_config_db_profiles(const config_db& file, const run_config& config, const built_topology& built,
                             read_profiles& read, config_errors& errors);

/// That shared.config_db_switches names; none, and an error, where a name fits none.
std::vector<switch_id> switches_of_config_db(const run_config& config, const topology& plan,
                                             config_errors& errors);

/// shared.pg_profile_lookup: lossless groups as SONiC sets them, by their link's speed and cable length.
///
/// SONiC is told each cable's length, and takes the row of exactly that length. Here links have a latency: a
/// cable of 5 ns/m, and whatever the link's ends add. The row is that of the shortest cable listed for the
/// speed that takes at least as long; a link longer than all of them is refused.
///
/// Without shared.headroom_pool each group has headroom of its own, and a table's `size` contains it: the
/// group's minimum is `size` - `xoff` (Trident2: 41,808 - 40,560 = 6 cells of 208 B). With the pool `xoff` is
/// only what a group may take of the pool, and the minimum is `size` (Tomahawk: 1,248). So SAI has it, in
/// saibuffer.h: a pool's XOFF_SIZE of 0 or more.
///
/// `read` has room for each switch; all lossless groups get their profile, all ports their line. A `size` below
/// `xoff` is an error without a headroom pool.
void read_sonic_profiles(const std::string& path, const run_config& config, const built_topology& built,
                         read_profiles& read, config_errors& errors);

/// shared.group_profiles: values of single groups of shared memories.
///
///     switch,port,class,minimum_bytes,alpha,threshold_bytes,xon_bytes,xon_offset_bytes,headroom_bytes
///     *,*,3,1248,0.125,,18432,2496,40560
///     tor0,4-7,3,,,,,,62816
///
/// An empty field, or a column that is not there, leaves the value as it is: from an earlier row, or from the
/// option. A later row stands above an earlier one; one of which nothing is left is refused.
///
/// `read` has room for each switch; what the file says is added to it.
void read_group_profiles(const std::string& path, const run_config& config, const topology& plan,
                         read_profiles& read, config_errors& errors);
/// shared.queue_profiles: the same of queues. Columns: minimum_bytes, alpha, threshold_bytes,
/// ecn_threshold_bytes.
void read_queue_profiles(const std::string& path, const run_config& config, const topology& plan,
                         std::vector<shared_profiles>& profiles, config_errors& errors);

/// shared.slice_map_file: the slice of each pair of ports.
///
///     ingress_port,egress_port,slice
///     0-15,*,0
///     16-31,0-15,1
///     16-31,16-31,2
///
/// Each pair of each switch once; a column `switch` may say of which switches a row speaks. `profiles` has one
/// for each switch, and gets the slices of its pairs.
void read_slice_table(const std::string& path, unsigned slices, const topology& plan,
                      std::vector<shared_profiles>& profiles, config_errors& errors);

/// Warnings of options of groups and queues that have another value than the default, and from which none takes
/// it, because the files have one for each.
std::vector<std::string> idle_group_options(const run_config& config, const topology& plan,
                                            const read_profiles& read);

/// Whether flow control holds the class back.
bool is_held_back(const run_config& config, unsigned c);
/// Those that are. Bit: class.
class_mask lossless_classes_of(const run_config& config);

}  // namespace weir::tb
