// The writers of waveforms: VCD against a text typed by hand, VCD and FST against the program's own readers.
#include "tb/verify/wave/wave_file.h"

#include <gtest/gtest.h>

#include <set>

#include "support/replay_rig.h"
#include "support/wave_reading.h"

namespace weir::test {

using namespace tb;
namespace {

class wave_file_writers : public replay_rig {
 protected:
    std::unique_ptr<wave_file> create(const std::string& name) {
        return name == "run.fst" ? create_fst_file(path(name)) : create_vcd_file(output_file(path(name)));
    }
};

const std::vector<wave_signal> three{
    {{"fabric", "s0"}, "drops", 32}, {{"fabric", "s0", "rx0"}, "xoff", 8}, {{"fabric", "s1"}, "one", 1}};

void write_three(wave_file& file) {
    file.declare(three);
    file.begin(1500_ps);
    file.change(0, std::string(32, '0'));
    file.change(1, "00000001");
    file.change(2, "1");
    file.at(1501_ps);
    file.change(1, "10000000");
    file.at(3ns);
    file.change(2, "0");
    file.change(0, std::string(30, '0') + "11");
    file.finish(4ns);
}

TEST_F(wave_file_writers, vcd_is_what_the_standard_says) {
    write_three(*create("run.vcd"));
    EXPECT_EQ(contents(path("run.vcd")),
              "$version weir " WEIR_VERSION
              " $end\n$timescale 1 ps $end\n"
              "$scope module fabric $end\n$scope module s0 $end\n$var wire 32 ! drops [31:0] $end\n"
              "$scope module rx0 $end\n$var wire 8 \" xoff [7:0] $end\n$upscope $end\n$upscope $end\n"
              "$scope module s1 $end\n$var wire 1 # one $end\n$upscope $end\n$upscope $end\n$enddefinitions "
              "$end\n"
              "#1500\n$dumpvars\nb0 !\nb1 \"\n1#\n$end\n#1501\nb10000000 \"\n#3000\n0#\nb11 !\n#4000\n");
}

TEST_F(wave_file_writers, what_is_written_is_read_back) {
    for (const std::string name : {"run.vcd", "run.fst"}) {
        if (name == "run.fst" && !fst_is_supported()) {
            continue;
        }
        SCOPED_TRACE(name);
        write_three(*create(name));
        const read_wave wave = read_waveform(path(name));
        EXPECT_EQ(wave.widths, (std::map<std::string, std::size_t>{
                                   {"fabric.s0.drops", 32}, {"fabric.s0.rx0.xoff", 8}, {"fabric.s1.one", 1}}));
        EXPECT_EQ(wave.signals.at("fabric.s0.drops"), (wave_history{{1500, 0}, {3000, 3}}));
        EXPECT_EQ(wave.signals.at("fabric.s0.rx0.xoff"), (wave_history{{1500, 1}, {1501, 0x80}}));
        EXPECT_EQ(wave.signals.at("fabric.s1.one"), (wave_history{{1500, 1}, {3000, 0}}));
        EXPECT_FALSE(fs::exists(path(name + ".partial")));
        EXPECT_FALSE(fs::exists(path(name + ".partial.hier")));
    }
}

TEST_F(wave_file_writers, many_signals_have_codes_of_their_own) {
    std::vector<wave_signal> signals;
    for (unsigned s = 0; s < 9'000; ++s) {
        signals.push_back({{"top"}, "s" + std::to_string(s), 16});
    }
    for (const std::string name : {"run.vcd", "run.fst"}) {
        if (name == "run.fst" && !fst_is_supported()) {
            continue;
        }
        const auto file = create(name);
        file->declare(signals);
        file->begin(0_ps);
        for (unsigned s = 0; s < signals.size(); ++s) {
            std::string bits(16, '0');
            for (unsigned b = 0; b < 16; ++b) {
                bits[15 - b] = (s >> b & 1) != 0 ? '1' : '0';
            }
            file->change(s, bits);
        }
        file->finish(1_ps);
        const read_wave wave = read_waveform(path(name));
        for (unsigned s = 0; s < signals.size(); ++s) {
            ASSERT_EQ(wave.at("top." + signals[s].name, 0), s);
        }
    }
}

TEST_F(wave_file_writers, a_file_without_a_value_can_be_read) {
    for (const std::string name : {"run.vcd", "run.fst"}) {
        if (name == "run.fst" && !fst_is_supported()) {
            continue;
        }
        const auto file = create(name);
        file->declare(three);
        file->finish(picoseconds{-1});
        const read_wave wave = read_waveform(path(name));
        EXPECT_EQ(wave.widths.size(), 3U);
        EXPECT_LE(wave.texts.size(), 3U);
    }
}

TEST_F(wave_file_writers, a_file_that_is_not_finished_keeps_its_partial_name) {
    {
        const auto file = create("run.vcd");
        file->declare(three);
    }
    EXPECT_TRUE(fs::exists(path("run.vcd.partial")));
    EXPECT_FALSE(fs::exists(path("run.vcd")));
    EXPECT_THROW(create_fst_file(path("none/run.fst")), output_error);
}

}  // namespace
}  // namespace weir::test
