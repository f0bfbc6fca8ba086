// Sizes in the units in which they were given. The program counts bytes, and prints 256,000 B as 250KiB;
// someone who wrote 256KB wants to read 256KB.
//
//   in_given_units("250KiB", "256KB");                // 256KB
//   const given_units units({"--switch.egress_buffer=256KB"}, {});
//   units.by_option().at("switch.egress_buffer");     // 256KB
//   units.in("250KiB egress memory per port");        // 256KB egress memory per port
//   units.in("250KiB/x.pcap has 250KiB");             // 250KiB/x.pcap has 256KB
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace weir::tb {

/// `canonical`: a size or a list of sizes, as options print them; `given`: the same as it was written. Returns
/// the sizes in the family of units that `given` has: B, KB, MB, GB or B, KiB, MiB, GiB. Texts that are no
/// sizes stay.
std::string in_given_units(const std::string& canonical, const std::string& given);

/// The sizes that `run.json` has as they were given, by option. Empty if the file is missing or damaged.
std::map<std::string, std::string> given_in_run(const std::filesystem::path& run_json);

/// The sizes of a run that were given in another family than they are printed in.
class given_units {
 public:
    given_units() = default;
    /// Reads the arguments and the INI files of a run again; what cannot be read is left out.
    given_units(const std::vector<std::string>& args, const std::vector<std::string>& paths);

    const std::map<std::string, std::string>& by_option() const { return m_by_option; }
    /// Returns a text for people with these sizes as they were given. A size that was given in both families
    /// stays, and so does one that is part of a word, a path or a quoted text: `250KiB/x.pcap`, `web-250KiB`.
    std::string in(std::string text) const;
    /// Called for each path and name that a text may hold: leaves out the sizes that `in` would replace in it.
    void keep(const std::string& name);

 private:
    std::map<std::string, std::string> m_by_option;
    /// Maps each size as it is printed to the same size as it was given.
    std::map<std::string, std::string> m_sizes;
};

}  // namespace weir::tb
