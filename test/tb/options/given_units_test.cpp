// Sizes are shown in the family of units in which they were given.
#include "tb/run/help/given_units.h"

#include <gtest/gtest.h>

#include "support/scratch_directory.h"

namespace weir::tb {
namespace {

using sizes = std::map<std::string, std::string>;

TEST(given_units, a_size_keeps_its_family) {
    EXPECT_EQ(in_given_units("250KiB", "256KB"), "256KB");
    EXPECT_EQ(in_given_units("250KiB", "0.256MB"), "256KB");
    EXPECT_EQ(in_given_units("250KiB", "250KiB"), "250KiB");
    EXPECT_EQ(in_given_units("2000KiB", "2.048MB"), "2048KB");
    EXPECT_EQ(in_given_units("16MB", "15625KiB"), "15625KiB");
    EXPECT_EQ(in_given_units("64KB", "62.5KiB"), "64000B") << "it is no whole number of KiB";
    EXPECT_EQ(in_given_units("64KiB", "65536B"), "64KiB") << "bytes have no family";
    EXPECT_EQ(in_given_units("1953125KiB", "2GB"), "2GB");
}

TEST(given_units, of_a_list_each_size_keeps_its_own) {
    EXPECT_EQ(in_given_units("16KiB, 250KiB", "16KiB,256KB"), "16KiB, 256KB");
    EXPECT_EQ(in_given_units("a,b", "a,b"), "a,b");
    EXPECT_EQ(in_given_units("auto", "auto"), "auto");
    EXPECT_EQ(in_given_units("10Gbps", "10Gbps"), "10Gbps");
}

TEST(given_units, the_command_line_wins_over_files_and_texts_follow) {
    const test::scratch_directory where;
    where.write("a.ini", "[switch]\negress_buffer = 128KB\ningress_buffer = 256KB\n[pfc]\nxoff = 64KB\n");
    const given_units units({"--switch.ingress_buffer=250KiB", "--pfc.xon=1KB"}, {(where / "a.ini").string()});
    EXPECT_EQ(units.by_option(), (sizes{{"switch.egress_buffer", "128KB"}}));
    EXPECT_EQ(units.in("125KiB egress memory per port, 1125KiB, 125KiBs (125KiB)."),
              "128KB egress memory per port, 1125KiB, 125KiBs (128KB).");
    EXPECT_EQ(given_units({"--no.such=1KB"}, {"nowhere.ini"}).by_option(), sizes{});
    // 250KiB was given in both families.
    const given_units both({"--switch.ingress_buffer=250KiB", "--switch.egress_buffer=256KB"}, {});
    EXPECT_EQ(both.in("250KiB ingress"), "250KiB ingress");
    EXPECT_EQ(both.by_option(), (sizes{{"switch.egress_buffer", "256KB"}}));
}

TEST(given_units, sizes_in_paths_names_and_quoted_texts_stay) {
    const given_units units({"--switch.egress_buffer=256KB"}, {});
    EXPECT_EQ(units.in("traffic.file = 250KiB/x.pcap, of 250KiB: egress"),
              "traffic.file = 250KiB/x.pcap, of 256KB: egress");
    for (const char* const text :
         {"/runs/250KiB/x.pcap", "/runs/x-250KiB", "250KiB.pcap", "./250KiB", "C:\\250KiB\\x", "host-250KiB",
          "250KiB-tor", "h_250KiB", "250KiB.h0", "'250KiB'", "\"250KiB\"", "tag 'web-250KiB'", "250KiB~",
          "\u00e9250KiB", "x250KiB"}) {
        EXPECT_EQ(units.in(text), text);
    }
    EXPECT_EQ(units.in("(250KiB), 250KiB; 250KiB. And =250KiB."), "(256KB), 256KB; 256KB. And =256KB.");
}

TEST(given_units, a_size_that_is_a_word_of_a_name_is_kept) {
    given_units units({"--switch.egress_buffer=256KB", "--switch.ingress_buffer=128KB"}, {});
    units.keep("/runs/250KiB/x.pcap");
    EXPECT_EQ(units.in("250KiB and 125KiB"), "256KB and 128KB") << "the path would not change";
    units.keep("/runs/my 250KiB traces/x.pcap");
    EXPECT_EQ(units.in("/runs/my 250KiB traces/x.pcap: 250KiB, 125KiB"),
              "/runs/my 250KiB traces/x.pcap: 250KiB, 128KB");
    units.keep("125KiB");
    EXPECT_EQ(units.in("host 125KiB"), "host 125KiB");
    EXPECT_EQ(units.by_option().at("switch.ingress_buffer"), "128KB");
}

}  // namespace
}  // namespace weir::tb
