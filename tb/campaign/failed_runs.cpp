#include "tb/campaign/failed_runs.h"

#include <algorithm>

#include "tb/results/failed_run.h"
#include "tb/text/joined.h"
#include "weir/base/how_many.h"

namespace weir::tb {

void failed_runs::add(const settings& varied, std::uint64_t seed, const run_record& record) {
    ++m_runs;
    m_missing += record.state == run_record::states::missing ? 1 : 0;
    if (record.state != run_record::states::failed) {
        return;
    }
    std::string name;
    for (const auto& [key, value] : varied) {
        name += key + "=" + value + ", ";
    }
    m_failed.push_back(name + "seed " + std::to_string(seed) + ": " + verdict_text(record));
}

std::string failed_runs::text() const {
    constexpr std::size_t most_named = 8;
    std::string text;
    const std::string of_all = " of " + how_many(m_runs, "run");
    if (any()) {
        const auto named = static_cast<std::ptrdiff_t>(std::min(m_failed.size(), most_named));
        text = std::to_string(m_failed.size()) + of_all + " failed (" +
               joined(std::vector<std::string>(m_failed.begin(), m_failed.begin() + named), "; ") +
               (m_failed.size() > most_named ? "; and " + std::to_string(m_failed.size() - most_named) + " more"
                                             : "") +
               ")";
    }
    if (m_missing > 0) {
        text += (any() ? "; " : "") + std::to_string(m_missing) + (any() ? "" : of_all) +
                (m_missing == 1 ? " is" : " are") + " missing";
    }
    return text;
}

}  // namespace weir::tb
