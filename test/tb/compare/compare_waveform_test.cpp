// Waveforms as events: a VCD file typed by hand, an FST file written by GTKWave's library, a golden trace as a
// waveform.
#include <map>

#include "compare_rig.h"
#include "golden/golden_rows.h"
#include "support/wave_texts.h"

namespace weir::test {

using namespace tb;
namespace {

class compare_waveform : public compare_rig {
 protected:
    /// The events that a map makes of a VCD file, by comparing them with none.
    std::string events_of(const std::string& vcd, const std::string& map) {
        const bool config = map.rfind("config", 0) == 0;
        EXPECT_EQ(compare(write("e.vcd", vcd),
                          write("none.csv", config ? "config,cycle,signal,value\n" : "cycle,signal,value\n"),
                          {"--expected-map", write("m.csv", map), "--list=100", "--context=0"}),
                  1);
        std::string found;
        for (const std::string& line : lines_of(report())) {
            const std::size_t at = line.find("missing, ");
            if (at != std::string::npos) {
                found += line.substr(at + 9, line.rfind(" (") - at - 9) + "\n";
            }
        }
        return found;
    }
};

/// A clock of 10 time units that rises at 5, 15, ...; `reset` falls at 12; `count` counts from then on.
const char* const counter_vcd =
    "$date today $end\n$version by hand $end\n$comment several words,\n over two lines $end\n"
    "$timescale 1 ns $end\n"
    "$scope module tb $end\n$var wire 1 ! clk $end\n$var wire 1 \" reset $end\n"
    "$scope module dut $end\n$var reg 4 # count [3:0] $end\n$var wire 8 $ bus[11:4] $end\n"
    "$var real 64 % level $end\n$var reg 1 & odd $end\n$upscope $end\n$upscope $end\n"
    "$enddefinitions $end\n"
    "#0\n$dumpvars\n0!\n1\"\nb0 #\nbx $\nr0 %\n0&\n$end\n"
    "#5 1!\n#10 0!\n#12\n0\"\n"
    "#15 1! b1 # 1& b10100101 $ r0.5 %\n#20 0!\n#25 1! b10 # 0&\n#30 0!\n#35 1! b11 #\n1&\n#40 "
    "0!\n#45\n1!\n#50\n";

TEST_F(compare_waveform, an_edge_samples_what_was_before_its_time) {
    EXPECT_EQ(
        events_of(counter_vcd, "path,event,clock\ntb.dut.count,count,tb.clk\n"),
        "signal=count, cycle 2, value 0x1\nsignal=count, cycle 3, value 0x2\nsignal=count, cycle 4, value "
        "0x3\n");
    // At the falling edge the same values have stood for half a period.
    EXPECT_EQ(
        events_of(counter_vcd, "path,event,clock\ntb.dut.count,count,negedge tb.clk\n"),
        "signal=count, cycle 1, value 0x1\nsignal=count, cycle 2, value 0x2\nsignal=count, cycle 3, value "
        "0x3\n");
}

TEST_F(compare_waveform, conditions_origins_slices_and_joined_signals_are_as_the_map_says) {
    EXPECT_EQ(events_of(counter_vcd,
                        "path,event,clock,valid,origin\n"
                        "tb.dut.count,c,tb.clk,tb.dut.odd&tb.dut.count!=3,!tb.reset\n"),
              "signal=c, cycle 1, value 0x1\n");
    EXPECT_EQ(events_of(counter_vcd,
                        "path,event,clock,valid\ntb.dut.count[1],b,tb.clk,\n"
                        "tb.dut.bus[11:8] tb.dut.bus[4],n,tb.clk,tb.dut.count=0x2\n"),
              "signal=b, cycle 3, value 1\nsignal=n, cycle 3, value 0xa 1\n");
    EXPECT_EQ(events_of(counter_vcd,
                        "path,event,clock,valid\ntb.dut.bus,bus,posedge tb.clk,tb.dut.count=0\n"
                        "tb.dut.level,real,tb.clk,\n"),
              "signal=bus, cycle 0, value 0bxxxxxxxx\nsignal=bus, cycle 1, value 0bxxxxxxxx\n"
              "signal=real, cycle 2, value 0.5\n");
    // One bit of a signal is a clock too: the lowest of the count rises at 15 and 35 and falls at 25.
    EXPECT_EQ(events_of(counter_vcd,
                        "path,event,clock,valid\ntb.dut.count,c,tb.dut.count[0],!tb.reset\n"
                        "tb.dut.count,d,negedge tb.dut.count[0],!tb.reset\n"),
              "signal=c, cycle 0, value 0x0\nsignal=d, cycle 0, value 0x1\nsignal=c, cycle 1, value 0x2\n");
    EXPECT_EQ(events_of(counter_vcd,
                        "config,path,event,clock,valid\nsmall,tb.dut.odd,odd,tb.clk,!tb.reset & tb.dut.odd\n"),
              "config=small signal=odd, cycle 2, value 1\nconfig=small signal=odd, cycle 4, value 1\n");
}

TEST_F(compare_waveform, an_event_says_when_it_was_as_a_viewer_shows_it) {
    const std::string map = write("m.csv", "path,event,clock\ntb.dut.count,count,tb.clk\n");
    const auto with_unit = [&](const std::string& name, const std::string& unit) {
        std::string text = counter_vcd;
        text.replace(text.find("1 ns"), 4, unit);
        return write(name, text);
    };
    std::string other = counter_vcd;
    other.replace(other.find("b10 #"), 5, "b11 #");
    const auto time_of = [&](const std::string& unit) {
        EXPECT_EQ(compare(write("a.vcd", other), with_unit("b.vcd", unit), {"--map", map}), 1);
        const std::size_t at = report().find("b.vcd", report().find("first mismatch"));
        return report().substr(at + 5, report().find(')', at) - at - 5);
    };
    // The second change is sampled at the edge at 35.
    EXPECT_EQ(time_of("1ns"), " at 35 ns");
    EXPECT_EQ(time_of("100 ps"), " at 3.5 ns");
    EXPECT_EQ(time_of("10 fs"), " at 0.00035 ns");
    EXPECT_EQ(time_of("1 us"), " at 35 us");
    EXPECT_EQ(time_of("10 ms"), " at 350 ms");
    EXPECT_EQ(time_of("100 s"), " at 3500 s");
    EXPECT_EQ(time_of("1 day"), "");
}

TEST_F(compare_waveform, a_change_of_what_is_not_declared_is_refused) {
    std::string text = counter_vcd;
    text.replace(text.find("b10 #"), 5, "b10 ?");
    const std::string map = write("m.csv", "path,event,clock\ntb.dut.count,count,tb.clk\n");
    expect_refusal(compare(write("a.vcd", text), write("b.vcd", counter_vcd), {"--map", map}), {"?, $var"});
}

/// A scenario of rx_events.csv as a test bench would dump it: registers change with the edge before the one
/// that samples them.
struct receiver_trace {
    wave_text wave;
    std::string map = "path,event,clock,valid,origin,config,scenario\n";
};

receiver_trace trace_of(const std::string& config, const std::string& scenario) {
    receiver_trace trace;
    trace.wave.add("clk", 1);
    trace.wave.add("running", 1);
    std::map<std::string, std::map<long, std::string>> signals;
    long last = 0;
    for (const golden::row& row : golden::rows("pfc/rx_events.csv")) {
        if (row.at("config") == config && row.at("scenario") == scenario) {
            last = std::stol(row.at("cycle"));
            signals[row.at("signal")][last] = row.at("value");
        }
    }
    const std::string rest = ",tb.dut.clk,";
    const std::string texts = ",tb.dut.running," + config + "," + scenario + "\n";
    for (const auto& [name, changes] : signals) {
        const bool level = name.rfind("rx_pfc_req", 0) == 0;
        const bool vector = name == "stat_rx_pfc_xoff" || name == "stat_rx_pfc_xon";
        trace.wave.add(name, vector ? 8 : 1);
        // Pulses are events whenever they are there, requests when they change.
        trace.map += "tb.dut." + name + "," + name + rest + (level ? "" : "tb.dut." + name) + texts;
    }
    // Six edges before cycle 0, as in the traces.
    const long before = 6;
    for (long cycle = -before; cycle <= last; ++cycle) {
        const auto edge = static_cast<unsigned long>(10 * (cycle + before) + 5);
        trace.wave.at(edge).set("clk", 1);
        for (const auto& [name, changes] : signals) {
            const bool level = name.rfind("rx_pfc_req", 0) == 0;
            const auto change = changes.find(cycle + 1);
            if (change != changes.end()) {
                trace.wave.set(name, std::stoul(change->second, nullptr, 0));
            } else if (!level) {
                trace.wave.set(name, 0);
            }
        }
        trace.wave.set("running", cycle >= -1 ? 1 : 0);
        trace.wave.at(edge + 5).set("clk", 0);
    }
    return trace;
}

TEST_F(compare_waveform, a_golden_trace_as_vcd_is_the_golden_trace) {
    const receiver_trace trace = trace_of("d32_10g", "rand_s1");
    const std::string golden = golden_path("pfc/rx_events.csv");
    const std::vector<std::string> options{"--map", write("m.csv", trace.map), "--ignore=time_ns",
                                           "--only=config=d32_10g", "--only=scenario=rand_s1"};
    EXPECT_EQ(compare(golden, write("run.vcd", trace.wave.vcd()), options), 0) << report();
    std::size_t count = 0;
    for (const golden::row& row : golden::rows("pfc/rx_events.csv")) {
        count += row.at("config") == "d32_10g" && row.at("scenario") == "rand_s1" ? 1 : 0;
    }
    EXPECT_GT(count, 100U);
    expect_in_report({"matched   " + std::to_string(count) + ", missing 0"});
    // And as both sides.
    EXPECT_EQ(compare(path("run.vcd"), path("run.vcd"), {"--map", path("m.csv")}), 0);
}

TEST_F(compare_waveform, a_golden_trace_as_fst_is_the_golden_trace) {
    if (!fst_supported) {
        GTEST_SKIP() << "built without FST (packages verilator, zlib1g-dev)";
    }
    const receiver_trace trace = trace_of("d64_10g", "rand_s2");
    trace.wave.write_fst(path("run.fst"));
    EXPECT_EQ(compare(golden_path("pfc/rx_events.csv"), path("run.fst"),
                      {"--map", write("m.csv", trace.map), "--ignore=time_ns", "--only=config=d64_10g",
                       "--only=scenario=rand_s2"}),
              0)
        << report();
    EXPECT_EQ(compare(write("run.vcd", trace.wave.vcd()), path("run.fst"), {"--map", path("m.csv")}), 0)
        << report();
}

TEST_F(compare_waveform, bits_are_taken_by_their_numbers_also_where_they_rise) {
    // asc[0] is the first bit of the text, up[9] its second; what a range does not fit is counted from its end.
    const std::string vcd =
        "$scope module tb $end\n$var wire 1 ! clk $end\n$var wire 4 a asc [0:3] $end\n"
        "$var wire 3 u up[8:10] $end\n$var wire 4 d desc [3:0] $end\n$upscope $end\n$enddefinitions $end\n"
        "#0\n0!\nb1000 a\nb011 u\nb1000 d\n#5\n1!\n";
    EXPECT_EQ(
        events_of(vcd,
                  "path,event,clock,valid\n"
                  "tb.asc[0] tb.asc[3],a,tb.clk,tb.asc[0]\ntb.asc[0:1] tb.asc[1:0],b,tb.clk,tb.asc[0]\n"
                  "tb.up[8] tb.up[9] tb.up[9:10],u,tb.clk,!tb.up[8]\ntb.desc[3] tb.desc[0],d,tb.clk,tb.asc\n"),
        "signal=a, cycle 0, value 1 0\nsignal=b, cycle 0, value 0x2 0x2\n"
        "signal=u, cycle 0, value 0 1 0x3\nsignal=d, cycle 0, value 1 0\n");
    const std::string csv = write("a.csv", "cycle,signal,value\n");
    expect_refusal(
        compare(write("w.vcd", vcd), csv,
                {"--map", write("m.csv", "path,event,clock\ntb.asc[4],a,tb.clk\ntb.up[0],u,tb.clk\n")}),
        {"m.csv:2: path: tb.asc[4], " + path("w.vcd") + ", tb.asc[0:3]", "m.csv:3: path: tb.up[0]",
         "tb.up[8:10]"});
}

TEST_F(compare_waveform, a_last_line_without_a_line_feed_is_read_and_noted) {
    const std::string whole = counter_vcd;
    const std::string map = write("m.csv", "path,event,clock\ntb.dut.count,count,tb.clk\n");
    EXPECT_EQ(compare(write("w.vcd", whole), write("c.vcd", whole.substr(0, whole.size() - 1)), {"--map", map}),
              0);
    expect_in_report(
        {"note      " + path("c.vcd") + ":", ": the last line has no line feed; if the file was cut"});
    EXPECT_EQ(report().find("note      " + path("w.vcd")), std::string::npos);
}

TEST_F(compare_waveform, lines_of_the_map_without_an_event_are_named) {
    const std::string wave = write("w.vcd", counter_vcd);
    const auto with = [&](const std::string& map) {
        return compare(wave, wave, {"--map", write("m.csv", map)});
    };
    const std::string none =
        "path,event,clock,valid,origin\ntb.dut.count,a,tb.clk,tb.dut.count=9,\n"
        "tb.dut.count,b,tb.clk,,tb.dut.count=9\ntb.clk,c,tb.clk,,\n"
        "tb.dut.count,d,tb.dut.count[3],,\n";
    EXPECT_EQ(with(none), 1);
    const std::string map = path("m.csv");
    expect_in_report(
        {"note      " + map + ":2: 'a' has no event in " + wave + ": its valid condition is never true\n",
         map + ":3: 'b' has no event in " + wave + ": its origin condition is never true\n",
         map + ":4: 'c' has no event in " + wave + ": it never changes\n",
         map + ":5: 'd' has no event in " + wave + ": its clock has no edge of this kind\n",
         "NOTHING COMPARED"});
    EXPECT_EQ(with(none + "tb.dut.count,e,tb.clk,,\n"), 0);
    expect_in_report({map + ":2: 'a' has no event", "no mismatch"});
    EXPECT_EQ(report().find("'e' has no event"), std::string::npos);
}

TEST_F(compare_waveform, bad_waveforms_are_named_with_their_lines) {
    const std::string map = write("m.csv", "path,event,clock\ntb.a,a,tb.clk\n");
    const std::string header =
        "$scope module tb $end\n$var wire 1 ! clk $end\n$var wire 2 \" a $end\n$upscope "
        "$end\n$enddefinitions $end\n";
    const auto read = [&](const std::string& text) {
        return compare(write("w.vcd", text), write("a.csv", "cycle,signal,value\n"), {"--map", map});
    };
    expect_refusal(read(""), {"w.vcd: VCD: has no $enddefinitions"});
    expect_refusal(read("cycle,value\n"), {"w.vcd:1: VCD: cycle,value"});
    expect_refusal(read("$var wire one ! a $end\n"), {"w.vcd:1: VCD: $var TYPE"});
    expect_refusal(read("$scope module\n"), {"w.vcd:1: VCD: ends within $scope"});
    expect_refusal(read("$upscope $end\n"), {"w.vcd:1: VCD: $upscope"});
    expect_refusal(read(header + "#5\nq!\n"), {"w.vcd:7: VCD: q!"});
    expect_refusal(read(header + "#5\n" + std::string(1, '\0') + "1 !\n"), {"0, 1"});
    expect_refusal(read(header + "#5\n#4\n"), {"w.vcd:7: VCD: #4, 5 and later"});
    expect_refusal(read(header + "#x\n"), {"w.vcd:6: VCD: #x"});
    expect_refusal(read(header + "#99999999999999999999999\n"),
                   {"w.vcd:6: VCD: #99999999999999999999999, #18446744073709551615"});
    expect_refusal(read(header + "b101 \"\n"), {"w.vcd:6: VCD: b101, tb.a, at most 2"});
    expect_refusal(read(header + "b1\n"), {"w.vcd:6: VCD: ends within a change"});
    expect_refusal(read(header + "#5\n1!\nb1"), {"w.vcd:8: VCD: ends within a change"});
    expect_refusal(compare(path("none.vcd"), path("a.csv"), {"--map", map}), {"none.vcd: cannot be read"});
    write("text.fst", "no waveform at all\n");
    expect_refusal(compare(path("text.fst"), path("a.csv"), {"--map", map}),
                   {fst_supported ? "text.fst: FST" : "text.fst: cannot be read: this program was built"});
}

TEST_F(compare_waveform, a_damaged_fst_file_is_refused_whatever_its_library_does) {
    if (!fst_supported) {
        GTEST_SKIP() << "built without FST (packages verilator, zlib1g-dev)";
    }
    wave_text wave;
    wave.add("clk", 1);
    wave.add("count", 8);
    for (unsigned long t = 0; t < 50; ++t) {
        wave.at(t).set("clk", t % 2).set("count", t);
    }
    wave.write_fst(path("whole.fst"));
    const std::string map = write("m.csv", "path,event,clock\ntb.dut.count,c,tb.dut.clk\n");
    const std::string whole = contents(path("whole.fst"));
    for (std::size_t at = 0; at < whole.size(); at += 7) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0xFF);
        const int status = compare(write("w.fst", damaged), path("whole.fst"), {"--map", map});
        EXPECT_TRUE(status == 0 || status == 1 || status == 2) << at << ": " << status;
    }
}

TEST_F(compare_waveform, a_name_in_scopes_within_scopes_has_a_limit) {
    std::string text;
    for (int depth = 0; depth < 70; ++depth) {
        text += "$scope module " + std::string(60, 's') + " $end\n";
    }
    expect_refusal(
        compare(write("w.vcd", text + "$var wire 1 ! a $end\n$enddefinitions $end\n"),
                write("a.csv", "cycle,signal,value\n"), {"--map", write("m.csv", "path,event,clock\na,a,a\n")}),
        {"w.vcd:71:", "4271 characters, at most 4096"});
}

TEST_F(compare_waveform, a_signal_wider_than_any_simulator_has_is_refused_at_its_declaration) {
    const std::string map = write("m.csv", "path,event,clock\ntb.a,a,tb.clk\n");
    const auto with_width = [&](const std::string& width) {
        return compare(write("w.vcd", "$scope module tb $end\n$var wire 1 ! clk $end\n$var wire " + width +
                                          " \" a $end\n$upscope $end\n$enddefinitions $end\n#0\n0!\nb1 "
                                          "\"\n#5\n1!\n"),
                       write("a.csv", "cycle,signal,value\n"), {"--map", map});
    };
    expect_refusal(with_width("1000000000"), {"w.vcd:3: tb.a: 1000000000, at most 1048576"});
    expect_refusal(with_width("18446744073709551616"),
                   {"w.vcd:3: tb.a: 18446744073709551616, at most 1048576"});
    expect_refusal(with_width("1048577"), {"w.vcd:3: tb.a: 1048577, at most 1048576"});
    expect_refusal(with_width("18446744073709551615"), {"w.vcd:3: tb.a: 18446744073709551615"});
    expect_refusal(with_width("99999999999999999999"), {"w.vcd:3: tb.a: has"});
    write("m.csv", "path,event,clock,valid\ntb.a,a,tb.clk,!tb.clk\n");
    EXPECT_EQ(with_width("1048576"), 1);
    expect_in_report({"value 0x0000000000000001"});
}

TEST_F(compare_waveform, values_of_a_wide_signal_take_the_time_and_memory_of_their_text) {
    // Written out, these 100,000 values have 100 GB.
    std::string vcd =
        "$scope module tb $end\n$var wire 1 ! clk $end\n$var wire 1048576 \" a $end\n$upscope $end\n"
        "$enddefinitions $end\n";
    std::string csv = "cycle,signal,value\n";
    for (int cycle = 0; cycle < 100'000; ++cycle) {
        const int time = 10 * cycle;
        vcd += "#" + std::to_string(time) + "\n0!\nb1" + (cycle % 2 == 0 ? "0" : "x") + " \"\n#" +
               std::to_string(time + 5) + "\n1!\n";
        csv += std::to_string(cycle) + ",a," + (cycle % 2 == 0 ? "2" : "0b1x") + "\n";
    }
    EXPECT_EQ(compare(write("a.csv", csv), write("w.vcd", vcd),
                      {"--map", write("m.csv", "path,event,clock,valid\ntb.a,a,tb.clk,tb.clk=0\n")}),
              0)
        << report();
    expect_in_report({"matched   100,000, missing 0"});
}

TEST_F(compare_waveform, a_short_value_is_extended_before_its_bits_are_taken) {
    const std::string vcd =
        "$scope module tb $end\n$var wire 1 ! clk $end\n$var wire 8 b bus [7:0] $end\n$upscope $end\n"
        "$enddefinitions $end\n#0\n0!\nb1x b\n#5\n1!\n#10\n0!\nbz b\n#15\n1!\n#20\n0!\nb110 b\n#25\n1!\n";
    EXPECT_EQ(events_of(vcd,
                        "path,event,clock,valid\n"
                        "tb.bus tb.bus[7:4] tb.bus[2:1] tb.bus[7] tb.bus[0],s,tb.clk,!tb.clk\n"),
              "signal=s, cycle 0, value 0b0000001x 0x0 0x1 0 x\n"
              "signal=s, cycle 1, value 0bzzzzzzzz 0bzzzz 0bzz z z\n"
              "signal=s, cycle 2, value 0x06 0x0 0x3 0 0\n");
}

/// A clock, a bit that rises after the first edge, and a vector that is 3 from then on.
std::string vcd_of(const std::string& declarations, const std::string& first_changes = "0\"\nb0000 #\n") {
    return "$timescale 1ns $end\n" + declarations + "$enddefinitions $end\n#0\n0!\n" + first_changes +
           "#5\n1!\n#10\n0!\nb0011 #\n1\"\n#15\n1!\n#20\n0!\n#25\n1!\n";
}
constexpr const char* three_signals =
    "$var wire 1 ! clk $end\n$var wire 1 \" v $end\n$var wire 4 # d [3:0] $end\n";

TEST_F(compare_waveform, files_of_verilator_firtool_ghdl_and_nvc_are_read) {
    const auto events = [&](const std::string& vcd, const std::string& scope) {
        return events_of(
            vcd, "path,event,clock\n" + scope + "v,v," + scope + "clk\n" + scope + "d,d," + scope + "clk\n");
    };
    const std::string right = "signal=v, cycle 1, value 1\nsignal=d, cycle 1, value 0x3\n";
    const std::string top = three_signals + std::string("$upscope $end\n");
    // Verilator's empty name, also on one line; firtool's scope without a type; neither.
    EXPECT_EQ(
        events(vcd_of("$scope module  $end\n$scope module top $end\n" + top + "$upscope $end\n"), ".top."),
        right);
    EXPECT_EQ(events(vcd_of("$scope vhdl_architecture $end " + top), "."), right);
    EXPECT_EQ(events(vcd_of("$scope top $end\n" + top), "top."), right);
    EXPECT_EQ(events(vcd_of("$scope $end\n" + top), "."), right);
    // Declarations without a type, and with those of VHDL.
    EXPECT_EQ(events(vcd_of("$scope module top $end\n$comment vin is not handled $end\n$var 1 ! clk $end\n"
                            "$var std_logic 1 \" v $end\n$var 4 # d[3:0] $end\n$upscope $end\n"),
                     "top."),
              right);
    // Signals without bits, whose values tools write in different ways.
    for (const char* none : {"", "b0 %\n", "b %\n", "0%\n", "bx %\n"}) {
        EXPECT_EQ(events(vcd_of("$scope module top $end\n$var wire 0 % nothing $end\n" + top,
                                "0\"\nb0000 #\n" + std::string(none)),
                         "top."),
                  right)
            << none;
    }
    expect_refusal(
        compare(write("w.vcd", vcd_of("$scope module top $end\n$var wire 0 % nothing $end\n" + top, "b01 %\n")),
                write("a.csv", "cycle,signal,value\n"),
                {"--map", write("m.csv", "path,event,clock\ntop.nothing,n,top.clk\n")}),
        {"w.vcd:11: VCD: b01, top.nothing, at most 0, 0, 1, x, z"});
}

TEST_F(compare_waveform, nine_values_are_read_as_four) {
    const std::string top = "$scope module top $end\n" + std::string(three_signals) + "$upscope $end\n";
    const std::string map = "path,event,clock,valid\ntop.v top.d,s,top.clk,!top.clk\n";
    const auto first_value = [&](const std::string& first_changes) {
        const std::string events = events_of(vcd_of(top, first_changes), map);
        return events.substr(0, events.find('\n'));
    };
    EXPECT_EQ(first_value("U\"\nbUUUU #\n"), "signal=s, cycle 0, value x 0bxxxx");
    EXPECT_EQ(first_value("W\"\nb-W01 #\n"), "signal=s, cycle 0, value x 0bxx01");
    EXPECT_EQ(first_value("-\"\nbZXLH #\n"), "signal=s, cycle 0, value x 0bzx01");
    EXPECT_EQ(first_value("L\"\nBHLHL #\n"), "signal=s, cycle 0, value 0 0xa");
    EXPECT_EQ(first_value("h\"\nbhlz1 #\n"), "signal=s, cycle 0, value 1 0b10z1");
    // Short texts are extended as the bits that they stand for.
    EXPECT_EQ(first_value("Z\"\nbL #\n"), "signal=s, cycle 0, value z 0x0");
    EXPECT_EQ(first_value("z\"\nbU1 #\n"), "signal=s, cycle 0, value z 0bxxx1");
    // A clock that rises from L to H has edges.
    std::string weak = vcd_of(top);
    for (std::size_t at = weak.find("\n#0"); (at = weak.find_first_of("01", at + 1)) != std::string::npos;) {
        if (weak[at + 1] == '!') {
            weak[at] = weak[at] == '0' ? 'L' : 'H';
        }
    }
    EXPECT_EQ(events_of(weak, map), events_of(vcd_of(top), map));
}

TEST_F(compare_waveform, nine_values_of_an_fst_file_are_read_as_four) {
    if (!fst_supported) {
        GTEST_SKIP() << "built without FST (packages verilator, zlib1g-dev)";
    }
    wave_text wave;
    wave.add("clk", 1);
    wave.add("v", 1);
    wave.add("d", 4);
    wave.at(0).set_bits("v", "u").set_bits("d", "uw-x");
    wave.at(5).set("clk", 1);
    wave.at(7).set("clk", 0).set_bits("v", "l").set_bits("d", "lhz1");
    wave.at(15).set("clk", 1);
    wave.write_fst(path("nine.fst"));
    EXPECT_EQ(compare(write("a.csv", "cycle,signal,value\n0,s,x 0bx\n1,s,0 0b01z1\n"), path("nine.fst"),
                      {"--map", write("m.csv",
                                      "path,event,clock,valid\n"
                                      "tb.dut.v tb.dut.d,s,tb.dut.clk,!tb.dut.clk\n")}),
              0)
        << report();
}

TEST_F(compare_waveform, conditions_hold_for_numbers_of_any_width) {
    const std::string high = "1" + std::string(69, '0');
    const std::string vcd =
        "$scope module tb $end\n$var wire 1 ! clk $end\n$var wire 70 w wide $end\n$upscope $end\n"
        "$enddefinitions $end\n#0\n0!\nb" +
        high + " w\n#5\n1!\n#10\n0!\nb101 w\n#15\n1!\n#20\n0!\nb1x1 w\n#25\n1!\n";
    // 2^69 in two notations; a bit that is not known makes every condition fail.
    EXPECT_EQ(events_of(vcd,
                        "path,event,clock,valid\ntb.clk,a,tb.clk,tb.wide=590295810358705651712\n"
                        "tb.clk,b,tb.clk,tb.wide=0X200000000000000000\ntb.clk,c,tb.clk,tb.wide=0b101\n"
                        "tb.clk,d,tb.clk,tb.wide\ntb.clk,e,tb.clk,!tb.wide\n"),
              "signal=a, cycle 0, value 0\nsignal=b, cycle 0, value 0\nsignal=d, cycle 0, value 0\n"
              "signal=d, cycle 1, value 0\nsignal=c, cycle 1, value 0\n");
}

TEST_F(compare_waveform, bad_maps_are_named_with_their_lines) {
    const std::string wave = write("w.vcd", counter_vcd);
    const std::string csv = write("a.csv", "cycle,signal,value\n");
    const auto with = [&](const std::string& map) {
        return compare(wave, csv, {"--map", write("m.csv", map)});
    };
    expect_refusal(with("path,event\na,b\n"), {"m.csv:1: clock: missing"});
    expect_refusal(with("path,event,clock\n"), {"m.csv: no lines"});
    expect_refusal(with("path,event,clock,cycle\na,b,c,d\n"), {"m.csv:1: cycle: is a column of the events"});
    expect_refusal(with("path,event,clock,valid,origin\n,,x y,a=,a&\n"),
                   {"m.csv:2: path: empty", "m.csv:2: event: empty", "m.csv:2: clock: x y",
                    "m.csv:2: valid: a=", "m.csv:2: origin: a&"});
    // A decimal number that is too long to convert would differ from every signal.
    expect_refusal(
        with("path,event,clock,valid\ntb.dut.count,c,tb.clk,tb.dut.count!=" + std::string(20'001, '9') + "\n"),
        {"m.csv:2: valid: ", "condition"});
    expect_refusal(with("path,event,clock,valid\ndut.count,c,tb.dut.count,tb.dut.count[4]\n"),
                   {"m.csv:2: path: dut.count, " + wave, "such as tb.dut.count", "m.csv:2: clock: tb.dut.count",
                    "m.csv:2: valid: tb.dut.count[4]"});
    expect_refusal(compare(wave, csv), {"w.vcd: --map"});
    expect_refusal(compare(csv, csv, {"--map=m.csv"}), {"--map: no effect"});
    expect_refusal(compare(wave, csv, {"--map=m.csv", "--expected-map=m.csv", "--actual-map=m.csv"}),
                   {"--expected-map: --map", "--actual-map: --map", "--actual-map: " + csv + ", no effect"});
}

}  // namespace
}  // namespace weir::test
