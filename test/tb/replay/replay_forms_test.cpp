// More than the golden files have: more ports, wider keys, other data widths and latencies, columns in another
// order, against literal readings and closed forms.
#include <array>
#include <cstdio>
#include <iomanip>

#include "support/replay_rig.h"
#include "weir/base/rng.h"

namespace weir::test {

using namespace tb;
namespace {

class replay_forms : public replay_rig {};

std::string joined(const std::vector<int>& values) {
    std::string text;
    for (const int v : values) {
        text += (text.empty() ? "" : " ") + std::to_string(v);
    }
    return text;
}

std::string random_hex(random_stream& chance, unsigned bits) {
    std::string digits;
    for (unsigned left = bits; left > 0;) {
        const unsigned here = left % 4 != 0 ? left % 4 : 4;
        digits += "0123456789abcdef"[chance.below(1U << here)];
        left -= here;
    }
    return digits;
}

bool bit(const std::string& hex, unsigned b) {
    if (b / 4 >= hex.size()) {
        return false;
    }
    const char digit = hex[hex.size() - 1 - b / 4];
    return ((digit <= '9' ? digit - '0' : digit - 'a' + 10) >> (b % 4) & 1) != 0;
}

// ---- iSLIP ----------------------------------------------------------------------------------------------

/// McKeown 1999, word for word: every step over all ports.
class literal_islip {
 public:
    explicit literal_islip(int ports) : m_ports(ports), m_grant(ports), m_accept(ports) {}

    std::string slot(const std::vector<std::string>& requests, int iterations) {
        std::vector<int> match(m_ports, -1);
        std::vector<bool> egress_taken(m_ports);
        std::string grants_text;
        std::string accepts_text;
        for (int i = 0; i < iterations; ++i) {
            std::vector<int> grants(m_ports, -1);
            std::vector<int> accepts(m_ports, -1);
            for (int egress = 0; egress < m_ports; ++egress) {
                for (int k = m_ports; k-- > 0;) {
                    const int ingress = (m_grant[egress] + k) % m_ports;
                    if (!egress_taken[egress] && match[ingress] < 0 && bit(requests[ingress], egress)) {
                        grants[egress] = ingress;
                    }
                }
            }
            for (int ingress = 0; ingress < m_ports; ++ingress) {
                for (int k = m_ports; k-- > 0;) {
                    const int egress = (m_accept[ingress] + k) % m_ports;
                    if (grants[egress] == ingress) {
                        accepts[ingress] = egress;
                    }
                }
            }
            for (int ingress = 0; ingress < m_ports; ++ingress) {
                const int egress = accepts[ingress];
                if (egress < 0) {
                    continue;
                }
                match[ingress] = egress;
                egress_taken[egress] = true;
                if (i == 0) {
                    m_grant[egress] = (ingress + 1) % m_ports;
                    m_accept[ingress] = (egress + 1) % m_ports;
                }
            }
            grants_text += (i == 0 ? "" : "|") + joined(grants);
            accepts_text += (i == 0 ? "" : "|") + joined(accepts);
        }
        return joined(match) + "," + joined(m_grant) + "," + joined(m_accept) + "," + grants_text + "," +
               accepts_text;
    }

 private:
    int m_ports;
    std::vector<int> m_grant;
    std::vector<int> m_accept;
};

TEST_F(replay_forms, islip_of_up_to_256_ports_agrees_with_a_literal_reading) {
    random_stream chance{1, 2, random_purpose::adversary};
    for (const auto& [ports, iterations, slots] :
         {std::array{1, 2, 3}, std::array{3, 1, 40}, std::array{64, 4, 20}, std::array{65, 5, 20},
          std::array{256, 8, 4}}) {
        SCOPED_TRACE(ports);
        std::string requests = "slot,pattern";
        for (int p = 0; p < ports; ++p) {
            requests += ",in" + std::to_string(p);
        }
        std::string expected = "slot,match,gptr_after,aptr_after,grants_per_iter,accepts_per_iter\n";
        literal_islip reference(ports);
        for (int slot = 0; slot < slots; ++slot) {
            std::vector<std::string> wanted;
            requests += "\n" + std::to_string(slot) + ",random";
            for (int p = 0; p < ports; ++p) {
                wanted.push_back(random_hex(chance, static_cast<unsigned>(ports)));
                requests += "," + wanted.back();
            }
            expected += std::to_string(slot) + "," + reference.slot(wanted, iterations) + "\n";
        }
        expect_success({"islip", "--requests", write("r.csv", requests + "\n"),
                        "--iterations=" + std::to_string(iterations), "--out", path("o.csv")});
        expect_same_text(written("o.csv"), expected);
    }
}

TEST_F(replay_forms, columns_stand_in_any_order_and_answers_are_not_read) {
    expect_success({"islip", "--requests", write("r.csv", "in1,match,slot,in0\n2,nonsense,7,2\n"),
                    "--iterations", "1", "--out", path("o.csv")});
    // Both ask for egress port 1; its pointer stands at ingress port 0.
    EXPECT_EQ(lines_of(written("o.csv")).at(1), "7,1 -1,0 1,0 0,-1 0,1 -1");
}

// ---- lookups --------------------------------------------------------------------------------------------

TEST_F(replay_forms, tcam_of_any_key_width_agrees_with_the_definition_bit_by_bit) {
    random_stream chance{1, 3, random_purpose::adversary};
    for (const unsigned bits : {1U, 7U, 33U, 64U, 65U, 128U, 200U}) {
        SCOPED_TRACE(bits);
        constexpr unsigned entries = 40;
        std::vector<std::string> values;
        std::vector<std::string> masks;
        std::vector<bool> valid;
        std::string table = "table,index,valid,value_hex,xmask_hex(1=dont_care)\n";
        for (unsigned e = 0; e < entries; ++e) {
            values.push_back(random_hex(chance, bits));
            // Most bits are don't care, or no key of this width would ever match.
            masks.push_back(random_hex(chance, bits));
            for (char& digit : masks.back()) {
                digit = bits > 8 && chance.below(8) != 0 ? 'f' : digit;
            }
            if (bits % 4 != 0) {
                masks.back()[0] = "0137"[bits % 4];
            }
            valid.push_back(chance.below(5) != 0);
            table +=
                "t," + std::to_string(e) + "," + (valid[e] ? "1," : "0,") + values[e] + "," + masks[e] + "\n";
        }
        for (const bool standard : {true, false}) {
            std::string lookups = "table,key_hex\n";
            std::string expected =
                "table,key_hex,first_index(-1=miss),match_count,latency_cycles,all_matching_indices_"
                "ascending\n";
            for (unsigned l = 0; l < 200; ++l) {
                // Half of the keys are values, so that something matches.
                const std::string key =
                    chance.below(2) == 0 ? random_hex(chance, bits) : values[chance.below(entries)];
                std::vector<int> matches;
                for (unsigned e = 0; e < entries; ++e) {
                    bool match = valid[e];
                    for (unsigned b = 0; b < bits && match; ++b) {
                        match = bit(masks[e], b) ? standard || !bit(values[e], b)
                                                 : bit(values[e], b) == bit(key, b);
                    }
                    if (match) {
                        matches.push_back(static_cast<int>(e));
                    }
                }
                lookups += "t," + key + "\n";
                expected += "t," + key + "," + std::to_string(matches.empty() ? -1 : matches[0]) + "," +
                            std::to_string(matches.size()) + ",5," + joined(matches) + "\n";
            }
            expect_success({"tcam", "--table", write("t.csv", table), "--lookups", write("l.csv", lookups),
                            "--out", path("o.csv"), "--lookup-latency=5",
                            standard ? "--rule=standard" : "--rule=canonical_values_only"});
            expect_same_text(written("o.csv"), expected);
        }
    }
}

TEST_F(replay_forms, a_key_wider_than_the_table_matches_only_where_its_surplus_is_zero) {
    const std::string table = write("t.csv",
                                    "table,index,valid,value_hex,xmask_hex\n"
                                    "t,0,1,00,ff\n");
    EXPECT_EQ(run({"tcam", "--table", table, "--lookups", write("l.csv", "table,key_hex\nt,0055\nt,155\n"),
                   "--out", path("o.csv")}),
              0);
    EXPECT_NE(err().find("l.csv: 2 keys have more digits than all lines of table 't' (2)"), std::string::npos);
    EXPECT_EQ(lines_of(written("o.csv")).at(1), "t,0055,0,1,3,0");
    EXPECT_EQ(lines_of(written("o.csv")).at(2), "t,155,-1,0,3,");
}

TEST_F(replay_forms, lpm_takes_ipv6_prefixes_and_derives_the_latency_from_the_entries) {
    const std::string table = write("t.csv",
                                    "table,seq,op,index,prefix_hex,plen(0=erase)\n"
                                    "v6,0,insert,0,20010db8000000000000000000000000,32\n"
                                    "v6,1,insert,1,20010db8000100000000000000000000,48\n"
                                    "v6,2,insert,2,20010db8000100000000000000000001,128\n"
                                    "v6,3,insert,3,80000000000000000000000000000000,1\n"
                                    "v6,4,erase,2,20010db8000100000000000000000001,0\n"
                                    "v6,5,overwrite,1,20010db8000100020000000000000000,64\n");
    const std::string lookups = write("l.csv",
                                      "table,phase,key_hex\n"
                                      "v6,initial,20010db8000100000000000000000001\n"
                                      "v6,initial,20010db8000100000000000000000002\n"
                                      "v6,after_update_1,20010db8000100000000000000000001\n"
                                      "v6,after_update_2,20010db8000100000000000000000001\n"
                                      "v6,after_update_2,20010db8000100020000000000000001\n"
                                      "v6,initial,20010db8000100020000000000000001\n"
                                      "v6,initial,ffffffffffffffffffffffffffffffff\n"
                                      "v6,initial,7fffffffffffffffffffffffffffffff\n");
    expect_success({"lpm", "--table", table, "--lookups", lookups, "--out", path("o.csv")});
    EXPECT_EQ(written("o.csv"),
              "table,phase,key_hex,index(-1=miss),latency_cycles\n"
              "v6,initial,20010db8000100000000000000000001,2,5\n"
              "v6,initial,20010db8000100000000000000000002,1,5\n"
              "v6,after_update_1,20010db8000100000000000000000001,1,5\n"
              "v6,after_update_2,20010db8000100000000000000000001,0,5\n"
              "v6,after_update_2,20010db8000100020000000000000001,1,5\n"
              "v6,initial,20010db8000100020000000000000001,1,5\n"
              "v6,initial,ffffffffffffffffffffffffffffffff,3,5\n"
              "v6,initial,7fffffffffffffffffffffffffffffff,-1,5\n");
}

TEST_F(replay_forms, cam_has_keys_of_any_width_and_bitmaps_of_any_length) {
    const std::string key = "0123456789abcdef0123456789abcdef01";
    const std::string other = "1123456789abcdef0123456789abcdef01";
    const std::string operations = write("o.csv",
                                         "style,op,arg_addr,arg_key_hex,arg_delete\n"
                                         "BRAM,init,,,\n"
                                         "BRAM,W,70," +
                                             key +
                                             ",0\n"
                                             "BRAM,W,3," +
                                             key +
                                             ",0\n"
                                             "BRAM,L,," +
                                             key +
                                             ",\n"
                                             "BRAM,L,," +
                                             other +
                                             ",\n"
                                             "BRAM,W,3,,1\n"
                                             "BRAM,L,," +
                                             key +
                                             ",\n"
                                             "BRAM,init,,,\n"
                                             "BRAM,L,," +
                                             key + ",\n");
    expect_success({"cam", "--operations", operations, "--out", path("r.csv"), "--bram-init=7"});
    EXPECT_EQ(written("r.csv"),
              "style,op,arg_addr,arg_key_hex,arg_delete,hit,index,match_many_hex,cycles\n"
              "BRAM,init,,,,,,,7\n"
              "BRAM,W,70," +
                  key +
                  ",0,,,,4\n"
                  "BRAM,W,3," +
                  key +
                  ",0,,,,4\n"
                  "BRAM,L,," +
                  key +
                  ",,1,3,400000000000000008,1\n"
                  "BRAM,L,," +
                  other +
                  ",,0,-1,0,1\n"
                  "BRAM,W,3,,1,,,,2\n"
                  "BRAM,L,," +
                  key +
                  ",,1,70,400000000000000000,1\n"
                  "BRAM,init,,,,,,,7\n"
                  "BRAM,L,," +
                  key + ",,0,-1,0,1\n");
}

// ---- marking --------------------------------------------------------------------------------------------

TEST_F(replay_forms, red_loses_what_exceeds_the_limit_and_what_may_not_be_marked) {
    const std::string scenarios = write("s.csv",
                                        "scenario,unit,limit,min_th,max_th,q_weight,1/max_p,gentle\n"
                                        "x,B,3000,1000,1000,1,1,0\n");
    const std::string stimuli = write("x.stim.csv",
                                      "i,t_ns,event,size,ect,u\n"
                                      "0,1,ENQ,1000,0,0\n"
                                      "1,2,ENQ,600,0,0\n"  // not ECN-capable
                                      "2,3,ENQ,1500,1,0\n"
                                      "3,4,ENQ,501,1,0\n"  // one byte too much
                                      "4,5,ENQ,500,1,0\n"
                                      "5,6,DEQ,0,0,0\n"
                                      "6,7,DEQ,0,0,0\n"
                                      "7,8,DEQ,0,0,0\n"
                                      "8,9,DEQ,0,0,0\n");
    expect_success({"red", "--scenarios", scenarios, "--stimuli", stimuli, "--out", path("o.csv")});
    EXPECT_EQ(written("o.csv"),
              "i,event,q_before,q_after,q_ge_k,q_gt_k,q_incl_gt_k\n"
              "0,ENQ,0,1000,0,0,0\n"
              "1,ENQ,1000,1000,1,0,1\n"
              "2,ENQ,1000,2500,1,0,1\n"
              "3,ENQ,2500,2500,1,1,1\n"
              "4,ENQ,2500,3000,1,1,1\n"
              "5,DEQ,3000,2000,,,\n"
              "6,DEQ,2000,500,,,\n"
              "7,DEQ,500,0,,,\n"
              "8,DEQ,0,0,,,\n");
}

// ---- PFC receive ----------------------------------------------------------------------------------------

std::string pfc_hex(unsigned enable, const std::array<unsigned, 8>& quanta) {
    std::ostringstream hex;
    hex << "0180c20000015a51525354558808010100" << std::hex << std::setfill('0') << std::setw(2) << enable;
    for (const unsigned q : quanta) {
        hex << std::setw(4) << q;
    }
    return hex.str() + std::string(120 - hex.str().size(), '0');
}

TEST_F(replay_forms, pfc_rx_pauses_for_512_bit_times_per_quantum_at_any_data_width) {
    for (const unsigned width : {8U, 16U, 24U, 128U, 256U, 1024U}) {
        SCOPED_TRACE(width);
        const unsigned quanta = 7;
        const unsigned last = 100;
        const std::string scenarios = write(
            "s.csv",
            "config,data_width_bits,clk_period_ps,scenario,ack_mode,ack_delay_cycles,end_cycle,description\n"
            "c," +
                std::to_string(width) + ",2500,x,always,0,2000,\"a, b\"\n");
        const std::string stimuli =
            write("i.csv", "config,scenario,cycle_last_beat,tuser_bad_fcs,frame_hex\nc,x," +
                               std::to_string(last) + ",0," + pfc_hex(4, {0, 0, quanta}) + "\n");
        expect_success({"pfc-rx", "--scenarios", scenarios, "--stimuli", stimuli, "--out-intervals",
                        path("o.csv"), "--out-events", path("e.csv")});
        // A counter of 1/256 quanta that loses width / 2 per cycle.
        const unsigned long cycles = (quanta * 512UL + width - 1) / width;
        char share[32];
        std::snprintf(share, sizeof share, "%.4f", static_cast<double>(cycles) * width / 512);
        const auto ns = [](unsigned long n) {
            return std::to_string(n * 2500 / 1000) + "." + std::to_string(1000 + n * 2500 % 1000).substr(1);
        };
        const std::string start = std::to_string(last + 3);
        const std::string end = std::to_string(last + 3 + cycles);
        EXPECT_EQ(written("o.csv"),
                  "config,scenario,class,start_cycle,end_cycle,duration_cycles,duration_ns,duration_quanta\n"
                  "c,x,2," +
                      start + "," + end + "," + std::to_string(cycles) + "," + ns(cycles) + "," + share + "\n");
        EXPECT_EQ(written("e.csv"),
                  "config,scenario,cycle,time_ns,signal,value\n"
                  "c,x,101,252.500,mcf_valid,1\n"
                  "c,x,102,255.000,stat_rx_pfc_pkt,1\n"
                  "c,x,102,255.000,stat_rx_pfc_xoff,0x04\n"
                  "c,x,103,257.500,rx_pfc_req[2],1\n"
                  "c,x," +
                      end + "," + ns(last + 3 + cycles) + ",rx_pfc_req[2],0\n");
    }
}

TEST_F(replay_forms, pfc_rx_latencies_and_timers_are_options) {
    const std::string scenarios =
        write("s.csv",
              "config,data_width_bits,clk_period_ps,scenario,ack_mode,ack_delay_cycles,end_cycle,quanta_step\n"
              "c,64,1000,x,follow,10,400,64\n");
    const std::string stimuli = write(
        "i.csv", "config,scenario,cycle_last_beat,tuser_bad_fcs,frame_hex\nc,x,50,0," + pfc_hex(1, {5}) + "\n");
    const std::vector<std::string> common{"pfc-rx",      "--scenarios",  scenarios,
                                          "--stimuli",   stimuli,        "--out-intervals",
                                          path("o.csv"), "--out-events", path("e.csv")};
    auto args = common;
    args.insert(args.end(),
                {"--parsed-latency=4", "--statistics-latency=6", "--request-latency=9", "--timers=always"});
    expect_success(args);
    // 5 quanta at 64/256 quantum per cycle.
    EXPECT_EQ(
        lines_of(written("e.csv")),
        (std::vector<std::string>{"config,scenario,cycle,time_ns,signal,value", "c,x,54,54.000,mcf_valid,1",
                                  "c,x,56,56.000,stat_rx_pfc_pkt,1", "c,x,56,56.000,stat_rx_pfc_xoff,0x01",
                                  "c,x,59,59.000,rx_pfc_req[0],1", "c,x,79,79.000,rx_pfc_req[0],0"}));
    // The timer waits for the acknowledge, delay + 1 cycles.
    expect_success(common);
    EXPECT_EQ(lines_of(written("o.csv")).at(1), "c,x,0,53,84,31,31.000,3.8750");
}

TEST_F(replay_forms, a_pause_that_outlasts_the_scenario_is_said) {
    const std::string scenarios =
        write("s.csv",
              "config,data_width_bits,clk_period_ps,scenario,ack_mode,ack_delay_cycles,end_cycle\n"
              "c,64,1000,x,always,0,60\n");
    const std::string stimuli = write(
        "i.csv", "config,scenario,cycle_last_beat,tuser_bad_fcs,frame_hex\nc,x,50,0," + pfc_hex(1, {5}) + "\n");
    EXPECT_EQ(run({"pfc-rx", "--scenarios", scenarios, "--stimuli", stimuli, "--out-intervals", path("o.csv"),
                   "--out-events", path("e.csv")}),
              0);
    EXPECT_EQ(err(), "note: c x: a pause lasts beyond end_cycle and is not written to the intervals\n");
    EXPECT_EQ(lines_of(written("o.csv")).size(), 1U);
}

// ---- PFC transmit and the 10G MAC -----------------------------------------------------------------------

const std::string eight_quanta = "9 9 9 9 9 9 9 9,100 100 100 100 100 100 100 100";

TEST_F(replay_forms, pfc_tx_latencies_refresh_and_address_are_options) {
    const std::string scenarios =
        write("s.csv",
              "config,data_width_bits,clk_period_ps,scenario,gap_mode,end_cycle,quanta_k0..k7,refresh_k0..k7\n"
              "c,1024,500,x,0,90," +
                  eight_quanta + "\n");
    const std::string stimuli = write("i.csv",
                                      "config,scenario,kind,cycle,value,nbytes\n"
                                      "c,x,data_frame_offered,80,name,300\n"
                                      "c,x,tx_pfc_req,10,0x81,\n");
    const std::string head =
        "config,scenario,type,cycle_first_beat,cycle_last_beat,time_first_ns,time_last_ns,nbytes,class_enable,"
        "t0,t1,t2,t3,t4,t5,t6,t7,frame_hex\n";
    const std::string tail =
        ",60,0x0081,9,0,0,0,0,0,0,9,0180c2000001020000000aff88080101008100090000000000000000"
        "0000000000090000000000000000000000000000000000000000000000000000\n";
    expect_success({"pfc-tx", "--scenarios", scenarios, "--stimuli", stimuli, "--out-frames", path("f.csv"),
                    "--out-events", path("e.csv"), "--launch-latency=3", "--first-beat-latency=7",
                    "--refresh-extra=2", "--source-address=02:00:00:00:0a:ff"});
    // One quantum is half a cycle: 50 cycles, and 2.
    EXPECT_EQ(written("f.csv"), head + "c,x,pfc,17,17,8.500,8.500" + tail + "c,x,pfc,69,69,34.500,34.500" +
                                    tail + "c,x,data,81,83,40.500,41.500,300,,,,,,,,,,\n");
    EXPECT_EQ(written("e.csv"),
              "config,scenario,cycle,time_ns,signal,value\n"
              "c,x,10,5.000,in.tx_pfc_req,0x81\n"
              "c,x,12,6.000,stat_tx_pfc_paused,0x81\n"
              "c,x,13,6.500,stat_tx_pfc_pkt,1\n"
              "c,x,13,6.500,stat_tx_pfc_xoff,0x81\n"
              "c,x,65,32.500,stat_tx_pfc_pkt,1\n"
              "c,x,65,32.500,stat_tx_pfc_xoff,0x81\n"
              "c,x,80,40.000,data_accepted_first_beat,name\n");
}

TEST_F(replay_forms, mac10g_with_64_bits_counts_gaps_and_latencies_as_told) {
    const std::string scenarios =
        write("s.csv",
              "config,data_width_bits,clk_period_ps,scenario,end_cycle,controls,data_frames,quanta_k0..k7,"
              "refresh_k0..k7\n"
              "m,64,6400,x,120,30:0x01,10:60:7 10:61:8," +
                  eight_quanta + "\n");
    const std::vector<std::string> args{"mac10g",      "--scenarios",  scenarios,    "--out-frames",
                                        path("f.csv"), "--out-events", path("e.csv")};
    expect_success(args);
    // 72 octets end in lane 0; 12 octets on is lane 4 of the word after.
    EXPECT_EQ(
        written("f.csv"),
        "config,scenario,type,start_cycle,start_lane,term_cycle,term_lane,start_ns,nbytes_incl_preamble,"
        "hex_from_S_to_FCS(pfc)_or_first22(data)\n"
        "m,x,data,12,0,21,0,76.800,72,fb555555555555d50202020202020202020202021314\n"
        "m,x,data,22,4,31,5,140.800,73,fb555555555555d50202020202020202020202021415\n"
        "m,x,pfc,35,0,44,0,224.000,72,fb555555555555d50180c20000015a51525354558808010100010009000000000000"
        "00000000000000000000000000000000000000000000000000000000000000000000d954da2c\n");
    auto told = args;
    told.insert(told.end(),
                {"--idle-octets=20", "--deficit-idle=off", "--receive-latency=10", "--minimum-frame=80"});
    expect_success(told);
    EXPECT_EQ(lines_of(written("f.csv")).at(1).substr(0, 24), "m,x,data,12,0,23,0,76.80");
    // 20 octets on: lane 4, two words later.
    EXPECT_EQ(lines_of(written("f.csv")).at(2).substr(0, 24), "m,x,data,25,4,36,4,160.0");
    // From the word with the last octet before the FCS (12 + 83 / 8) to the receiver's output, and one more.
    EXPECT_NE(written("e.csv").find("m,x,33,211.200,rx_axis_tlast.tuser,0"), std::string::npos)
        << written("e.csv");
}

}  // namespace
}  // namespace weir::test
