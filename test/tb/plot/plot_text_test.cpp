// What people write into pictures (titles, labels, names of files and options) comes out as they wrote it, and
// stays on the page.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tb/view/chart/page.h"

namespace weir::tb {
namespace {

namespace fs = std::filesystem;

class plot_text : public testing::Test {
 protected:
    plot_text() {
        std::string name = (fs::temp_directory_path() / "weir_plot_text_XXXXXX").string();
        m_root = mkdtemp(name.data());
    }
    ~plot_text() override { fs::remove_all(m_root); }

    /// The SVG that gnuplot makes of it; it says nothing.
    std::string drawn(page& p) const {
        p.row({0.5, 0.5});
        EXPECT_EQ(write_picture(p.finish(900), {"svg"}, m_root.string()), "");
        const tool_result result = run_gnuplot(m_root.string(), "text");
        EXPECT_EQ(result.status, 0);
        EXPECT_EQ(result.output, "");
        std::ifstream in(m_root / "text.svg", std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    bool has_gnuplot() const { return run_gnuplot(m_root.string(), "none").status != 127; }

    fs::path m_root;
};

/// As SVG has it.
std::string escaped(const std::string& text) {
    std::string s;
    for (const char c : text) {
        s += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
    }
    return s;
}

std::size_t count_of(const std::string& part, const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

TEST_F(plot_text, comes_out_as_it_was_written) {
    if (!has_gnuplot()) {
        GTEST_SKIP() << "gnuplot is not installed";
    }
    for (const std::string text :
         {"'quoted'", "'", "it's", "a''b'''c", "\"double\"", "\"", "back\\slash\\n", "`touch evil`",
          "it's `touch evil`", "@macro and it's @macro", "a_b^c{d}", "open {", "close }", "# it's no comment",
          "100% %g", "R&D <x>", "'9' \"9\" @9", "$HOME ~ ; | !"}) {
        page p({"text", text, text});
        p.legend({{"lines lt 1", text}});
        plot_axis x;
        x.tics = {{0.5, text}, {1, "it's 50%"}};
        p.panel(150, 1500, 200, 750);
        p.heading(text);
        p.y_label(text);
        p.add("set xlabel " + quoted(text));
        p.add(x.commands("x") + "set label 7 " + quoted(text) + " at 0, 0");
        p.add("plot 'text.dat' with points");
        // Title, details, legend, heading, two axes, a tic, a label.
        EXPECT_EQ(count_of(">" + escaped(text) + "<", drawn(p)), 8U) << text;
        EXPECT_FALSE(fs::exists(m_root / "evil")) << text;
    }
}

TEST_F(plot_text, of_several_lines_or_in_no_encoding_takes_one_line_that_can_be_read) {
    EXPECT_EQ(one_line("a\nb\tc\x7f"), "a b c ");
    EXPECT_EQ(one_line("\xff-\xc3\xb6-\xe2\x82"), "?-\xc3\xb6-??");
    if (!has_gnuplot()) {
        GTEST_SKIP() << "gnuplot is not installed";
    }
    page p({"text", "a\nb \xff", ""});
    p.panel(150, 1500, 200, 750);
    p.notice("c\rd");
    const std::string svg = drawn(p);
    EXPECT_NE(svg.find(">a b ?<"), std::string::npos);
    EXPECT_NE(svg.find(">c d<"), std::string::npos);
}

TEST_F(plot_text, stays_on_the_page) {
    std::string words = "word";
    for (int i = 0; i < 60; ++i) {
        words += " word" + std::to_string(i);
    }
    for (const std::string& text : {words, std::string(400, 'W'), std::string("short")}) {
        for (const double points : {15.0, 24.0}) {
            std::string all;
            for (const std::string& line : wrapped(text, 700, points)) {
                EXPECT_LE(text_width(line, points), 700) << line;
                all += (all.empty() || text.find(' ') == std::string::npos ? "" : " ") + line;
            }
            EXPECT_EQ(all, text);
            EXPECT_LE(text_width(shortened(text, 300, points), points), 300);
        }
    }
    EXPECT_EQ(shortened("short", 300, 15), "short");
    // The last part of a path tells runs apart.
    EXPECT_EQ(shortened("/long/path/to/some/results/detail", 120, 15), "…lts/detail");
    // Longer texts push what is below them down.
    EXPECT_GT(page({"w", words, words}).top(), page({"t", "title", "details"}).top() + 60);
    page one({"o", "t", "d"});
    page eight({"e", "t", "d"});
    one.legend({{"lines lt 1", "a"}});
    eight.legend(std::vector<page::legend_entry>(8, {"lines lt 1", std::string(60, 'm')}));
    EXPECT_GE(eight.top(), one.top() + 7 * 36);
}

TEST_F(plot_text, names_at_an_axis_do_not_touch_each_other) {
    const auto axis_of = [](std::size_t count, const std::string& name) {
        plot_axis axis;
        for (std::size_t i = 0; i < count; ++i) {
            axis.tics.push_back({static_cast<double>(i), name});
        }
        return axis;
    };
    plot_axis few = axis_of(3, "detail");
    EXPECT_EQ(lay_out_names(few, 1350).extra_height, 0);
    EXPECT_EQ(few.tics[0].label, "detail");
    plot_axis pairs = axis_of(5, "30KB, xon = 15KB, reserve = 6KB");
    const label_layout lines = lay_out_names(pairs, 1350);
    EXPECT_EQ(pairs.tics[0].label, "30KB, xon = 15KB,\nreserve = 6KB");
    EXPECT_GT(lines.extra_height, 24);
    EXPECT_NE(lines.command.find("norotate"), std::string::npos);
    EXPECT_NE(pairs.commands("x").find(R"('30KB, xon = 15KB,'."\n".'reserve = 6KB' 0)"), std::string::npos);
    plot_axis many = axis_of(20, "trident2_pg_profile_lookup");
    const label_layout upright = lay_out_names(many, 1350);
    EXPECT_NE(upright.command.find("rotate by 90"), std::string::npos);
    EXPECT_GE(upright.extra_height, text_width("trident2_pg_profile_lookup", 14));
    plot_axis vertical = axis_of(2, "30KB, xon = 15KB, reserve = 6KB");
    EXPECT_LE(wrap_labels(vertical, 300), 300);
    EXPECT_NE(vertical.tics[0].label.find('\n'), std::string::npos);
}

TEST_F(plot_text, every_label_of_a_logarithmic_axis_is_drawn) {
    if (!has_gnuplot()) {
        GTEST_SKIP() << "gnuplot is not installed";
    }
    for (const auto& [low, high] :
         std::vector<std::pair<double, double>>{{10, 200}, {10, 100}, {100, 1000}, {0.1, 50}, {2, 50}}) {
        const plot_axis y = log_axis(low, high);
        page p({"text", "t", "d"});
        p.panel(150, 1500, 100, 550);
        p.add(y.commands("y") + "plot 'text.dat' using 1:(" + number_text(low) + ") with points");
        const std::string svg = drawn(p);
        for (const axis_tic& tic : y.tics) {
            EXPECT_TRUE(tic.label.empty() || svg.find(">" + tic.label + "<") != std::string::npos)
                << tic.label << " of " << low << " to " << high;
        }
    }
}

}  // namespace
}  // namespace weir::tb
