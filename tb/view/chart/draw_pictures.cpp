#include "tb/view/chart/draw_pictures.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <utility>

#include "tb/support/files/input_file.h"
#include "tb/support/files/output_file.h"
#include "tb/support/process/exit_status.h"

namespace weir::tb {

namespace fs = std::filesystem;

parse_result<std::vector<std::string>> read_formats(const std::string& list) {
    parse_result<std::vector<std::string>> read;
    std::istringstream parts(list + ",");
    for (std::string format; std::getline(parts, format, ',');) {
        if (format != "png" && format != "svg") {
            read.error = "'" + format + "' is not a format; expected png, svg, png,svg";
        } else if (std::find(read.value.begin(), read.value.end(), format) == read.value.end()) {
            read.value.push_back(format);
        }
    }
    return read;
}

namespace {

/// Whether the picture in this file has its end: gnuplot does not notice that a disk is full.
bool is_whole_picture(const std::string& file) {
    constexpr std::streamoff tail = 64;
    input_file in = open_input(file);
    if (!in.why_not.empty()) {
        return false;
    }
    in.text.seekg(0, std::ios::end);
    const std::streamoff size = in.text.tellg();
    in.text.seekg(std::max<std::streamoff>(size - tail, 0));
    const std::string end{std::istreambuf_iterator<char>(in.text), {}};
    return end.find(fs::path(file).extension() == ".svg" ? "</svg>" : "IEND") != std::string::npos;
}

/// A directory for the pictures; one that was made, and in which nothing is, goes away.
class target_directory {
 public:
    explicit target_directory(std::string path) : m_path(std::move(path)) {
        fs::path above = fs::absolute(m_path).lexically_normal();
        for (; !path_exists(above) && above.has_relative_path(); above = above.parent_path()) {
            if (above.has_filename()) {
                m_made.push_back(above);
            }
        }
    }
    target_directory(const target_directory&) = delete;
    target_directory& operator=(const target_directory&) = delete;
    ~target_directory() {
        std::error_code in_use;
        for (const fs::path& made : m_made) {
            fs::remove(made, in_use);
        }
    }
    /// Says which pictures were there and are not to be drawn again.
    void make_and_clear(const std::vector<std::string>& names, const std::vector<picture>& again,
                        std::ostream& err) const {
        make_out_directory(m_path);
        for (const std::string& name : names) {
            bool any = false;
            for (const char* suffix : {".gp", ".dat", ".png", ".svg"}) {
                any = remove_file(fs::path(m_path) / (name + suffix)) || any;
            }
            if (any &&
                std::none_of(again.begin(), again.end(), [&](const picture& p) { return p.name == name; })) {
                err << "note: " << name << ": the picture of an earlier call has been removed\n";
            }
        }
    }

 private:
    std::string m_path;
    std::vector<fs::path> m_made;
};

/// Runs gnuplot on what has been written. Returns the exit status.
int draw(const picture& p, const std::vector<std::string>& formats, const std::string& directory,
         std::ostream& out, std::ostream& err) {
    const tool_result drawn = run_gnuplot(directory, p.name);
    if (!drawn.output.empty()) {
        err << p.name << ".gp: " << drawn.output << (drawn.output.back() == '\n' ? "" : "\n");
    }
    bool whole = drawn.status == 0;
    for (const std::string& f : formats) {
        const std::string file = (fs::path(directory) / (p.name + "." + f)).string();
        if (drawn.status == 0 && is_whole_picture(file)) {
            synchronise(file);
            out << file << "\n";
            continue;
        }
        // Half a picture must not look like a whole one.
        std::error_code ignored;
        if (drawn.status == 0) {
            whole = false;
            const fs::space_info left = fs::space(directory, ignored);
            err << file << ": gnuplot wrote only a part of it"
                << (!ignored && left.available < 4096 ? ": No space left on device" : "") << "\n";
        }
        fs::remove(file, ignored);
    }
    if (drawn.status == 127) {
        err << "gnuplot is not installed; the scripts in " << directory << " can be run later\n";
    } else if (drawn.status != 0) {
        err << p.name << ".gp: gnuplot failed with status " << drawn.status << "\n";
    }
    return whole ? exit_status::success : exit_status::environment;
}

}  // namespace

int draw_pictures(const std::vector<picture>& pictures, const std::vector<std::string>& names,
                  const std::vector<std::string>& formats, const std::string& directory, std::ostream& out,
                  std::ostream& err) {
    const target_directory target(directory);
    target.make_and_clear(names, pictures, err);
    int status = exit_status::success;
    for (const picture& p : pictures) {
        const std::string wrong = write_picture(p, formats, directory);
        if (!wrong.empty()) {
            err << wrong << "\n";
            return exit_status::environment;
        }
        status = std::max(status, draw(p, formats, directory, out, err));
    }
    synchronise(directory);
    return status;
}

}  // namespace weir::tb
