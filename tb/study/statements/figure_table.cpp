#include "tb/study/statements/figure_table.h"

#include <boost/algorithm/cxx11/any_of.hpp>
#include <set>

#include "tb/study/statements/paper_table.h"
#include "tb/study/statements/screening_design.h"
#include "tb/study/sweep/metrics.h"
#include "tb/study/sweep/swept_axis.h"
#include "tb/support/text/joined.h"
#include "tb/view/pictures/run_pictures.h"

namespace weir::tb {

using boost::algorithm::any_of_equal;

namespace fs = std::filesystem;

namespace {

class figure_reader {
 public:
    figure_reader(const fs::path& folder, const std::vector<paper_experiment>& experiments,
                  config_errors& errors)
        : m_experiments(experiments),
          m_table(
              folder / "figures.csv", errors, "a table of figures",
              {"figure", "title", "draw", "experiment", "metric", "at", "x", "curves", "scale", "relative?"}) {
        for (const paper_experiment& each : experiments) {
            m_names.push_back(each.name);
        }
    }

    std::vector<paper_figure> read() {
        std::vector<paper_figure> all;
        while (m_table.next()) {
            paper_figure f;
            f.figure = m_table.text("figure");
            f.title = m_table.text("title");
            f.x = m_table.text("x");
            if (f.figure.empty()) {
                m_table.refuse("figure", "is empty; expected the figure's number");
            }
            const auto draw = m_table.word("draw", {"curves", "distribution", "effects", "run"});
            f.draw = static_cast<paper_figure::drawings>(draw.value_or(0));
            f.metrics = m_table.words("metric");
            check_metrics(f);
            f.name = name_of_picture(f.figure) + (f.is_of_runs() ? "_" + m_table.text("metric") : "");
            read_scale(f);
            if (const auto experiment = m_table.word("experiment", m_names)) {
                f.experiment = *experiment;
                read_places(f);
                read_relative(f);
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

    void check_metrics(const paper_figure& f) {
        const auto is_of_jobs = [](const std::string& m) {
            constexpr std::string_view end = "jct_ns";
            return m.size() >= end.size() && m.compare(m.size() - end.size(), end.size(), end) == 0;
        };
        if (f.is_of_runs()) {
            if (f.metrics.size() != 1 || !any_of_equal(run_picture_names(), f.metrics.front())) {
                m_table.refuse_text(
                    "metric", "is no picture of weir plot; expected " + joined(run_picture_names(), ", "));
            }
        } else if (f.metrics.empty() ||
                   (f.is_distribution() && (f.metrics.size() != 1 || !is_of_jobs(f.metrics.front())))) {
            m_table.refuse_text(
                "metric",
                std::string("cannot be drawn; expected ") +
                    (f.is_distribution() ? "jct_ns, or that of a group such as groups.query.8000.7.jct_ns"
                                         : "numbers of summary.json, such as jct_ns.p99"));
        } else {
            for (const config_error& error : metric_filter(f.metrics).check("")) {
                m_table.refuse("metric", error.message);
            }
        }
    }

    void read_scale(paper_figure& f) {
        using scales = sweep_plot_request::scales;
        if (m_table.text("scale").empty()) {
            return;
        }
        const auto word = m_table.word("scale", {"linear", "log"});
        if (word && f.is_of_runs()) {
            m_table.refuse("scale", "has no meaning for pictures of a run; expected nothing");
        } else if (word == 1 && f.has_effects()) {
            m_table.refuse("scale", "'log' has no place for effects below 0; expected linear, or nothing");
        } else if (word) {
            f.scale = *word == 0 ? scales::linear : scales::logarithmic;
        }
    }

    std::optional<choice> points(const char* column, const paper_figure& f) {
        return m_table.points(column, m_table.text(column), m_experiments[f.experiment].plan);
    }

    void read_places(paper_figure& f) {
        const sweep_plan& plan = m_experiments[f.experiment].plan;
        const auto fixed = points("at", f);
        const auto family = points("curves", f);
        const auto along = points("x", f);
        if (!fixed || !family || !along) {
            return;
        }
        f.at = *fixed;
        f.curves = *family;
        if (f.has_axis() ? along->size() != 1 || !along->front().values.empty() : !along->empty()) {
            return m_table.refuse_text("x", std::string("is no horizontal axis; expected ") +
                                                (f.has_axis()          ? "one varied option"
                                                 : f.is_distribution() ? "nothing, it is time"
                                                                       : "nothing, the picture has one"));
        }
        if (family->size() > 1) {
            return m_table.refuse("curves", "has several options; expected one");
        }
        for (const axis_choice& one : f.at) {
            if (one.values.size() != 1) {
                return m_table.refuse("at", "'" + one.key + "' needs one value; expected KEY=VALUE");
            }
        }
        if (f.has_effects() && !check_design(f, plan)) {
            return;
        }
        const auto chosen = f.places(plan);
        if (const std::string open = chosen ? open_option(plan, *chosen) : ""; !open.empty()) {
            return m_table.refuse("at",
                                  "leaves open " + open + ", which is varied; expected " + open + "=VALUE");
        }
        if (f.draw != paper_figure::drawings::curves && curve_places(plan, f) > most_curves) {
            return m_table.refuse("curves",
                                  "makes too many curves; expected at most " + std::to_string(most_curves));
        }
        const config_errors wrong = f.draw == paper_figure::drawings::curves
                                        ? check_sweep_plot(plan, f.request(plan))
                                        : config_errors{};
        for (const config_error& error : wrong) {
            m_table.refuse(error.key == "--where" ? "at" : "curves", error.message);
        }
        if (wrong.empty() && !chosen) {
            m_table.refuse(
                "at",
                "chooses no point together with `curves`; expected values that options of one --vary "
                "have together");
        }
    }

    void read_relative(paper_figure& f) {
        const auto to = points("relative", f);
        if (m_table.text("relative").empty() || !to) {
            return;
        }
        const bool has_curves = f.draw == paper_figure::drawings::curves;
        const std::string& option = f.curves.empty() ? f.x : f.curves.front().key;
        if (!has_curves || to->size() != 1 || to->front().key != option || to->front().values.size() != 1) {
            return m_table.refuse_text(
                "relative", "is not drawn; expected " + (has_curves ? option + "=VALUE" : "nothing"));
        }
        f.relative = *to;
    }

    /// Checks a picture of effects: the rows are a design, and no other choice names its options.
    bool check_design(const paper_figure& f, const sweep_plan& plan) {
        const std::size_t design = swept_axis(plan, f.x).index();
        const std::vector<std::string> faults = design_faults(plan.axes[design]);
        for (const std::string& fault : faults) {
            m_table.refuse("x", fault);
        }
        bool apart = true;
        for (const auto& [column, chosen] : {std::pair{"at", &f.at}, {"curves", &f.curves}}) {
            for (const axis_choice& one : *chosen) {
                if (swept_axis(plan, one.key).index() == design) {
                    m_table.refuse(column,
                                   "'" + one.key + "' is of the design in `x`; expected another option");
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
    paper_table m_table;
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
