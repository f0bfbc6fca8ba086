// Lets the RTL of tb/rtl/ write the goldens of test/golden/rtl/: scripts/record_rtl_goldens calls it.
//
//   weir_record_rtl_goldens DIR
#include <fstream>
#include <iostream>
#include <systemc>

#include "golden/rtl/arbiter_golden.h"
#include "random_requests.h"
#include "tb/rtl/arbiter_pins.h"

namespace {

using namespace weir;

void write_islip(const std::string& name, unsigned ports, unsigned runs) {
    std::ofstream file(name);
    file << "run,iterations,free_ingress,free_egress,asking,grants,grant_pointers,accept_pointers\n";
    test::random_requests stimulus(ports, 1000 + ports);
    const std::unique_ptr<arbiter_pins> rtl = make_arbiter_pins(ports);
    golden::moved_pointers grant_pointers(ports);
    golden::moved_pointers accept_pointers(ports);
    for (unsigned run = 0; run < runs; ++run) {
        // Some runs apart, so that phases of few and of many requests are among them.
        for (unsigned skip = 0; skip < 16; ++skip) {
            stimulus.advance();
        }
        file << run << ',' << stimulus.iterations << ',' << golden::hex(stimulus.free_ingress.word(0)) << ','
             << golden::hex(stimulus.free_egress.word(0)) << ',';
        std::string asking;
        for (pfc_class c = 0; c < pfc_classes; ++c) {
            for (unsigned e = 0; e < ports; ++e) {
                const std::uint64_t set = stimulus.eligible(e, c);
                rtl->ask(e, c, set);
                if (set != 0) {
                    asking += (asking.empty() ? "" : " ") + std::to_string(c) + ":" + std::to_string(e) + ":" +
                              golden::hex(set);
                }
            }
        }
        file << (asking.empty() ? "-" : asking) << ',';
        arbiter_edge edge{true, stimulus.iterations, stimulus.free_ingress.word(0),
                          stimulus.free_egress.word(0)};
        do {
            rtl->clock(edge);
            golden::arbiter_iteration made;
            for (std::uint64_t left = rtl->granted(); left != 0; left &= left - 1) {
                const auto e = static_cast<unsigned>(__builtin_ctzll(left));
                made.grant(e, rtl->grant_ingress(e), rtl->grant_class(e));
            }
            made.accepted = rtl->accepted();
            file << (edge.start ? "" : " | ") << golden::text_of(made);
            edge.start = false;
        } while (!rtl->done());
        file << ',' << grant_pointers.take([&](unsigned p, pfc_class c) { return rtl->grant_pointer(p, c); })
             << ',' << accept_pointers.take([&](unsigned p, pfc_class c) { return rtl->accept_pointer(p, c); })
             << '\n';
    }
}

}  // namespace

int sc_main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: weir_record_rtl_goldens DIR\n";
        return 2;
    }
    const std::string directory = std::string(argv[1]) + "/";
    write_islip(directory + "islip_n8.csv", 8, 300);
    write_islip(directory + "islip_n16.csv", 16, 60);
    return 0;
}
