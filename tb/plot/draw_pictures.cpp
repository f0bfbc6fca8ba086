#include "tb/plot/draw_pictures.h"

#include <algorithm>
#include <filesystem>

namespace weir {

namespace fs = std::filesystem;

void read_formats(const std::string& list, std::vector<std::string>& formats, config_errors& errors) {
    formats.clear();
    for (std::size_t from = 0; from <= list.size();) {
        const std::size_t comma = std::min(list.find(',', from), list.size());
        const std::string format = list.substr(from, comma - from);
        from = comma + 1;
        if (format != "png" && format != "svg") {
            errors.push_back({"", 0, "--format", "'" + format + "' is no format; allowed: png, svg, png,svg"});
        } else if (std::find(formats.begin(), formats.end(), format) == formats.end()) {
            formats.push_back(format);
        }
    }
}

int draw_pictures(const std::vector<picture>& pictures, const std::vector<std::string>& formats,
                  const std::string& directory, std::ostream& out, std::ostream& err) {
    std::error_code failure;
    fs::create_directories(directory, failure);
    if (failure) {
        err << directory << ": " << failure.message() << "\n";
        return 1;
    }
    int status = 0;
    for (const picture& p : pictures) {
        const std::string wrong = write_picture(p, formats, directory);
        if (!wrong.empty()) {
            err << wrong << "\n";
            return 1;
        }
        const tool_result drawn = run_gnuplot(directory, p.name);
        if (!drawn.output.empty()) {
            err << p.name << ".gp: " << drawn.output << (drawn.output.back() == '\n' ? "" : "\n");
        }
        for (const std::string& f : formats) {
            const fs::path file = fs::path(directory) / (p.name + "." + f);
            if (drawn.status == 0) {
                out << file.string() << "\n";
            } else {
                // Half a picture must not look like a whole one.
                fs::remove(file, failure);
            }
        }
        if (drawn.status == 127) {
            err << "gnuplot is not installed; the scripts in " << directory << " can be run later\n";
        } else if (drawn.status != 0) {
            err << p.name << ".gp: gnuplot failed with status " << drawn.status << "\n";
        }
        status = drawn.status == 0 ? status : 1;
    }
    return status;
}

}  // namespace weir
