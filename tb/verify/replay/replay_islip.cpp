#include <algorithm>
#include <string>
#include <vector>

#include "tb/support/text/joined.h"
#include "tb/verify/replay/replay_blocks.h"
#include "weir/model/crossbar/islip.h"

namespace weir::tb {

namespace {

constexpr int none = -1;

/// Partner of each port in one iteration, -1 for none.
using partners = std::vector<int>;

std::string text_of(const partners& ports) {
    return joined(ports, " ", [](int port) { return std::to_string(port); });
}
std::string text_of(const std::vector<partners>& iterations) {
    return joined(iterations, "|", [](const partners& each) { return text_of(each); });
}

template <class Pointer>
std::string text_of(unsigned ports, Pointer pointer) {
    partners all;
    for (unsigned p = 0; p < ports; ++p) {
        all.push_back(static_cast<int>(pointer(p)));
    }
    return text_of(all);
}

/// Notes grants and accepts per iteration.
struct recorder {
    void granted(unsigned iteration, unsigned egress, unsigned ingress, pfc_class) {
        grants[iteration][egress] = static_cast<int>(ingress);
    }
    void accepted(unsigned iteration, unsigned egress, unsigned ingress, pfc_class) {
        accepts[iteration][ingress] = static_cast<int>(egress);
    }

    std::vector<partners> grants;
    std::vector<partners> accepts;
};

/// The columns in0, in1, ...
std::vector<std::size_t> request_columns(csv_file& file, replay_job& job) {
    std::vector<std::size_t> columns;
    while (const auto at = file.optional_column("in" + std::to_string(columns.size()))) {
        columns.push_back(*at);
    }
    if (columns.empty()) {
        file.column("in0");
    } else if (columns.size() > max_ports) {
        job.errors().push_back({job.text("requests"), 1, "in" + std::to_string(columns.size() - 1),
                                "is one port too many; expected in0 to in" + std::to_string(max_ports - 1) +
                                    " (the build's WEIR_MAX_PORTS)"});
    }
    // A gap would make a switch with fewer ports than the file has.
    for (const std::string& name : file.header()) {
        if (name.compare(0, 2, "in") != 0) {
            continue;
        }
        const auto port = parse_whole_number(name.substr(2));
        if (port && *port >= columns.size() && !columns.empty()) {
            file.column("in" + std::to_string(columns.size()));
            break;
        }
    }
    return columns;
}

constexpr std::tuple islip_columns(
    cell<std::string>("slot"), cell<std::string>("match", "egress port of each ingress port, or -1"),
    cell<std::string>("gptr_after"), cell<std::string>("aptr_after"),
    cell<std::string>("grants_per_iter", "ingress port of each egress port, | between iterations"),
    cell<std::string>("accepts_per_iter", "egress port of each ingress port, | between iterations"));
using islip_row = row_of<islip_columns>;

void run_islip(replay_job& job) {
    csv_file file(job.text("requests"), job.errors());
    const std::size_t slot = file.column("slot");
    const std::vector<std::size_t> columns = request_columns(file, job);
    if (!job.errors().empty()) {
        return;
    }
    const auto ports = static_cast<unsigned>(columns.size());
    const auto iterations = static_cast<unsigned>(job.number("iterations"));
    const port_bitmap all = port_bitmap::first_ports(ports);
    constexpr pfc_class only_class = 0;

    islip arbiter(ports);
    const std::vector<partners> nobody(iterations, partners(ports, none));
    auto out = job.table<islip_row>("out");
    std::vector<crossbar_match> matches;
    // Pointers stay from line to line: a line in the wrong place would change all that come after it. Slots
    // that are left out have no requests, and move no pointer.
    std::uint64_t least = 0;
    while (file.next()) {
        std::uint64_t number = 0;
        if (file.number(slot, number, 0, ~std::uint64_t{0} - 1)) {
            if (number < least) {
                file.refuse_text("slot", "does not follow the previous slot, " + std::to_string(least - 1) +
                                             "; expected ascending slots, each once");
            }
            least = std::max(least, number + 1);
        }
        crossbar_requests requests(ports);
        for (unsigned ingress = 0; ingress < ports; ++ingress) {
            const wide_bits wanted = file.hex(columns[ingress], ports).value_or(wide_bits{});
            for (unsigned egress = 0; egress < std::min<std::size_t>(ports, 64 * wanted.size()); ++egress) {
                if ((wanted[egress / 64] >> (egress % 64) & 1) != 0) {
                    requests.add(ingress, egress, only_class);
                }
            }
        }
        matches.clear();
        recorder seen{nobody, nobody};
        arbiter.arbitrate(requests, all, all, iterations, matches, seen);

        partners match(ports, none);
        for (const crossbar_match& m : matches) {
            match[m.ingress_port] = m.egress_port;
        }
        out.write({file.text(slot), text_of(match),
                   text_of(ports, [&](unsigned p) { return arbiter.grant_pointer(p, only_class); }),
                   text_of(ports, [&](unsigned p) { return arbiter.accept_pointer(p, only_class); }),
                   text_of(seen.grants), text_of(seen.accepts)});
    }
}

}  // namespace

replay_block islip_replay() {
    return {
        "islip",
        "the iSLIP crossbar arbiter: requests per slot to matchings, pointers, grants, accepts",
        "Runs the arbiter once per line of the request file. Pointers start at 0 and keep their values "
        "from\nslot to slot. The number of ports is the number of columns in0, in1, ... There is one class.\n",
        {input_option("requests",
                      "Columns slot, in0 to in{N-1}: per ingress port a hexadecimal bitmap of the egress "
                      "ports that it requests."),
         plain_number("iterations", 1, 1024, "Request-grant-accept iterations per slot."),
         output_option("out", "A line per slot.").table<islip_row>()},
        run_islip};
}

}  // namespace weir::tb
