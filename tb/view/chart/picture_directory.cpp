#include "tb/view/chart/picture_directory.h"

#include "tb/support/files/run_directory.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

bool holds_run(const fs::path& directory) {
    std::error_code error;
    if (!fs::is_regular_file(directory / "effective.ini", error)) {
        return false;
    }
    for (fs::directory_iterator entry(directory, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name != "effective.ini" && is_run_file(name)) {
            return true;
        }
    }
    return false;
}

}  // namespace

bool holds_sweep(const fs::path& directory) {
    std::error_code error;
    return fs::is_regular_file(directory / "plan.json", error) && fs::is_directory(directory / "points", error);
}

fs::path run_around(const fs::path& inner) {
    fs::path above = inner;
    for (; above.has_relative_path(); above = above.parent_path()) {
        if (holds_run(above)) {
            return above;
        }
    }
    return {};
}

fs::path whole_path(const fs::path& path) {
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
    return whole.has_filename() ? whole : whole.parent_path();  // `out/` is `out`
}

config_errors check_picture_directory(const std::string& out) {
    const auto refuse = [&](const std::string& what) { return config_errors{{"", 0, "--out", what}}; };
    if (out.empty()) {
        return refuse("is missing; expected --out DIR");
    }
    std::error_code error;
    if (fs::exists(out, error) && !fs::is_directory(out, error)) {
        return refuse("'" + out + "' is a file; expected a directory");
    }
    const fs::path inner = whole_path(out);
    if (holds_sweep(inner)) {
        return refuse(
            "'" + out + "' is the directory of a sweep, and pictures in it would prevent the sweep from " +
            "continuing; expected another directory, such as '" + (fs::path(out) / "plots").string() + "'");
    }
    if (const fs::path above = run_around(inner); !above.empty()) {
        return refuse("'" + out + "' " + (above == inner ? "is the directory of" : "is in the directory of") +
                      " a run, and pictures in it would prevent the run from being repeated; expected a "
                      "directory outside it");
    }
    return {};
}

}  // namespace weir::tb
