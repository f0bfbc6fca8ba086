// The least time of a transfer whose frames may take different paths, against every choice of paths for every
// frame, each followed through servers with a queue.
#include "weir/model/analysis/unloaded_spread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "weir/model/analysis/unloaded_path.h"
#include "weir/model/topology/topology_generators.h"

namespace weir::model {
namespace {

struct root {
    link_properties up;
    link_properties down;
};

/// Two switches with a host each, and roots between them.
topology two_racks(const link_properties& host, const std::vector<root>& roots) {
    topology t;
    const node_ref a = node_ref::of_switch(t.add_switch("a"));
    const node_ref b = node_ref::of_switch(t.add_switch("b"));
    for (std::size_t i = 0; i < roots.size(); ++i) {
        const node_ref r = node_ref::of_switch(t.add_switch("root" + std::to_string(i)));
        t.add_link(a, r, roots[i].up);
        t.add_link(r, b, roots[i].down);
    }
    t.add_link(node_ref::of_host(t.add_host("h0")), a, host);
    t.add_link(node_ref::of_host(t.add_host("h1")), b, host);
    t.finish();
    return t;
}

std::int64_t time_of(std::int64_t wire_bytes, bit_rate rate) {
    __extension__ using wide = __int128;
    return static_cast<std::int64_t>((wide{wire_bytes} * 8 * 1'000'000'000'000 + rate.count() - 1) /
                                     rate.count());
}

/// Frames by themselves, in the order in which they come; those that come at once by their number.
void serve(std::vector<std::int64_t>& at, const std::vector<std::size_t>& which,
           const std::vector<std::int64_t>& service) {
    std::vector<std::size_t> order = which;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return at[x] < at[y]; });
    std::int64_t free = 0;
    for (const std::size_t i : order) {
        free = at[i] = std::max(free, at[i]) + service[i];
    }
}

/// Frame i takes the root `by[i]`.
std::int64_t literal_time(const link_properties& host, const std::vector<root>& roots,
                          const std::vector<std::size_t>& by, const std::vector<std::int64_t>& payloads,
                          const unloaded_delays& d) {
    const std::size_t n = payloads.size();
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), 0);
    const auto services = [&](bit_rate rate) {
        std::vector<std::int64_t> times;
        for (const std::int64_t p : payloads) {
            times.push_back(
                time_of(std::max(p + d.header.count(), d.min_frame.count()) + d.wire_overhead.count(), rate));
        }
        return times;
    };
    const auto delay = [&](picoseconds by_what) {
        return [by_what](std::int64_t t) { return t + by_what.count(); };
    };
    const auto fastest = [&](bool ups) {
        bit_rate rate = host.rate;
        for (const root& r : roots) {
            rate = std::max(rate, ups ? r.up.rate : r.down.rate);
        }
        return rate * d.speedup;
    };
    std::vector<std::int64_t> at(n, d.stack_out.count());
    serve(at, all, services(host.rate));
    std::transform(at.begin(), at.end(), at.begin(), delay(host.latency + d.lookup_delay));
    serve(at, all, services(fastest(true)));
    for (std::size_t r = 0; r < roots.size(); ++r) {
        std::vector<std::size_t> here;
        for (std::size_t i = 0; i < n; ++i) {
            if (by[i] == r) {
                here.push_back(i);
            }
        }
        serve(at, here, services(roots[r].up.rate));
        for (const std::size_t i : here) {
            at[i] += roots[r].up.latency.count() + d.lookup_delay.count();
        }
        serve(at, here, services(std::max(roots[r].up.rate, roots[r].down.rate) * d.speedup));
        serve(at, here, services(roots[r].down.rate));
        for (const std::size_t i : here) {
            at[i] += roots[r].down.latency.count() + d.lookup_delay.count();
        }
    }
    serve(at, all, services(fastest(false)));
    serve(at, all, services(host.rate));
    return *std::max_element(at.begin(), at.end()) + host.latency.count() + d.stack_in.count();
}

/// Over every choice of a root for every frame.
picoseconds literal_least(const link_properties& host, const std::vector<root>& roots, std::int64_t transfer,
                          const unloaded_delays& d) {
    std::vector<std::int64_t> payloads;
    for (std::int64_t left = transfer; left > 0; left -= d.segment_payload.count()) {
        payloads.push_back(std::min(left, d.segment_payload.count()));
    }
    std::vector<std::size_t> by(payloads.size(), 0);
    std::int64_t least = literal_time(host, roots, by, payloads, d);
    for (;;) {
        std::size_t i = 0;
        while (i < by.size() && ++by[i] == roots.size()) {
            by[i++] = 0;
        }
        if (i == by.size()) {
            return picoseconds{least};
        }
        least = std::min(least, literal_time(host, roots, by, payloads, d));
    }
}

unloaded_delays spread_delays() {
    unloaded_delays d;
    d.spread = true;
    d.stack_out = 900ns;
    d.stack_in = 300ns;
    return d;
}

TEST(unloaded_spread, on_paths_that_are_alike_it_is_the_least_over_all_choices_of_paths) {
    const link_properties slow{1_Gbps, 6'600ns};
    const link_properties fast{100_Gbps, 600ns};
    for (const link_properties& host : {slow, fast}) {
        for (const link_properties& between : {slow, fast, link_properties{10_Gbps, 1us}}) {
            for (const std::int64_t transfer :
                 {1, 1460, 1461, 1500, 2000, 2048, 2900, 2920, 2921, 4000, 4380, 8192}) {
                // Slow links between fast hosts: as many as there are segments, or they have to queue unevenly.
                const std::size_t roots = between.rate < host.rate ? 6 : 2;
                const std::vector<root> all(transfer > 4380 ? std::min<std::size_t>(roots, 2) : roots,
                                            {between, between});
                if (between.rate < host.rate && transfer > 4380) {
                    continue;
                }
                const topology t = two_racks(host, all);
                const unloaded_delays d = spread_delays();
                EXPECT_EQ(unloaded_paths(t, d).ideal_completion(0, 1, bytes{transfer}),
                          literal_least(host, all, transfer, d))
                    << to_text(host.rate) << " and " << to_text(between.rate) << ", " << transfer << " B";
            }
        }
    }
}

TEST(unloaded_spread, a_short_last_segment_that_overtakes_costs_nothing) {
    unloaded_delays d = spread_delays();
    d.wire_overhead = 0_B;
    d.header = 70_B;
    const link_properties link{1_Gbps, 6'600ns};
    const topology t = two_racks(link, {{link, link}, {link, link}});
    unloaded_paths spread(t, d);
    d.spread = false;
    unloaded_paths one_path(t, d);
    // 71 B in 568 ns: behind the full segment on its path, before it on another one.
    EXPECT_EQ(spread.ideal_completion(0, 1, 1461_B), spread.ideal_completion(0, 1, 1460_B));
    EXPECT_EQ(one_path.ideal_completion(0, 1, 1461_B), one_path.ideal_completion(0, 1, 1460_B) + 568ns);
    // A third segment keeps the last link busy: there is no gap for the short one.
    EXPECT_EQ(spread.ideal_completion(0, 1, 2921_B), one_path.ideal_completion(0, 1, 2921_B) - 568ns);
    EXPECT_EQ(spread.ideal_completion(0, 1, 14'601_B), one_path.ideal_completion(0, 1, 14'601_B));
}

TEST(unloaded_spread, four_slow_links_side_by_side_carry_four_times_what_one_does) {
    const unloaded_delays d = spread_delays();
    const link_properties slow{10_Gbps, 1us};
    const std::vector<root> roots(4, {slow, slow});
    const topology t = two_racks({100_Gbps, 1us}, roots);
    unloaded_paths paths(t, d);
    const picoseconds more =
        paths.ideal_completion(0, 1, 14'600'000_B) - paths.ideal_completion(0, 1, 2'920'000_B);
    EXPECT_EQ(more, 2'000 * transmission_time(1'538_B, 10_Gbps));
}

TEST(unloaded_spread, no_choice_of_paths_is_quicker_whatever_the_links) {
    std::mt19937_64 random(11);
    const auto below = [&](std::int64_t n) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
    };
    static constexpr std::int64_t rates[] = {1, 2, 5, 10, 25, 40, 100};
    const auto link = [&] {
        return link_properties{bit_rate{1'000'000'000 * rates[below(7)]}, picoseconds{1 + below(3'000'000)}};
    };
    int equal = 0;
    for (int trial = 0; trial < 3'000; ++trial) {
        std::vector<root> roots(static_cast<std::size_t>(1 + below(3)), {link(), link()});
        if (trial % 2 == 0) {
            for (root& r : roots) {
                r = {link(), link()};
            }
        }
        const link_properties host = link();
        unloaded_delays d = spread_delays();
        d.wire_overhead = bytes{below(30)};
        d.segment_payload = bytes{1 + below(1'500)};
        d.speedup = static_cast<std::uint32_t>(1 + below(4));
        const std::int64_t transfer = 1 + below(5 * d.segment_payload.count());
        const topology t = two_racks(host, roots);
        const picoseconds least = literal_least(host, roots, transfer, d);
        const picoseconds bound = unloaded_paths(t, d).ideal_completion(0, 1, bytes{transfer});
        ASSERT_LE(bound, least) << trial;
        equal += bound == least ? 1 : 0;
    }
    EXPECT_GT(equal, 1'500);
}

TEST(unloaded_spread, rows_have_what_stands_side_by_side) {
    pods_config config;
    config.core_link = {40_Gbps, 2us};
    const topology t = make_topology(config);
    unloaded_delays d;
    d.lookup_interval = 10ns;
    const switch_id from = t.edge_switch(0);
    const switch_id to = t.edge_switch(t.hosts() - 1);
    const std::vector<std::uint32_t> distance = distances_to(t, all_links_up(t), to);
    const spread_rows made = rows_between(t, all_links_up(t), distance, from, to, d);
    std::vector<std::int64_t> widths;
    for (const spread_row& row : made.rows) {
        widths.push_back(row.width);
    }
    // Lookups, crossbars, links: ToR to 4 aggregation switches, 2 cores each, and down again.
    EXPECT_EQ(widths, (std::vector<std::int64_t>{1, 1, 4, 4, 4, 8, 8, 8, 8, 4, 4, 4, 1, 1}));
    EXPECT_TRUE(made.alike);
    EXPECT_TRUE(made.has_choice());
    EXPECT_FALSE(rows_between(t, all_links_up(t), distance, to, to, d).has_choice());
}

}  // namespace
}  // namespace weir::model
