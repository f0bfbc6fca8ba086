#include "tb/campaign/run_demand.h"

#include <vector>

namespace weir::tb {

namespace {

void cancel_unwanted(run_demand& demand, run_pool& pool) {
    std::vector<pending_run> unwanted;
    for (const run_pool::active_run& run : pool.running()) {
        if (!demand.wants(run.what)) {
            unwanted.push_back(run.what);
        }
    }
    for (const pending_run& run : unwanted) {
        pool.cancel(run);
        demand.cancelled(run);
    }
}

void begin_wanted(run_demand& demand, run_pool& pool, unsigned jobs) {
    while (pool.active() < jobs) {
        const std::optional<pending_run> run = demand.next();
        if (!run) {
            return;
        }
        pool.start(*run);
    }
}

std::size_t take_ended(run_demand& demand, run_pool& pool) {
    std::size_t count = 0;
    for (const ended_run& run : pool.take_ended()) {
        count += run.record.state == run_record::states::missing ? 0 : 1;
        demand.take(run);
    }
    return count;
}

}  // namespace

made_runs make_runs(run_demand& demand, run_pool& pool, unsigned jobs,
                    const std::function<void(const std::string&)>& show) {
    made_runs made;
    const auto tell = [&] {
        if (const std::string text = demand.progress(pool); !text.empty()) {
            show(text);
        }
    };
    for (demand.look(); !demand.finished(pool); demand.look()) {
        cancel_unwanted(demand, pool);
        begin_wanted(demand, pool, jobs);
        tell();
        made.signal = pool.active() > 0 ? pool.wait() : 0;
        if (made.signal != 0) {
            pool.stop();
        }
        made.count += take_ended(demand, pool);
        if (made.signal != 0) {
            return made;
        }
    }
    tell();
    pool.stop();
    pool.take_ended();
    demand.end();
    return made;
}

}  // namespace weir::tb
