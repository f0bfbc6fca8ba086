#include "tb/reproduce/figure_table.h"

#include <algorithm>
#include <set>

#include "tb/plot/run_pictures.h"
#include "tb/reproduce/screening_design.h"
#include "tb/sweep/metrics.h"
#include "tb/sweep/swept_axis.h"
#include "tb/text/csv_file.h"
#include "tb/text/joined.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

class figure_reader {
 public:
    figure_reader(const fs::path& folder, const std::vector<paper_experiment>& experiments,
                  config_errors& errors)
        : m_experiments(experiments),
          m_file((folder / "figures.csv").string(), errors, input_kind::any, "a table of figures") {
        for (const paper_experiment& each : experiments) {
            m_names.push_back(each.name);
        }
    }

    std::vector<paper_figure> read() {
        const auto columns =
            m_file.columns({"figure", "title", "draw", "experiment", "metric", "at", "x", "curves", "scale"});
        const std::optional<std::size_t> relative = m_file.optional_column("relative");
        m_file.refuse_others(
            {"figure", "title", "draw", "experiment", "metric", "at", "x", "curves", "scale", "relative"});
        std::vector<paper_figure> all;
        while (m_file.next()) {
            paper_figure f;
            f.line = m_file.line();
            f.figure = m_file.text(columns[0]);
            f.title = m_file.text(columns[1]);
            if (f.figure.empty()) {
                m_file.refuse(columns[0], "is empty; expected the figure's number");
            }
            std::size_t word = 0;
            m_file.word(columns[2], word, {"curves", "distribution", "effects", "run"});
            f.draw = static_cast<paper_figure::drawings>(word);
            f.metrics = m_file.words(columns[4]);
            check_metrics(f, columns[4]);
            f.name = name_of_picture(f.figure) + (f.is_of_runs() ? "_" + m_file.text(columns[4]) : "");
            f.x = m_file.text(columns[6]);
            read_scale(f, columns[8]);
            if (m_file.word(columns[3], f.experiment, m_names)) {
                read_places(f, columns[5], columns[6], columns[7]);
                if (relative && !m_file.text(*relative).empty()) {
                    read_relative(f, *relative);
                }
            }
            all.push_back(std::move(f));
        }
        return all;
    }

 private:
    std::string name_of_picture(const std::string& figure) {
        std::string name = "figure_" + figure;
        for (char& c : name) {
            const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            c = plain ? c : '_';
        }
        std::string unique = name;
        for (int number = 2; !m_pictures.insert(unique).second; ++number) {
            unique = name + "_" + std::to_string(number);
        }
        return unique;
    }

    void check_metrics(const paper_figure& f, std::size_t column) {
        if (f.is_of_runs()) {
            return check_run_picture(f, column);
        }
        const auto is_of_jobs = [](const std::string& m) {
            constexpr std::string_view end = "jct_ns";
            return m.size() >= end.size() && m.compare(m.size() - end.size(), end.size(), end) == 0;
        };
        if (f.metrics.empty() ||
            (f.is_distribution() && (f.metrics.size() != 1 || !is_of_jobs(f.metrics.front())))) {
            return m_file.refuse(
                column,
                "'" + m_file.text(column) + "' cannot be drawn; expected " +
                    (f.is_distribution() ? "jct_ns, or that of a group such as groups.query.8000.7.jct_ns"
                                         : "numbers of summary.json, such as jct_ns.p99"));
        }
        for (const config_error& error : metric_filter(f.metrics).check("")) {
            m_file.refuse(column, error.message);
        }
    }

    void check_run_picture(const paper_figure& f, std::size_t column) {
        const std::vector<std::string>& names = run_picture_names();
        if (f.metrics.size() != 1 || std::find(names.begin(), names.end(), f.metrics.front()) == names.end()) {
            m_file.refuse(column, "'" + m_file.text(column) + "' is no picture of weir plot; expected " +
                                      joined(names, ", "));
        }
    }

    void read_scale(paper_figure& f, std::size_t column) {
        std::size_t word = 0;
        if (!m_file.text(column).empty() && m_file.word(column, word, {"linear", "log"})) {
            if (f.is_of_runs()) {
                return m_file.refuse(column, "has no meaning for pictures of a run; expected nothing");
            }
            if (f.has_effects() && word == 1) {
                m_file.refuse(column, "'log' has no place for effects below 0; expected linear, or nothing");
            }
            f.scale = word == 0 ? sweep_plot_request::scales::linear : sweep_plot_request::scales::logarithmic;
        }
    }

    void read_places(paper_figure& f, std::size_t at, std::size_t x, std::size_t curves) {
        sweep_plan plan;
        plan.axes = m_experiments[f.experiment].axes;
        const auto fixed = read_choice(m_file, at, m_file.text(at), plan.axes);
        const auto family = read_choice(m_file, curves, m_file.text(curves), plan.axes);
        const auto along = read_choice(m_file, x, m_file.text(x), plan.axes);
        if (!fixed || !family || !along) {
            return;
        }
        f.at = *fixed;
        f.curves = *family;
        if (f.has_axis() ? along->size() != 1 || !along->front().values.empty() : !along->empty()) {
            return m_file.refuse(x, "'" + f.x + "' is no horizontal axis; expected " +
                                        (f.has_axis()          ? "one varied option"
                                         : f.is_distribution() ? "nothing, it is time"
                                                               : "nothing, the picture has one"));
        }
        if (family->size() > 1) {
            return m_file.refuse(curves, "has several options; expected one");
        }
        for (const axis_choice& one : f.at) {
            if (one.values.size() != 1) {
                return m_file.refuse(at, "'" + one.key + "' needs one value; expected KEY=VALUE");
            }
        }
        if (f.has_effects() && !check_design(f, plan, at, x, curves)) {
            return;
        }
        const auto chosen = f.places(plan);
        if (const std::string open = chosen ? open_option(plan, *chosen) : ""; !open.empty()) {
            return m_file.refuse(at, "leaves open " + open + ", which is varied; expected " + open + "=VALUE");
        }
        if (f.draw != paper_figure::drawings::curves && curve_places(plan, f) > most_curves) {
            return m_file.refuse(curves,
                                 "makes too many curves; expected at most " + std::to_string(most_curves));
        }
        const config_errors wrong = f.draw == paper_figure::drawings::curves
                                        ? check_sweep_plot(plan, f.request(plan))
                                        : config_errors{};
        for (const config_error& error : wrong) {
            m_file.refuse(error.key == "--where" ? at : curves, error.message);
        }
        if (wrong.empty() && !chosen) {
            m_file.refuse(at,
                          "chooses no point together with `curves`; expected values that options of one --vary "
                          "have together");
        }
    }

    void read_relative(paper_figure& f, std::size_t column) {
        const auto to = read_choice(m_file, column, m_file.text(column), m_experiments[f.experiment].axes);
        if (!to) {
            return;
        }
        const bool has_curves = f.draw == paper_figure::drawings::curves;
        const std::string& option = f.curves.empty() ? f.x : f.curves.front().key;
        if (!has_curves || to->size() != 1 || to->front().key != option || to->front().values.size() != 1) {
            return m_file.refuse(column, "'" + m_file.text(column) + "' is not drawn; expected " +
                                             (has_curves ? option + "=VALUE" : "nothing"));
        }
        f.relative = *to;
    }

    /// Checks a picture of effects: the rows are a design, and no other choice names its options.
    bool check_design(const paper_figure& f, const sweep_plan& plan, std::size_t at, std::size_t x,
                      std::size_t curves) {
        const std::size_t design = swept_axis(plan, f.x).index();
        const std::vector<std::string> faults = design_faults(plan.axes[design]);
        for (const std::string& fault : faults) {
            m_file.refuse(x, fault);
        }
        bool apart = true;
        for (const auto& [column, chosen] : {std::pair{at, &f.at}, {curves, &f.curves}}) {
            for (const axis_choice& one : *chosen) {
                if (swept_axis(plan, one.key).index() == design) {
                    m_file.refuse(column, "'" + one.key + "' is of the design in `x`; expected another option");
                    apart = false;
                }
            }
        }
        return apart && faults.empty();
    }

    static std::size_t curve_places(const sweep_plan& plan, const paper_figure& f) {
        return f.curves.empty()
                   ? 1
                   : chosen_places(plan, f.curves)->at(swept_axis(plan, f.curves[0].key).index()).size();
    }

    const std::vector<paper_experiment>& m_experiments;
    csv_file m_file;
    std::vector<std::string> m_names;
    std::set<std::string> m_pictures;
};

}  // namespace

std::optional<std::vector<std::vector<std::size_t>>> paper_figure::places(const sweep_plan& plan) const {
    if (has_effects() && !design_faults(plan.axes[swept_axis(plan, x).index()]).empty()) {
        return std::nullopt;
    }
    if (!relative.empty() && !chosen_places(plan, relative)) {
        return std::nullopt;
    }
    choice whole = at;
    whole.insert(whole.end(), curves.begin(), curves.end());
    if (!x.empty()) {
        whole.push_back({x, {}});
    }
    return chosen_places(plan, whole);
}

sweep_plot_request paper_figure::request(const sweep_plan& plan) const {
    sweep_plot_request r;
    r.over = {x};
    for (const axis_choice& family : curves) {
        r.over.push_back(family.key);
        r.curves = chosen_places(plan, curves)->at(swept_axis(plan, family.key).index());
    }
    for (const axis_choice& one : relative) {
        r.reference = swept_axis(plan, one.key).place_of(one.values.front());
    }
    r.where = at;
    r.title = title;
    r.name = name;
    r.scale = scale;
    return r;
}

std::vector<paper_figure> read_figures(const fs::path& folder, const std::vector<paper_experiment>& experiments,
                                       config_errors& errors) {
    return figure_reader(folder, experiments, errors).read();
}

}  // namespace weir::tb
