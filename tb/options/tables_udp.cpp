// Options [udp].
#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

void add_udp_options(option_table& table, run_config& config) {
    udp_config& udp = config.udp;
    auto block = table.block("udp", "UDP at the hosts.");
    const relevance used{"traffic over UDP (traffic.kind = bernoulli, or traffic.transport = udp)",
                         [&config] { return config.traffic.uses_udp(); }};
    block.add("payload", udp.payload)
        .range(udp_config::payload_range)
        .matters(used)
        .doc(
            "Payload of a full datagram. If UDP is used, udp.payload + udp.header must not exceed "
            "switch.max_frame.")
        .source("IEEE 802.3: a packet of 1,500 B");
    block.add("header", udp.header)
        .range(udp_config::header_range)
        .matters(used)
        .doc("Ethernet, IPv4 and UDP headers and FCS.")
        .source("IEEE 802.3, RFC 791, RFC 768: 14 + 20 + 8 + 4 B");
    block.add("random_gaps", udp.random_gaps)
        .matters({"traffic.transport = udp with traffic.kind = poisson, permutation or trace",
                  [&config] {
                      return config.traffic.uses_udp() && config.traffic.kind != workload_kind::bernoulli;
                  }})
        .doc("Gaps between datagrams are exponentially distributed. off: constant, with the same mean.")
        .source("project");
    table.check([&config] {
        config_errors errors = config.udp.validate();
        const bytes frame = config.udp.payload + config.udp.header;
        if (config.traffic.uses_udp() && frame > config.device.max_frame) {
            errors.push_back({"", 0, "udp.payload",
                              "'" + to_text(config.udp.payload) + "' with udp.header (" +
                                  to_text(config.udp.header) + ") makes frames of " + to_text(frame) +
                                  "; expected at most switch.max_frame (" + to_text(config.device.max_frame) +
                                  ")"});
        }
        return errors;
    });
}

}  // namespace weir
