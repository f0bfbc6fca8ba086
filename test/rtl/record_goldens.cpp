// Lets the RTL of tb/verify/verilog/ write the goldens of test/golden/rtl/: scripts/record_rtl_goldens calls
// it.
//
//   weir_record_rtl_goldens DIR
#include <fstream>
#include <iostream>
#include <systemc>

#include "golden/rtl/arbiter_golden.h"
#include "golden/rtl/pfc_golden.h"
#include "golden/rtl/tcam_golden.h"
#include "random_requests.h"
#include "support/traced_switch.h"
#include "tb/verify/rtl/arbiter_pins.h"
#include "tb/verify/rtl/pfc_pins.h"
#include "tb/verify/rtl/tcam_pins.h"
#include "voq_driver.h"

namespace {

using namespace weir;
using namespace weir::tb;

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

void write_tcam(const std::string& name, std::uint32_t entries, unsigned cycles) {
    std::ofstream file(name);
    file << "cycle,write_index,write_valid,write_value,write_mask,write_ports,key,winner,ports\n";
    golden::random_tcam_edges stimulus(entries, 1000 + entries);
    const std::unique_ptr<tcam_pins> rtl = make_tcam_pins(entries);
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
        const golden::tcam_edge edge = stimulus.next();
        file << cycle << ',';
        if (edge.writes) {
            rtl->write(edge.index, edge.entry, edge.ports);
            file << edge.index << ',' << edge.entry.valid << ',' << golden::hex(edge.entry.value) << ','
                 << golden::hex(edge.entry.mask) << ',' << golden::text_of(edge.ports) << ',';
        } else {
            file << "-,-,-,-,-,";
        }
        if (edge.looks_up) {
            rtl->look_up(edge.key);
        }
        rtl->clock();
        file << (edge.looks_up ? golden::hex(edge.key) : "-") << ','
             << golden::text_of(golden::tcam_answer{rtl->result(), rtl->winner(), rtl->ports()}) << '\n';
    }
}

void write_pfc_receive(const std::string& name, unsigned data_width, unsigned cycles) {
    std::ofstream file(name);
    file << "cycle,enable,enable_class,acknowledge,frame,frame_enable,frame_quanta,"
            "control_frame,pfc_frame,xoff,xon,request\n";
    golden::random_receive_edges stimulus(1000 + data_width);
    pfc_receive_rtl rtl(data_width);
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
        golden::receive_edge edge = stimulus.next(rtl.outputs().request);
        file << cycle << ',' << edge.in.pfc_enable << ',' << golden::hex2(edge.in.class_enable) << ','
             << golden::hex2(edge.in.acknowledge) << ',';
        if (edge.frame) {
            file << (edge.frame->kind == frame_kind::pfc ? "pfc" : "pause") << ','
                 << golden::hex2(edge.frame->fields.class_enable) << ','
                 << golden::text_of(edge.frame->fields.quanta) << ',';
        } else {
            file << "-,-,-,";
        }
        rtl.clock(edge.inputs());
        file << golden::text_of(rtl.outputs()) << '\n';
    }
}

void write_pfc_transmit(const std::string& name, unsigned data_width, unsigned cycles) {
    std::ofstream file(name);
    file << "cycle,enable,request,resend,taken,pfc_frame,xoff,xon,paused,frame_enable,frame_quanta\n";
    golden::random_transmit_edges stimulus(1000 + data_width);
    pfc_transmit_rtl rtl(golden::transmit_config(data_width));
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
        const pfc_transmit_inputs in = stimulus.next(rtl.outputs().waiting);
        file << cycle << ',' << in.pfc_enable << ',' << golden::hex2(in.request) << ',' << in.resend << ','
             << in.taken << ',';
        rtl.clock(in);
        file << golden::text_of(rtl.outputs(), rtl.frame()) << '\n';
    }
}

void write_voq(const std::string& name) {
    std::ofstream file(name);
    file << "slot,arrivals,room,moved\n";
    unsigned number = 0;
    test::voq_driver rtl([&](const test::slot_record& slot, const std::vector<test::moved_cell>& moved) {
        file << number++ << ',' << test::text_of(slot.arrivals) << ',' << test::text_of(slot.room) << ','
             << test::text_of(moved) << '\n';
    });
    test::log_slots(500us, 7, [&](const test::slot_record& slot) { rtl.take(slot); });
    rtl.finish();
}

void write_switch(const std::string& name, unsigned ports) {
    std::ofstream file(name);
    file << "arrival_edge,ingress,egress,class,frame_bytes,departure_edge\n";
    // A port that all like, and whose memory is soon full.
    const std::vector<traced_frame> frames = test::random_trace({ports, 1000 + ports, 2000, 0.3, 0.3});
    const switch_trace_result made = run_switch_rtl(test::golden_switch(ports), frames);
    for (std::size_t n = 0; n < frames.size(); ++n) {
        const traced_frame& f = frames[n];
        file << f.arrival / test::traced_clock << ',' << f.ingress_port << ',' << f.egress_port << ','
             << unsigned{f.frame_class} << ',' << f.frame_bytes << ','
             << made.departures[n] / test::traced_clock << '\n';
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
    write_tcam(directory + "tcam_n64.csv", 64, 2000);
    write_pfc_receive(directory + "pfc_receive_d64.csv", 64, 1500);
    write_pfc_transmit(directory + "pfc_transmit_d64.csv", 64, 1500);
    write_voq(directory + "voq_crossbar_n4.csv");
    write_switch(directory + "cell_switch_n8.csv", 8);
    return 0;
}
