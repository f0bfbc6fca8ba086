#include "tb/run/samples/limits.h"

#include <iterator>
#include <tuple>

#include "tb/support/record/record_table.h"

namespace weir::tb {

namespace {

/// Whether `a` stands for its kind rather than `b`: it binds, lost more, bound longer, was busier, was awaited
/// longer.
/// Both bind, or neither does.
bool limits_more(const resource_use& a, const resource_use& b) {
    if (a.lost_frames != b.lost_frames) {
        return a.lost_frames > b.lost_frames;
    }
    if (a.bound_percent != b.bound_percent) {
        return a.bound_percent > b.bound_percent;
    }
    return a.busy_percent != b.busy_percent ? a.busy_percent > b.busy_percent
                                            : a.stalled_percent > b.stalled_percent;
}

}  // namespace

void resource_summaries::add(const resource_use& use) {
    resource_summary& all = m_by_kind[static_cast<unsigned>(use.kind)];
    const bool binds = use.ever_binds();
    const bool other_binds = all.binding > 0;
    if (all.of == 0 || (binds == other_binds ? limits_more(use, all.worst) : binds)) {
        all.worst = use;
    }
    all.kind = use.kind;
    ++all.of;
    all.binding += binds ? 1 : 0;
    std::vector<resource_use>& fullest = all.fullest;
    const bool is_full_list = fullest.size() == resource_summary::most_named;
    if (binds && (!is_full_list || limits_more(use, fullest.back()))) {
        fullest.insert(std::upper_bound(fullest.begin(), fullest.end(), use, limits_more), use);
        fullest.resize(std::min(fullest.size(), resource_summary::most_named));
    }
}

std::vector<resource_summary> resource_summaries::present() const {
    std::vector<resource_summary> present;
    std::copy_if(m_by_kind.begin(), m_by_kind.end(), std::back_inserter(present),
                 [](const resource_summary& all) { return all.of > 0; });
    return present;
}

std::vector<resource_summary> summary_of(const std::vector<resource_use>& resources) {
    resource_summaries all;
    for (const resource_use& use : resources) {
        all.add(use);
    }
    return all.present();
}

std::vector<resource_summary> limiting_of(const std::vector<resource_summary>& all) {
    std::vector<resource_summary> limiting;
    std::copy_if(all.begin(), all.end(), std::back_inserter(limiting),
                 [](const resource_summary& kind) { return kind.worst.limits_run(); });
    const auto weight = [](const resource_summary& kind) {
        const resource_use& worst = kind.worst;
        return std::make_tuple(kind.kind != resource_kind::host_link, worst.lost_frames, worst.stalled_percent,
                               worst.bound_percent, worst.busy_percent);
    };
    std::stable_sort(limiting.begin(), limiting.end(),
                     [&](const auto& a, const auto& b) { return weight(a) > weight(b); });
    return limiting;
}

void write_limits(output_file file, const std::vector<resource_use>& resources) {
    record_table<limit_row> table(std::move(file));
    for (const resource_use& use : resources) {
        if (use.served > 0 || use.lost_frames > 0) {
            table.write(limit_row{use});
        }
    }
    table.finish();
}

}  // namespace weir::tb
