// The distributions that are known by name.
#pragma once

#include <cstdint>
#include <string>

#include "weir/base/enum_names.h"
#include "weir/traffic/sizes/size_distribution.h"

namespace weir::traffic {

/// Tables of alibaba-edu/High-Precision-Congestion-Control, traffic_gen/, sizes in B.
enum class known_sizes : std::uint8_t {
    web_search,        ///< WebSearch_distribution.txt: DCTCP's web search cluster
    hadoop,            ///< FbHdp_distribution.txt: Facebook's Hadoop cluster
    ali_storage_2019,  ///< AliStorage2019.txt: Alibaba's block storage
    google_rpc_2008    ///< GoogleRPC2008.txt: all RPCs at Google
};

constexpr auto names_of(known_sizes) {
    return enum_names<known_sizes>({{known_sizes::web_search, "web_search"},
                                    {known_sizes::hadoop, "hadoop"},
                                    {known_sizes::ali_storage_2019, "ali_storage_2019"},
                                    {known_sizes::google_rpc_2008, "google_rpc_2008"}});
}

size_distribution make_size_distribution(known_sizes which);

/// What an option that names a distribution may hold: one of these, `file`, or nothing; and the same in words.
bool is_size_choice(const std::string& name);
std::string size_choices();

}  // namespace weir::traffic
