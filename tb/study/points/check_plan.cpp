#include "tb/study/points/check_plan.h"
#include "tb/run/options/input_paths.h"
#include "tb/run/options/run_options.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace weir::tb {

namespace {

constexpr std::size_t most_lines = 50;

/// Messages in the order of their first appearance, each with the points that it is about.
class findings {
 public:
    void add(const std::string& message, std::size_t point) {
        const auto [at, is_new] = m_places.emplace(message, m_messages.size());
        if (is_new) {
            m_messages.push_back({message, {}});
        }
        std::vector<std::size_t>& points = m_messages[at->second].points;
        if (points.empty() || points.back() != point) {
            points.push_back(point);
        }
    }

    /// `only_everywhere`: not worth a line unless it is so at every point.
    std::vector<std::string> lines(const sweep_plan& plan,
                                   const std::set<std::string>& only_everywhere = {}) const {
        std::vector<std::string> all;
        for (const finding& each : m_messages) {
            if (only_everywhere.count(each.message) != 0 && each.points.size() < plan.points()) {
                continue;
            }
            if (all.size() == most_lines) {
                all.push_back("... and " + std::to_string(m_messages.size() - most_lines) + " more");
                break;
            }
            all.push_back(each.message + where(plan, each.points));
        }
        return all;
    }

 private:
    struct finding {
        std::string message;
        std::vector<std::size_t> points;
    };

    static std::string where(const sweep_plan& plan, const std::vector<std::size_t>& points) {
        if (points.size() == plan.points()) {
            return {};
        }
        return points.size() == 1 ? " (" + plan.describe(points[0]) + ")"
                                  : " (at " + std::to_string(points.size()) + " points; first " +
                                        plan.describe(points[0]) + ")";
    }

    std::vector<finding> m_messages;
    std::map<std::string, std::size_t> m_places;
};

class plan_checker {
 public:
    plan_checker(const point_source& source, const sweep_plan& plan, const point_check& more)
        : m_source(source), m_plan(plan), m_more(more) {}

    plan_check check() {
        m_result.refused.resize(m_plan.points());
        for (std::size_t point = 0; point < m_plan.points(); ++point) {
            check_point(point);
        }
        m_result.errors = m_errors.lines(m_plan);
        m_result.warnings = m_warnings.lines(m_plan, m_result.idle);
        return std::move(m_result);
    }

 private:
    using messages = std::vector<std::string>;
    struct told {
        messages errors;
        messages warnings;
    };

    told messages_of(const prepared_run& run) const { return {lines_of(run.errors), run.warnings}; }
    messages lines_of(config_errors errors) const {
        for (config_error& error : errors) {
            if (error.file.empty()) {
                error.file = m_source.table().file;
                error.line = m_source.table().line;
            }
        }
        return error_lines(errors);
    }
    void add(const told& all, std::size_t point) {
        for (const std::string& error : all.errors) {
            m_errors.add(error, point);
            m_result.refused[point].push_back(error);
        }
        for (const std::string& warning : all.warnings) {
            m_warnings.add(warning, point);
        }
    }

    loaded_config load(std::size_t point) const { return m_source.load(m_plan, point, m_plan.seeds.front()); }

    void check_point(std::size_t point) {
        loaded_config loaded = load(point);
        std::string traffic;
        if (loaded.errors.empty()) {
            const option_table table = make_option_table(loaded.config);
            note_inputs(loaded.config, table);
            traffic = traffic_of(table);
        }
        const auto known = m_traffic.find(traffic);
        const bool reads_traffic = !traffic.empty() && known == m_traffic.end();
        const prepared_run run = prepare_run(std::move(loaded), reads_traffic ? std::nullopt
                                                                : known == m_traffic.end()
                                                                    ? std::optional(unread_trace)
                                                                    : std::optional(known->second.priorities));
        const told all = messages_of(run);
        // What one value of an axis needs, another may not: `switch.scheme=detail,dctcp`.
        for (const config_error& idle : run.loaded.idle) {
            m_result.idle.insert(format_error(idle));
        }
        add(all, point);
        if (m_more && run.errors.empty()) {
            add({lines_of(m_more(run, point)), {}}, point);
        }
        if (reads_traffic) {
            m_traffic[traffic] = {said_of_traffic(all, point, run.priorities), run.priorities};
        } else if (known != m_traffic.end()) {
            add(known->second.said, point);
        }
    }

    /// A trace can be long: it is read once for all points that read it in the same way, on the same hosts, and
    /// compare it with the same duration and goals.
    static std::string traffic_of(const option_table& table) {
        std::string form;
        for (const auto& each : table.options()) {
            if (each->block == "traffic" || each->block == "fabric" || each->key == "run.duration" ||
                each->key == "run.until") {
                form += each->value->text() + '\n';
            }
        }
        return form;
    }

    /// What is said only because the traffic's files were read.
    told said_of_traffic(const told& all, std::size_t point, trace_priorities priorities) const {
        if (all.errors.empty() && all.warnings.empty()) {
            return {};
        }
        const told rest = messages_of(prepare_run(load(point), priorities));
        const auto less = [](const messages& from, const messages& those) {
            messages left;
            std::copy_if(from.begin(), from.end(), std::back_inserter(left), [&](const std::string& each) {
                return std::find(those.begin(), those.end(), each) == those.end();
            });
            return left;
        };
        return {less(all.errors, rest.errors), less(all.warnings, rest.warnings)};
    }

    void note_inputs(const run_config& config, const option_table& table) {
        for (const std::string& path : input_paths(config, table)) {
            if (!m_inputs.insert(path).second) {
                continue;
            }
            if (const auto print = fingerprint_of(path)) {
                m_result.inputs.push_back({path, *print});
            }
        }
    }

    const point_source& m_source;
    const sweep_plan& m_plan;
    const point_check& m_more;
    plan_check m_result;
    findings m_errors;
    findings m_warnings;
    /// Files of traffic that have been read.
    struct read_traffic {
        told said;
        trace_priorities priorities = unread_trace;
    };
    std::map<std::string, read_traffic> m_traffic;
    std::set<std::string> m_inputs;
};

}  // namespace

plan_check check_plan(const point_source& source, const sweep_plan& plan, const point_check& more) {
    return plan_checker(source, plan, more).check();
}

/// Options that results depend on, as `config` has them, but for those that the plan varies and run.seed.
static std::vector<plan_option> options_of(const run_config& config, const sweep_plan& plan) {
    run_config copy = config;
    const option_table table = make_option_table(copy);
    std::vector<plan_option> all;
    for (const auto& each : table.options()) {
        if (each->in_results && !plan.varies(each->key) && each->key != "run.seed") {
            all.push_back({each->key, each->value->texts()});
        }
    }
    return all;
}

loaded_config base_of(const point_source& source) {
    loaded_config base = source.base();
    config_errors errors = source.unread();
    std::copy_if(base.errors.begin(), base.errors.end(), std::back_inserter(errors),
                 [](const config_error& e) { return e.key == "run.seed"; });
    base.errors = std::move(errors);
    return base;
}

derived_metrics definitions_of(const loaded_config& base, const std::vector<std::string>& given,
                               config_errors& errors) {
    const std::vector<std::string>& texts = base.config.output.metrics;
    config_errors found;
    derived_metrics all = read_definitions(texts, found);
    std::vector<bool> is_given;
    for (const config_error& error : found) {
        const std::string& text = texts[std::stoul(error.key.substr(error.key.find('[') + 1))];
        is_given.push_back(std::find(given.begin(), given.end(), text) != given.end());
    }
    base.locate(found);
    for (std::size_t e = 0; e < found.size(); ++e) {
        found[e].key = is_given[e] && found[e].file.empty() ? "--metric" : found[e].key;
    }
    errors.add(std::move(found));
    return all;
}

void fill_plan(sweep_plan& plan, const point_source& source, const run_config& base) {
    plan.version = WEIR_VERSION;
    plan.configuration = source.title();
    plan.options = options_of(base, plan);
}

}  // namespace weir::tb
