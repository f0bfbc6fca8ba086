#include "tb/run/tables/detour_counter.h"

#include <algorithm>
#include <functional>

#include "tb/run/samples/json_values.h"
#include "tb/support/record/record_table.h"

namespace weir::tb {

void detour_counts::add(const detour_counts& other) {
    const auto add_all = [](detour_histogram& to, const detour_histogram& more) {
        std::transform(to.begin(), to.end(), more.begin(), to.begin(), std::plus<>{});
    };
    for (const auto& [tag, frames] : other.by_tag) {
        add_all(by_tag[tag], frames);
    }
    add_all(all, other.all);
}

detour_counts detours_of(const std::vector<const detour_counter*>& counters, model::rank_team& team) {
    detour_counts counts;
    for (const detour_counter* const counter : counters) {
        if (counter == nullptr) {
            continue;
        }
        const std::vector<std::uint32_t>& frames = counter->frames();
        for (std::size_t place = 0; place < frames.size(); ++place) {
            if (frames[place] > 0) {
                counts.by_tag[static_cast<unsigned>(place / 256)][place % 256] += frames[place];
                counts.all[place % 256] += frames[place];
            }
        }
    }
    return summed(team, std::move(counts));
}

detour_summary detour_summary_of(const detour_histogram& frames) {
    detour_summary s;
    for (unsigned detours = 0; detours < frames.size(); ++detours) {
        s.frames += frames[detours];
        s.detoured += detours > 0 ? frames[detours] : 0;
        s.most = frames[detours] > 0 ? detours : s.most;
    }
    // The ceil(0.99 n)-th smallest.
    const std::uint64_t rank = s.frames - s.frames / 100;
    for (std::uint64_t below = frames[0]; below < rank; below += frames[s.p99]) {
        ++s.p99;
    }
    return s;
}

std::string tag_at(unsigned place, const std::vector<std::string>& names) {
    return place == detour_counter::no_tag ? std::string{}
                                           : tag_name(names, static_cast<std::uint8_t>(place - 1));
}

void write_detour_table(output_file file, const detour_counts& counts, const std::vector<std::string>& names) {
    record_table<detour_row> table(std::move(file));
    for (const auto& [tag, frames] : counts.by_tag) {
        const std::string name = tag_at(tag, names);
        for (unsigned detours = 0; detours < frames.size(); ++detours) {
            if (frames[detours] > 0) {
                table.write({name, detours, frames[detours]});
            }
        }
    }
    table.finish();
}

}  // namespace weir::tb
