// Watches how well figures are known while a run goes on, and says when all of them are as well known as
// `run.until` asks for.
//
//   precision_watch watch(goals, config.run.warmup, tags);
//   watch.add_flow(tag, {fct, ideal});     // each that counts, in the order of completion
//   if (time == watch.next_look() && watch.look(time)) { ... }    // the run may end here
//   nlohmann::ordered_json said = watch.summary();
//
// It looks at fixed simulated times: 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, ... us after the warm-up, so that what
// it finds does not depend on quantum, threads and engine. Each look at an interval is another chance that it
// is narrow by accident, so there are few of them, and the aim has to be met at two looks running, the second
// with new values of every figure. An interval counts as narrow enough at N/(1 + N) of the figure, which keeps
// the true figure's error within N (Law, Simulation Modeling and Analysis, section 9.4.1; Chow and Robbins 1965
// for stopping by width).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tb/run/completions/batch_means.h"
#include "tb/run/completions/slowdown.h"
#include "tb/run/fields/precision_goal.h"
#include "weir/base/time.h"

namespace weir::tb {

class precision_watch {
 public:
    /// `tags`: names by number. A goal's tag is one of them.
    precision_watch(const std::vector<precision_goal>& goals, picoseconds warmup,
                    const std::vector<std::string>& tags);

    bool has_goals() const { return !m_watched.empty(); }

    void add_flow(std::uint8_t tag, const measured_time& t);
    void add_job(std::uint8_t tag, picoseconds jct);

    /// `never` without goals.
    picoseconds next_look() const { return m_next_look; }
    /// At that time, when all that was complete before it has been added. True: the run may end.
    bool look(picoseconds now);

    /// Whether every figure is known well enough, as far as values have been added.
    bool is_reached();
    /// What summary.json has as `until`.
    nlohmann::ordered_json summary();
    /// What is wrong where the aim was not reached: a sentence for each figure.
    std::vector<std::string> shortcomings();

 private:
    struct watched {
        precision_goal goal;
        /// Number of its tag; nothing: all.
        std::optional<std::uint8_t> tag;
        batch_means series;
        /// At the last look.
        std::uint64_t values_before = 0;
    };

    static bool is_reached(watched& each);

    std::vector<watched> m_watched;
    picoseconds m_warmup;
    picoseconds m_next_look = never;
    picoseconds m_step;
    /// At which all figures had new values.
    unsigned m_looks = 0;
    bool m_reached_before = false;
    bool m_ended_run = false;
};

}  // namespace weir::tb
