#include "tb/support/process/build_facts.h"

#include <boost/version.hpp>
#include <nlohmann/json.hpp>
#include <systemc>

#include "tb/support/process/build_constants.h"

#ifdef WEIR_WITH_PCAP
#include <pcap/pcap.h>
#endif

namespace weir::tb {

#ifdef WEIR_WITH_PCAP

/// `1.10.3` of `libpcap version 1.10.3 (with TPACKET_V3)`.
static std::string pcap_version() {
    const std::string text = ::pcap_lib_version();
    const std::string before = "version ";
    const std::size_t at = text.find(before);
    const std::string behind = at == std::string::npos ? text : text.substr(at + before.size());
    return at == std::string::npos ? text : behind.substr(0, behind.find(' '));
}

#endif

static std::string dotted(int first, int second, int third) {
    return std::to_string(first) + "." + std::to_string(second) + "." + std::to_string(third);
}

const build_facts& this_build() {
    static const build_facts facts{
        WEIR_VERSION,
        commit_text,
        build_text,
        {
            {"SystemC", SC_VERSION},
            {"Boost", dotted(BOOST_VERSION / 100'000, BOOST_VERSION / 100 % 1'000, BOOST_VERSION % 100)},
            {"nlohmann-json",
             dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
#ifdef WEIR_WITH_PCAP
            {"libpcap", pcap_version()},
#endif
#ifdef WEIR_WITH_RTL
            {"Verilator", verilator_version},
#endif
        }};
    return facts;
}

}  // namespace weir::tb
