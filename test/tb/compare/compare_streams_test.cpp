// How `weir compare` pairs events, and what it calls those that have no partner.
#include "compare_rig.h"
#include "weir/base/rng.h"

namespace weir::test {

using namespace tb;
namespace {

class compare_streams : public compare_rig {
 protected:
    /// One stream of pulses: `10 20 30` are their cycles, `10=a` has a value.
    static std::string pulses(const std::string& text) {
        std::string made = "cycle,signal,value\n";
        std::istringstream in(text);
        for (std::string pulse; in >> pulse;) {
            const std::size_t equals = pulse.find('=');
            made += pulse.substr(0, equals) + ",s," +
                    (equals == std::string::npos ? "1" : pulse.substr(equals + 1)) + "\n";
        }
        return made;
    }
    /// Counts in the order missing, extra, late, different.
    void expect_counts(const std::string& expected, const std::string& actual,
                       const std::vector<std::string>& options, const std::string& counts) {
        SCOPED_TRACE(expected + " / " + actual);
        const bool good = counts == "0 0 0 0";
        EXPECT_EQ(compare_texts(pulses(expected), pulses(actual), options), good ? 0 : 1);
        std::istringstream in(counts);
        std::string text;
        for (const char* kind : {"missing ", "extra ", "late ", "different "}) {
            std::string count;
            in >> count;
            text += ", " + std::string(kind) + count;
        }
        expect_in_report({text + "\n"});
    }
};

TEST_F(compare_streams, the_four_kinds_of_error_are_told_apart) {
    expect_counts("10 20 30", "10 20 30", {}, "0 0 0 0");
    expect_counts("10 20 30 40", "10 30 40", {}, "1 0 0 0");
    expect_counts("10 30 40", "10 20 30 40", {}, "0 1 0 0");
    expect_counts("10 20 30 40", "10 20 33 40", {}, "0 0 1 0");
    expect_counts("10=a 20=b 30=c", "10=a 20=x 30=c", {}, "0 0 0 1");
    expect_counts("10=a 20=b 30=c", "10=a 27=x 30=c", {}, "1 1 0 0");
    expect_counts("10 20", "", {}, "2 0 0 0");
    expect_counts("", "10 20", {}, "0 2 0 0");
}

TEST_F(compare_streams, files_without_an_event_are_no_success) {
    EXPECT_EQ(compare_texts(pulses(""), pulses("")), 1);
    expect_in_report(
        {"nothing to compare: neither file has events; --allow-empty accepts this", "NOTHING COMPARED"});
    EXPECT_EQ(compare_texts(pulses(""), pulses(""), {"--allow-empty"}), 0);
    expect_in_report({"no mismatch\n"});
}

TEST_F(compare_streams, leftovers_at_either_end_fail) {
    expect_counts("10 20 30", "10 20", {}, "1 0 0 0");
    expect_in_report({"first mismatch: missing, signal=s, cycle 30, value 1"});
    expect_counts("10 20", "10 20 30", {}, "0 1 0 0");
    expect_in_report({"first mismatch: extra, signal=s, cycle 30, value 1"});
    expect_counts("10 20 30", "20 30", {}, "1 0 0 0");
    expect_in_report({"first mismatch: missing, signal=s, cycle 10, value 1"});
    expect_counts("10 20 30", "20 30", {"--tolerance-cycles=3"}, "1 0 0 0");
}

TEST_F(compare_streams, the_tolerance_is_symmetric_and_includes_its_end) {
    for (const int distance : {-3, -2, 2, 3}) {
        const std::string moved = std::to_string(20 + distance);
        const bool in = distance == 2 || distance == -2;
        expect_counts("10 20 30", "10 " + moved + " 30", {"--tolerance-cycles=2"}, in ? "0 0 0 0" : "0 0 1 0");
    }
    expect_counts("10 20", "10 17", {"--tolerance-cycles=2"}, "0 0 1 0");
    expect_in_report({"late by -3 cycles (early)"});
}

TEST_F(compare_streams, a_constant_offset_is_stated_also_where_it_equals_the_distance_of_events) {
    expect_counts("10 20 30 40", "20 30 40 50", {}, "0 0 4 0");
    expect_in_report({"offset    +10 cycles in all events of 1 stream of 1; not subtracted"});
    expect_counts("10 20 30 40", "20 30 40 50", {"--align", "first"}, "0 0 0 0");
    expect_counts("10 20 30 40 50 60", "17 27 47 57 67", {}, "1 0 5 0");
    expect_in_report({"offset    +7 cycles in all events of 1 stream"});
    expect_counts("10 20 30 40", "11 22 33 44", {}, "0 0 4 0");
    expect_in_report({"offset    none"});
}

TEST_F(compare_streams, an_offset_is_found_where_both_ends_are_cut) {
    std::string expected = "cycle,signal,value\n";
    std::string actual = expected;
    for (int i = 0; i < 2'000; ++i) {
        // Steps that do not repeat soon, with values that do, and with one that never changes.
        const int cycle = 13 * i + i * i % 11;
        for (const std::string& signal : {"v," + std::to_string(i % 7), std::string("p,1")}) {
            expected += std::to_string(cycle) + "," + signal + "\n";
            actual += i == 0 || i == 1'999 ? "" : std::to_string(cycle + 2) + "," + signal + "\n";
        }
    }
    EXPECT_EQ(compare_texts(expected, actual), 1);
    expect_in_report({"offset    +2 cycles in all events of 2 streams of 2; not subtracted",
                      "missing 4, extra 0, late 3,996, different 0"});
    for (const char* const align : {"--align=first", "--align=all"}) {
        EXPECT_EQ(compare_texts(expected, actual, {align}), 1);
        expect_in_report({"matched   3,996, missing 4, extra 0, late 0, different 0"});
    }
    // Far more than the sample's reach at one end.
    std::string late = "cycle,signal,value\n";
    for (int i = 100; i < 1'990; ++i) {
        late += std::to_string(13 * i + i * i % 11 + 100'000) + ",p,1\n";
    }
    EXPECT_EQ(compare_texts(expected, late, {"--only=signal=p", "--align=first"}), 1);
    expect_in_report(
        {"+100000 cycles in all events of 1 stream", "matched   1,890, missing 110, extra 0, late 0"});
}

TEST_F(compare_streams, a_stream_whose_first_event_is_missing_is_not_moved) {
    expect_counts("10=a 20=b 33=c 41=d", "20=b 33=c 41=d", {"--align=first"}, "1 0 0 0");
    expect_in_report({"first mismatch: missing, signal=s, cycle 10, value a"});
    expect_counts("10=a 20=b 33=c 41=d", "25=b 38=c 46=d", {"--align=first"}, "1 0 0 0");
    expect_in_report(
        {"offset    +5 cycles in all events of 1 stream of 1; subtracted separately for each stream"});
    // The first one alone is late.
    expect_counts("10=a 20=b 33=c 41=d", "13=a 20=b 33=c 41=d", {"--align=first"}, "0 0 1 0");
    expect_in_report({"first mismatch: late by 3 cycles, signal=s, cycle 10"});
}

TEST_F(compare_streams, times_are_counted_in_their_unit) {
    const std::string expected = "time_ns,signal,value\n1000,s,1\n2000,s,2\n";
    const std::string actual = "time_ns,signal,value\n1001,s,1\n2001,s,2\n";
    EXPECT_EQ(compare_texts(expected, actual), 1);
    expect_in_report({"note      time_ns is compared as a value; --time time_ns"});
    EXPECT_EQ(compare_texts(expected, actual, {"--time=time_ns"}), 1);
    expect_in_report({"time      time_ns, tolerance 0 ns", "offset    +1 ns in all events",
                      "first mismatch: late by 1 ns, signal=s, time_ns 1000"});
    EXPECT_EQ(report().find("cycle"), std::string::npos) << report();
    EXPECT_EQ(compare_texts(expected, actual, {"--time=time_ns", "--tolerance-cycles=1"}), 0);
}

TEST_F(compare_streams, alignment_of_all_streams_takes_what_most_of_them_have) {
    const std::string expected = "cycle,signal\n10,a\n10,b\n10,c\n";
    const std::string actual = "cycle,signal\n15,a\n15,b\n17,c\n";
    EXPECT_EQ(compare_texts(expected, actual, {"--align=first"}), 0);
    expect_in_report(
        {"+5 cycles in all events of 2 streams of 3; +7 cycles in all events of 1 stream of 3; subtracted "
         "separately for each stream"});
    EXPECT_EQ(compare_texts(expected, actual, {"--align=all"}), 1);
    expect_in_report(
        {"+5 cycles subtracted from all streams", "first mismatch: late by 2 cycles, signal=c, cycle 10"});
}

TEST_F(compare_streams, order_counts_unless_a_reorder_depth_is_given) {
    const auto list = [](const std::string& values) {
        std::string text = "table,key\n";
        for (const char v : values) {
            text += std::string("t,") + v + "\n";
        }
        return text;
    };
    const auto status = [&](const std::string& expected, const std::string& actual, const std::string& depth) {
        return compare_texts(list(expected), list(actual), {"--reorder-depth", depth});
    };
    EXPECT_EQ(status("abcdef", "bacdef", "0"), 1);
    EXPECT_EQ(status("abcdef", "bacdef", "1"), 0);
    EXPECT_EQ(status("abcdef", "dabcef", "2"), 1);
    EXPECT_EQ(status("abcdef", "dabcef", "3"), 0);
    EXPECT_EQ(status("abcd", "dcba", "2"), 1);
    EXPECT_EQ(status("abcd", "dcba", "3"), 0);
    EXPECT_EQ(status("aabb", "abab", "1"), 0);
    // What is missing is missing, reordered or not.
    EXPECT_EQ(status("abcdef", "badef", "5"), 1);
    expect_in_report({"missing 1, extra 0, late 0, different 0", "missing, table=t, key c"});
    EXPECT_EQ(status("abcdef", "baxdef", "5"), 1);
    expect_in_report({"missing 0, extra 0, late 0, different 1", "key: expected c, actual x"});
}

TEST_F(compare_streams, reordered_events_must_be_in_time_too) {
    const std::vector<std::string> deep{"--reorder-depth=1", "--tolerance-cycles=1"};
    expect_counts("10=a 11=b 20=c", "10=b 11=a 20=c", deep, "0 0 0 0");
    expect_counts("10=a 12=b 20=c", "10=b 12=a 20=c", deep, "1 1 1 0");
}

TEST_F(compare_streams, reordered_events_of_equal_values_are_no_late_ones) {
    expect_counts("10=a 20=a 30=a", "30=a 10=a 20=a", {"--reorder-depth=2"}, "0 0 0 0");
    expect_counts("10=a 20=a 30=a", "30=a 10=a 20=a", {"--reorder-depth=1"}, "1 1 0 0");
    expect_counts("80 1360 2640 5200", "5200 80 2640 1360", {"--reorder-depth=10"}, "0 0 0 0");
    expect_counts("10=a 20=a 30=a", "21=a 9=a 30=a", {"--reorder-depth=2", "--tolerance-cycles=1"}, "0 0 0 0");
    // What is left is late, dropped or changed as it is without reordering.
    expect_counts("10 20 30", "30 10 22", {"--reorder-depth=2"}, "0 0 1 0");
    expect_counts("10 20 30 40", "12 23 33 44", {"--reorder-depth=2"}, "0 0 4 0");
    expect_counts("10 20 30 40", "40 20 10", {"--reorder-depth=3"}, "1 0 0 0");
    expect_counts("10=a 20=b 30=c 40=d", "10=x 20=y 45=c 40=d", {"--reorder-depth=3"}, "0 0 1 2");
    // Late is what comes again nearby, whatever else comes later.
    expect_counts("10=a 20=b 30=b 40=b", "20=b 30=b 40=b 50=a", {"--reorder-depth=2"}, "1 1 0 0");
    expect_counts("10=a 20=b 30=b", "20=b 30=b 50=a", {"--reorder-depth=2"}, "0 0 1 0");
}

TEST_F(compare_streams, shuffled_pulses_are_paired_as_lines_without_equals_are) {
    random_stream chance(11, 0, random_purpose::bit_errors);
    const auto table = [](const char* header, const std::vector<int>& order, const char* field) {
        std::string text = header;
        for (const int n : order) {
            const std::string number = std::to_string(n);
            text += field[0] == 't' ? number + ",s,1\n" : "t,k" + number + "\n";
        }
        return text;
    };
    int good = 0;
    for (int round = 0; round < 100; ++round) {
        const auto length = static_cast<int>(2 + chance.below(40));
        std::vector<int> sorted(static_cast<std::size_t>(length));
        for (int n = 0; n < length; ++n) {
            sorted[static_cast<std::size_t>(n)] = 1 + 7 * n;
        }
        std::vector<int> shuffled = sorted;
        const std::uint32_t reach = 1 + chance.below(static_cast<std::uint32_t>(length));
        for (std::size_t n = 0; n + 1 < shuffled.size(); ++n) {
            std::swap(shuffled[n],
                      shuffled[std::min<std::size_t>(n + chance.below(reach), shuffled.size() - 1)]);
        }
        const auto status = [&](const char* header, const char* field, std::size_t depth) {
            return compare_texts(table(header, sorted, field), table(header, shuffled, field),
                                 {"--reorder-depth", std::to_string(depth)});
        };
        // As far as any can be moved.
        EXPECT_EQ(status("cycle,signal,value\n", "time", shuffled.size()), 0) << report();
        const std::size_t depth = 1 + chance.below(8);
        const int pulses = status("cycle,signal,value\n", "time", depth);
        EXPECT_EQ(pulses, status("table,key\n", "key", depth)) << report();
        good += pulses == 0 ? 1 : 0;
    }
    EXPECT_GT(good, 10);
    EXPECT_LT(good, 90);
}

TEST_F(compare_streams, long_runs_of_errors_keep_their_kind) {
    std::string all = "cycle,signal,value\n";
    std::string changed = all;
    std::string holed = all;
    for (int i = 0; i < 5'000; ++i) {
        const std::string cycle = std::to_string(7 * i + i % 5);
        all += cycle + ",s," + std::to_string(i) + "\n";
        changed += cycle + ",s,x" + std::to_string(i) + "\n";
        holed += i >= 1'000 && i < 1'150 ? "" : cycle + ",s," + std::to_string(i) + "\n";
    }
    EXPECT_EQ(compare_texts(all, changed, {"--list", "2"}), 1);
    expect_in_report({"missing 0, extra 0, late 0, different 5,000", "and 4,998 more (--list)"});
    EXPECT_EQ(compare_texts(all, holed), 1);
    expect_in_report({"missing 150, extra 0, late 0, different 0", "cycle 7000, value 1000"});
    EXPECT_EQ(compare_texts(holed, all), 1);
    expect_in_report({"missing 0, extra 150, late 0, different 0"});
}

TEST_F(compare_streams, numbers_are_equal_in_any_notation_and_columns_stand_in_any_order) {
    EXPECT_EQ(compare_texts("cycle,value,signal\n0x10,0x08,s\n", "signal,cycle,value\ns,16,8\n"), 0);
    EXPECT_EQ(compare_texts("cycle,value,signal\n0x10,0x08,s\n", "signal,cycle,value\ns,16,9\n"), 1);
    expect_in_report({"value: expected 0x08, actual 9"});
}

TEST_F(compare_streams, whole_numbers_are_equal_in_values_keys_times_and_waivers) {
    const std::string wide = "cycle,class,value\n0x0A,0x03,18446744073709551616\n11,4,-0X1f\n";
    const std::string same = "cycle,class,value\n0b1010,3,0x010000000000000000\n0o13,0b100,-31\n";
    EXPECT_EQ(compare_texts(wide, same), 0) << report();
    expect_in_report({"streams   2, key class", "matched   2"});
    const std::string other = "cycle,class,value\n10,3,0x10000000000000001\n11,4,31\n";
    EXPECT_EQ(compare_texts(wide, other), 1);
    expect_in_report({"different 2", "value: expected 18446744073709551616, actual 0x10000000000000001"});
    EXPECT_EQ(compare_texts(wide, other,
                            {"--waivers",
                             write("w.csv", "class,value\n0b11,0b1" + std::string(64, '0') + "\n04,-0x1F\n")}),
              0);
    // A tolerance of times that are written in other notations.
    EXPECT_EQ(
        compare_texts("cycle,class,value\n0x10,1,1\n", "cycle,class,value\n17,1,1\n", {"--tolerance-cycles=1"}),
        0);
    EXPECT_EQ(compare_texts("cycle,class,value\n0x10,1,1\n", "cycle,class,value\n0b10010,1,1\n",
                            {"--tolerance-cycles=1"}),
              1);
    expect_refusal(compare_texts("cycle,class,value\n18446744073709551616,1,1\n", wide),
                   {"e.csv:2: cycle: 18446744073709551616, 0 to 1152921504606846976"});
}

TEST_F(compare_streams, unknown_bits_are_equal_in_either_letter_case) {
    const auto events = [](const std::string& a, const std::string& b) {
        return "cycle,signal,value\n1,s," + a + "\n2,s," + b + "\n";
    };
    EXPECT_EQ(compare_texts(events("X", "Z"), events("x", "z")), 0) << report();
    EXPECT_EQ(compare_texts(events("0bx", "0BZ"), events("X", "z")), 0) << report();
    EXPECT_EQ(compare_texts(events("X", "Z"), events("z", "x")), 1);
}

TEST_F(compare_streams, decimals_that_are_too_long_to_convert_are_equal_without_leading_zeros) {
    const std::string zeros(20'499, '0');
    const auto event = [](const std::string& value) { return "cycle,signal,value\n1,s," + value + "\n"; };
    EXPECT_EQ(compare_texts(event("01" + zeros + "7"), event("1" + zeros + "7")), 0);
    EXPECT_EQ(compare_texts(event("01" + zeros + "7"), event("1" + zeros + "8")), 1);
}

TEST_F(compare_streams, filters_of_one_column_are_alternatives) {
    const std::string all = "cycle,class,signal,value\n1,1,a,5\n2,2,a,5\n3,3,a,5\n4,1,b,5\n5,2,b,5\n";
    const auto events = [&](const std::vector<std::string>& options, const std::string& count) {
        EXPECT_EQ(compare_texts(all, all, options), 0);
        expect_in_report({"e.csv: " + count + " event"});
    };
    events({"--only=class=1", "--only=class=0x2"}, "4");
    events({"--only=signal=a", "--only=signal=b"}, "5");
    events({"--only=class=1", "--only=signal=b", "--only=class=2"}, "2");
    events({"--only=class=1", "--only=signal=b"}, "1");
    events({"--only=class=1", "--only=class=0b1"}, "2");
    events({"--only=class = 3"}, "1");
    // What one file alone has is a mismatch, and what neither has is a mistake.
    EXPECT_EQ(compare_texts(all, "cycle,class,signal,value\n1,1,a,5\n", {"--only=class=1", "--only=class=3"}),
              1);
    expect_in_report({"missing 2"});
    expect_refusal(compare_texts(all, all, {"--only=class=1", "--only=class=9"}),
                   {"--only class: 9, either file"});
    expect_refusal(compare_texts(all, all, {"--only=class=8", "--only=class=9"}),
                   {"e.csv: --only class: 8, 9", "a.csv: --only class: 8, 9"});
}

TEST_F(compare_streams, blanks_round_fields_and_names_do_not_count) {
    const std::string plain = "cycle,signal,value\n1,s,2\n2,t u,3\n";
    EXPECT_EQ(compare_texts("cycle, signal, value\n1, s, 2\n2, t u, 3\n", plain), 0) << report();
    EXPECT_EQ(compare_texts("cycle ,\tsignal ,value (B) \n 1 ,s\t, 2\n2,\"t u\" ,3 \n", plain), 0) << report();
    EXPECT_EQ(compare_texts("cycle,signal,value\n1,s,2\n2,\" t u\",3\n", plain), 1) << "quotes enclose blanks";
    EXPECT_EQ(compare_texts("cycle, signal, value\n1, s, 2\n", "cycle, signal, value\n1, s, 3\n",
                            {"--ignore", "cycle, value"}),
              0);
    EXPECT_EQ(compare_texts(plain, "cycle, signal, value\n1, s, 9\n2, t u, 3\n",
                            {"--waivers", write("w.csv", "signal, cycle, note\n s, 1, known\n")}),
              0);
}

TEST_F(compare_streams, roles_of_columns_can_be_given) {
    const std::string expected = "port,at,until,length,depth,when_ns\n1,5,9,4,7,1.6\n2,5,8,3,7,1.6\n";
    const std::string actual = "port,at,until,length,depth,when_ns\n2,6,9,3,7,9.9\n1,6,11,5,7,9.9\n";
    EXPECT_EQ(compare_texts(expected, actual), 1);
    expect_in_report({"key none", "time      none", "values    port,at,until,length,depth,when_ns"});
    const std::vector<std::string> roles{"--key=port", "--time=at", "--ends=until", "--durations=length",
                                         "--tolerance-cycles=1"};
    EXPECT_EQ(compare_texts(expected, actual, roles), 1);
    expect_in_report({"durations until - at,length", "until: expected 9, actual 11",
                      "length: expected 4, actual 5", "values    depth\n", "ignored   when_ns\n",
                      "different 1"});
    auto tolerant = roles;
    tolerant.push_back("--duration-tolerance-cycles=1");
    EXPECT_EQ(compare_texts(expected, actual, tolerant), 0);
    auto partial = roles;
    partial.push_back("--only=port=2");
    EXPECT_EQ(compare_texts(expected, actual, partial), 0);
    expect_in_report({"matched   1,"});
}

TEST_F(compare_streams, a_wrong_state_is_a_mismatch_and_what_it_leads_to_is_named) {
    const std::string expected = "slot,match,count,ptr_after\n0,a,1,1\n1,b,2,2\n2,c,3,3\n";
    const std::string actual = "slot,match,count,ptr_after\n0,a,1,1\n1,b,2,0\n2,d,3,3\n";
    EXPECT_EQ(compare_texts(expected, actual), 1);
    expect_in_report({"values    match,count,ptr_after; state ptr_after", "first mismatch: different, slot 1 (",
                      "first mismatch outside the state: different, slot 2 (", "match: expected c, actual d"});
    // Shown once.
    EXPECT_EQ(report().find("further mismatches"), std::string::npos) << report();
    EXPECT_EQ(compare_texts(expected, actual, {"--state=match,ptr_after"}), 1);
    expect_in_report({"all mismatches are in internal state only"});
    EXPECT_EQ(compare_texts(expected, actual, {"--state=none"}), 1);
    EXPECT_EQ(report().find("state ptr_after"), std::string::npos);
    EXPECT_EQ(report().find("outside the state"), std::string::npos);
}

TEST_F(compare_streams, the_first_mismatch_comes_with_context_and_the_blocks_state) {
    const std::string expected =
        "cycle,signal,value\n1,req,1\n2,grant,0\n3,grant,1\n4,req,2\n5,grant,2\n6,grant,3\n7,grant,4\n";
    const std::string actual =
        "cycle,signal,value\n1,req,1\n2,grant,0\n3,grant,1\n4,req,3\n5,grant,2\n6,grant,9\n7,grant,4\n";
    EXPECT_EQ(compare_texts(expected, actual,
                            {"--context=1", "--waivers",
                             write("w.csv", "signal,cycle,error\nreq,4,different\nreq,*,late\n")}),
              1);
    const std::string e = path("e.csv");
    const std::string a = path("a.csv");
    expect_in_report({"first mismatch: different, signal=grant, cycle 6 (" + e + ":7, " + a +
                          ":7)\n  value: expected 3, actual 9\n",
                      "expected:\n    " + e + ":6: 5,grant,2\n  > " + e + ":7: 6,grant,3\n    " + e +
                          ":8: 7,grant,4\nactual:\n    " + a + ":6: 5,grant,2\n  > " + a + ":7: 6,grant,9\n",
                      "state before:\n  req: expected cycle 4, value 2\n  req: actual   cycle 4, value 3\n"
                      "  grant: cycle 5, value 2\n",
                      "different 1, waived 1",
                      "unused waivers: 1 of 2\n  " + path("w.csv") + ":3: req,*,late\n"});
}

}  // namespace
}  // namespace weir::test
