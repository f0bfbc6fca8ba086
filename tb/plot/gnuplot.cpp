#include "tb/plot/gnuplot.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "tb/results/run_directory.h"
#include "weir/base/unit_text.h"

extern char** environ;

namespace weir {

namespace {

namespace fs = std::filesystem;

struct curve_style {
    const char* colour;
    const char* dashes;
    int point;
    int fill_pattern;
};

// Okabe and Ito's colours, which people with any colour vision can tell apart, ordered so that neighbours
// differ in brightness too; dashes, points and hatching carry the difference where colour is lost.
constexpr std::array<curve_style, most_styles> styles{{{"#0072B2", "1", 7, 3},
                                                       {"#E69F00", "(12,4)", 5, 1},
                                                       {"#000000", "(4,3)", 9, 2},
                                                       {"#009E73", "(14,4,3,4)", 13, 4},
                                                       {"#D55E00", "(24,6)", 11, 5},
                                                       {"#56B4E9", "(8,3,2,3,2,3)", 6, 6},
                                                       {"#CC79A7", "(2,2)", 4, 7},
                                                       {"#777777", "(12,3,12,3,3,3)", 8, 0}}};

std::string write_whole(const fs::path& path, const std::string& text) {
    try {
        output_file file(path);
        file.write(text);
        file.finish();
        return {};
    } catch (const output_error& error) {
        std::error_code ignored;
        fs::remove(path.string() + ".partial", ignored);
        return error.what();
    }
}

std::string drain(int descriptor) {
    std::string all;
    std::array<char, 4096> buffer{};
    for (;;) {
        const ssize_t got = read(descriptor, buffer.data(), buffer.size());
        if (got > 0) {
            all.append(buffer.data(), static_cast<std::size_t>(got));
        } else if (got == 0 || errno != EINTR) {
            return all;
        }
    }
}

// A mantissa of 1 to 10 times a power of ten.
double decade(double value) {
    return std::pow(10.0, std::floor(std::log10(value) + 1e-12));
}

axis_unit pick(const std::vector<axis_unit>& ascending, double value) {
    axis_unit best = ascending.front();
    for (const axis_unit& u : ascending) {
        best = value >= u.scale ? u : best;
    }
    return best;
}

/// 1, 2 or 5 times a power of ten, at or above `rough`.
double round_step(double rough) {
    const double d = decade(rough);
    const double mantissa = rough / d;
    return d * (mantissa <= 1.0001 ? 1 : mantissa <= 2.0001 ? 2 : mantissa <= 5.0001 ? 5 : 10);
}

plot_axis stepped(double high, double step) {
    plot_axis axis;
    const auto count = static_cast<int>(std::ceil(high / step - 1e-9));
    axis.high = step * count;
    for (int i = 0; i <= count; ++i) {
        axis.tics.push_back({step * i, number_text(step * i)});
    }
    return axis;
}

const std::vector<axis_unit>& time_scales() {
    static const std::vector<axis_unit> scales{{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    return scales;
}

}  // namespace

std::string script_of(const picture& p, const std::vector<std::string>& formats) {
    std::string names;
    for (const std::string& f : formats) {
        names += (names.empty() ? "" : " ") + f;
    }
    std::string s =
        "# " + p.name + ": drawn by `gnuplot " + p.name + ".gp` in this directory, from " + p.name + ".dat.\n";
    s += "W = " + std::to_string(p.width) + ".0  # pixels\nH = " + std::to_string(p.height) + ".0\n";
    s += "do for [format in \"" + names + "\"] {\nreset\nset encoding utf8\nif (format eq 'png') {\n";
    s += "set terminal pngcairo noenhanced size W, H font 'Sans,18' background rgb 'white'\n} else {\n";
    s += "set terminal svg noenhanced size W, H font 'sans-serif,18' fontscale 1.333 background rgb "
         "'white'\n}\n";
    s += "set output '" + p.name + ".' . format\n";
    for (std::size_t i = 0; i < styles.size(); ++i) {
        s += "set linetype " + std::to_string(i + 1) + " lc rgb '" + styles[i].colour + "' lw 3 dt " +
             styles[i].dashes + " pt " + std::to_string(styles[i].point) + " ps 1.8\n";
    }
    return s + p.commands + "unset output\n}\n";
}

std::string write_picture(const picture& p, const std::vector<std::string>& formats,
                          const std::string& directory) {
    const fs::path base = fs::path(directory) / p.name;
    const std::string wrong = write_whole(base.string() + ".dat", p.data);
    return wrong.empty() ? write_whole(base.string() + ".gp", script_of(p, formats)) : wrong;
}

tool_result run_gnuplot(const std::string& directory, const std::string& name) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        return {1, std::strerror(errno)};
    }
    std::string program = "gnuplot";
    std::string defaults = "-d";
    std::string script = name + ".gp";
    std::array<char*, 4> argv{program.data(), defaults.data(), script.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    pid_t child = 0;
    const int failure = posix_spawnp(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    tool_result result;
    if (failure != 0) {
        result = {failure == ENOENT ? 127 : 126, "gnuplot: " + std::string(std::strerror(failure))};
    } else {
        result.output = drain(ends[0]);
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    close(ends[0]);
    return result;
}

std::string quoted(const std::string& text) {
    std::string q = "'";
    for (const char c : text) {
        q += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
        if (c == '\'') {
            q += '\'';
        }
    }
    return q + "'";
}

std::string number_text(double value) {
    std::array<char, 40> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 7);
    return {buffer.data(), end.ptr};
}

std::string thousands(std::size_t value) {
    std::string digits = std::to_string(value);
    for (std::size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, ",");
    }
    return digits;
}

std::string bar_style(std::size_t i) {
    return "fs pattern " + std::to_string(styles[i].fill_pattern) + " border lt " + std::to_string(i + 1) +
           " lt " + std::to_string(i + 1) + " dt 1 lw 2";
}

std::string byte_text(std::uint64_t count) {
    std::string text = to_text(bytes{static_cast<std::int64_t>(count)});
    text.insert(text.find_first_not_of("0123456789."), " ");
    return text;
}

axis_unit log_time_unit(double low_ns, double high_ns) {
    const axis_unit unit = pick(time_scales(), std::sqrt(low_ns) * std::sqrt(high_ns));
    return high_ns < 10'000 * unit.scale ? unit : pick(time_scales(), unit.scale * 1000);
}
axis_unit time_unit(double high_ns) {
    return pick(time_scales(), high_ns);
}
axis_unit rate_unit(double high_bps) {
    return pick({{"b/s", 1}, {"kb/s", 1e3}, {"Mb/s", 1e6}, {"Gb/s", 1e9}, {"Tb/s", 1e12}}, high_bps);
}
axis_unit byte_unit(double high_bytes) {
    return pick({{"B", 1}, {"KiB", 1024}, {"MiB", 1024.0 * 1024}, {"GiB", 1024.0 * 1024 * 1024}}, high_bytes);
}

std::string plot_axis::unlabelled(const std::string& axis) const {
    std::string s = "set " + axis + "tics nomirror out (";
    const char* divider = "";
    for (const axis_tic& t : tics) {
        s += divider + ("'' " + number_text(t.at)) + (t.label.empty() ? " 1" : "");
        divider = ", ";
    }
    return s + ")\n";
}

std::string plot_axis::commands(const std::string& axis) const {
    std::string s = (logarithmic ? "set logscale " : "unset logscale ") + axis + "\nset " + axis + "range [" +
                    number_text(low) + ":" + number_text(high) + "]\nset " + axis + "tics nomirror out (";
    const char* divider = "";
    for (const axis_tic& t : tics) {
        s += divider + quoted(t.label) + " " + number_text(t.at) + (t.label.empty() ? " 1" : "");
        divider = ", ";
    }
    return s + ")\n";
}

plot_axis log_axis(double low, double high) {
    static const std::vector<double> coarse{1};
    static const std::vector<double> middle{1, 2, 5};
    static const std::vector<double> fine{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8};
    if (high < low * 1.3) {
        low /= 1.15;
        high *= 1.15;
    }
    const double span = high / low;
    const std::vector<double>& steps = span < 6 ? fine : span < 150 ? middle : coarse;
    // Coarse labels still get an end at 1, 2 or 5, so that no half of a panel stays empty.
    const std::vector<double>& ends = span < 6 ? fine : middle;
    plot_axis axis;
    axis.logarithmic = true;
    axis.low = 0;
    axis.high = 0;
    for (double d = decade(low) / 10; d < high * 100 && axis.high == 0; d *= 10) {
        for (const double e : ends) {
            const double at = e * d;
            if (at <= low * 1.0001) {
                axis.low = at;
            } else if (at >= high * 0.9999 && axis.high == 0) {
                axis.high = at;
            }
        }
    }
    for (double d = decade(axis.low); d <= axis.high * 1.0001; d *= 10) {
        for (int tenth = 10; tenth < 100; ++tenth) {
            const double mantissa = tenth / 10.0;
            const double at = mantissa * d;
            if (at < axis.low * 0.9999 || at > axis.high * 1.0001) {
                continue;
            }
            if (std::find(steps.begin(), steps.end(), mantissa) != steps.end()) {
                axis.tics.push_back({at, number_text(at)});
            } else if (tenth % 10 == 0) {
                axis.tics.push_back({at, ""});
            }
        }
    }
    return axis;
}

plot_axis linear_axis(double high) {
    const double whole = high > 0 ? high : 1;
    return stepped(whole, round_step(whole / 5));
}

plot_axis binary_axis(double high) {
    const double whole = high > 0 ? high : 1;
    return stepped(whole, std::exp2(std::ceil(std::log2(whole / 6))));
}

plot_axis time_axis(double low, double high) {
    const double step = round_step((high - low) / 5);
    plot_axis axis;
    axis.low = low;
    const auto last = static_cast<long>(std::ceil(high / step - 1e-9));
    axis.high =
        step * static_cast<double>(last) > high + (high - low) * 0.04 ? high : step * static_cast<double>(last);
    for (auto i = static_cast<long>(std::ceil(low / step - 1e-9)); i <= last; ++i) {
        const double at = step * static_cast<double>(i);
        if (at <= axis.high) {
            axis.tics.push_back({at, number_text(at)});
        }
    }
    return axis;
}

void page::legend(const std::vector<std::string>& labels, sample shown, const std::vector<extra_entry>& more) {
    std::size_t longest = 0;
    for (const std::string& l : labels) {
        longest = std::max(longest, l.size());
    }
    for (const extra_entry& e : more) {
        longest = std::max(longest, e.label.size());
    }
    const std::size_t entries = labels.size() + more.size();
    const double entry = 130 + 13.5 * static_cast<double>(longest);
    const auto fitting = static_cast<std::size_t>((width - 100) / entry);
    const std::size_t columns = std::max<std::size_t>(1, std::min(fitting, entries));
    m_legend = "set key at screen 60/W, 1 - " + number_text(m_top - 20) +
               "/H left top horizontal Left reverse samplen 3 spacing 1.2 maxcols " + std::to_string(columns) +
               "\nplot NaN notitle";
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const std::string lt = std::to_string(i + 1);
        m_legend += ", \\\n     keyentry with ";
        m_legend += shown == sample::box
                        ? "boxes " + bar_style(i)
                        : std::string(shown == sample::line ? "lines" : "linespoints") + " lt " + lt;
        m_legend += " title " + quoted(labels[i]);
    }
    for (const extra_entry& e : more) {
        m_legend += ", \\\n     keyentry with " + e.style + " title " + quoted(e.label);
    }
    m_legend += "\nunset key\n";
    m_top += 36 * std::ceil(static_cast<double>(entries) / static_cast<double>(columns));
}

void page::panel(double left, double right, double top, double bottom) {
    m_panels += "set lmargin at screen " + number_text(left) + "/W\nset rmargin at screen " +
                number_text(right) + "/W\nset tmargin at screen 1 - " + number_text(top) +
                "/H\nset bmargin at screen 1 - " + number_text(bottom) + "/H\n";
}

picture page::finish(std::string name, std::string data, unsigned height) const {
    std::string s = "set multiplot\nset label 1 " + quoted(m_title) +
                    " at screen 60/W, 1 - 36/H left font ':Bold,24'\nset label 2 " + quoted(m_details) +
                    " at screen 60/W, 1 - 78/H left tc rgb '#555555' font ',16'\n" +
                    "set border 0\nunset tics\nset xrange [0:1]\nset yrange [0:1]\n" +
                    (m_legend.empty() ? "plot NaN notitle\nunset key\n" : m_legend) +
                    "unset label 1\nunset label 2\nset border 3 lw 1.5\n" +
                    "set tics scale 0.8, 0.5\nset grid x y lt 1 lc rgb '#DDDDDD' lw 1 dt 1\n" + m_panels +
                    "unset multiplot\n";
    return {std::move(name), std::move(data), std::move(s), width, height};
}

}  // namespace weir
