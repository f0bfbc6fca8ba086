#include "tb/plot/draw_pictures.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace weir {

namespace fs = std::filesystem;

void read_formats(const std::string& list, std::vector<std::string>& formats, config_errors& errors) {
    formats.clear();
    for (std::size_t from = 0; from <= list.size();) {
        const std::size_t comma = std::min(list.find(',', from), list.size());
        const std::string format = list.substr(from, comma - from);
        from = comma + 1;
        if (format != "png" && format != "svg") {
            errors.push_back(
                {"", 0, "--format", "'" + format + "' is not a format; expected png, svg, png,svg"});
        } else if (std::find(formats.begin(), formats.end(), format) == formats.end()) {
            formats.push_back(format);
        }
    }
}

bool is_whole_picture(const std::string& file) {
    constexpr std::streamoff tail = 64;
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    const std::streamoff size = in.tellg();
    in.seekg(std::max<std::streamoff>(size - tail, 0));
    const std::string end{std::istreambuf_iterator<char>(in), {}};
    return end.find(fs::path(file).extension() == ".svg" ? "</svg>" : "IEND") != std::string::npos;
}

namespace {

/// A directory for the pictures; one that was made, and in which nothing is, goes away.
class target_directory {
 public:
    explicit target_directory(std::string path) : m_path(std::move(path)) {
        fs::path above = fs::absolute(m_path).lexically_normal();
        for (; !fs::exists(above, m_failure) && above.has_relative_path(); above = above.parent_path()) {
            if (above.has_filename()) {
                m_made.push_back(above);
            }
        }
        m_failure.clear();
        fs::create_directories(m_path, m_failure);
    }
    target_directory(const target_directory&) = delete;
    target_directory& operator=(const target_directory&) = delete;
    ~target_directory() {
        std::error_code in_use;
        for (const fs::path& made : m_made) {
            fs::remove(made, in_use);
        }
    }
    std::string failure() const { return m_failure ? m_path + ": " + m_failure.message() : ""; }

    /// What is wrong, or an empty text. Says which pictures were there and are not to be drawn again.
    std::string clear(const std::vector<std::string>& names, const std::vector<picture>& again,
                      std::ostream& err) const {
        for (const std::string& name : names) {
            bool any = false;
            for (const char* suffix : {".gp", ".dat", ".png", ".svg"}) {
                std::error_code failed;
                const fs::path file = fs::path(m_path) / (name + suffix);
                any = fs::remove(file, failed) || any;
                if (failed) {
                    return file.string() + ": cannot be replaced: " + failed.message();
                }
            }
            if (any &&
                std::none_of(again.begin(), again.end(), [&](const picture& p) { return p.name == name; })) {
                err << "note: " << name << ": the picture of an earlier call has been removed\n";
            }
        }
        return {};
    }

 private:
    std::string m_path;
    std::vector<fs::path> m_made;
    std::error_code m_failure;
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
    return whole ? 0 : 1;
}

}  // namespace

int draw_pictures(const std::vector<picture>& pictures, const std::vector<std::string>& names,
                  const std::vector<std::string>& formats, const std::string& directory, std::ostream& out,
                  std::ostream& err) {
    const target_directory target(directory);
    std::string wrong = target.failure();
    if (wrong.empty()) {
        wrong = target.clear(names, pictures, err);
    }
    int status = 0;
    for (const picture& p : pictures) {
        if (wrong.empty()) {
            wrong = write_picture(p, formats, directory);
        }
        if (!wrong.empty()) {
            err << wrong << "\n";
            return 1;
        }
        status = std::max(status, draw(p, formats, directory, out, err));
    }
    if (!wrong.empty()) {
        err << wrong << "\n";
        return 1;
    }
    return status;
}

}  // namespace weir
