#include "tb/campaign/queued_campaign.h"

#include <algorithm>
#include <utility>

#include "tb/process/exit_status.h"

namespace weir::tb {

queued_campaign::queued_campaign(const directory_kind& kind, std::string command, bool retry_failed,
                                 campaign_options options, const campaign_call& call, std::ostream& out,
                                 std::ostream& err)
    : campaign(kind, std::move(options), call, out, err),
      m_command(std::move(command)),
      m_retry_failed(retry_failed) {}

void queued_campaign::want(const std::vector<std::size_t>& points, const std::vector<std::uint64_t>& seeds) {
    m_wanted.clear();
    for (const std::uint64_t seed : seeds) {
        for (const std::size_t point : points) {
            m_wanted.push_back({point, seed});
        }
    }
}

std::optional<int> queued_campaign::unfinished(int signal) const {
    const campaign_status& s = status();
    if (signal != 0) {
        m_err << "weir " << m_command << ": interrupted; " << s.done << " of " << s.total
              << " runs are done, the same command goes on\n";
        return exit_status::interrupted(signal);
    }
    if (collects() && !m_found.pending.empty()) {
        m_err << "weir " << m_command << ": " << m_found.pending.size() << " of " << s.total
              << " runs are missing; --point, or the command without --collect, makes them\n";
        return exit_status::environment;
    }
    if (s.not_finished > 0) {
        m_err << "weir " << m_command << ": " << s.not_finished << " of " << s.total
              << " runs did not finish, for the reasons above (not because of the model); the same command "
                 "runs them again\n";
        return exit_status::environment;
    }
    return std::nullopt;
}

config_errors queued_campaign::foreign_runs() {
    m_found = take_inventory(m_wanted, runs(), layout(), m_retry_failed);
    m_queue.emplace(runs(), m_found, points(), jobs());
    constexpr std::size_t most = 10;
    config_errors foreign = m_found.foreign;
    foreign.resize(std::min(most, foreign.size()));
    return foreign;
}

run_demand& queued_campaign::demand(const std::function<void(const std::string&)>& note) {
    m_queue->note = note;
    return *m_queue;
}

}  // namespace weir::tb
