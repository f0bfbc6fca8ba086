// What waiting for packet memories adds to the time of frames: closed forms, and a literal shared memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "golden/golden_rows.h"
#include "program.h"
#include "weir/base/agenda.h"

namespace weir::test {

using namespace tb;
namespace {

/// Single datagrams, 58 B of headers, 20 B more on the wire, at 10 Gb/s: 0.8 ns a byte. Memory has cells of 100
/// B: 80 ns each on the wire, 20 ns each in the crossbar.
struct datagram {
    std::int64_t start_ps;
    unsigned src;
    unsigned dst;
    std::int64_t frame_bytes;
};
constexpr std::int64_t latency = 1'000'000;
constexpr std::int64_t wire_time(std::int64_t frame_bytes) {
    return (frame_bytes + 20) * 800;
}
constexpr std::int64_t cells_of(std::int64_t frame_bytes) {
    return (frame_bytes + 99) / 100;
}

outcome run_traffic(const scratch_directory& where, const std::vector<datagram>& traffic, const arguments& more,
                    const std::string& lookup = "300ns") {
    std::string trace = "start_ns,src,dst,bytes\n";
    for (const datagram& d : traffic) {
        const std::string rest = std::to_string(1'000 + d.start_ps % 1'000).substr(1);
        trace += std::to_string(d.start_ps / 1'000) + '.' + rest + ',' + std::to_string(d.src) + ',' +
                 std::to_string(d.dst) + ',' + std::to_string(d.frame_bytes - 58) + '\n';
    }
    where.write("trace.csv", trace);
    return run_program(
        where,
        combined({"run", "--out", "out", "--fabric.topology=single", "--fabric.hosts=6", "--link.rate=10Gbps",
                  "--link.latency=1us", "--switch.lookup_delay=" + lookup, "--switch.memory_cell=100B",
                  "--switch.max_frame=1500B", "--udp.header=58B", "--udp.payload=1442B", "--traffic.kind=trace",
                  "--traffic.format=csv", "--traffic.file=trace.csv", "--traffic.transport=udp"},
                 more));
}

/// By place in the trace; those that arrived. Unit: ps.
std::map<std::size_t, std::int64_t> times_of(const scratch_directory& where) {
    std::map<std::size_t, std::int64_t> times;
    for (const auto& fields : golden::lines_of_file(where / "out/flows.csv")) {
        times[std::stoul(fields[0])] = std::llround(std::stod(fields[8]) * 1'000);
    }
    return times;
}

// A lone frame of 15 cells and one of 1; two links, 300 ns of lookup, a crossbar of 40 Gb/s.
TEST(sram_timing, of_a_lone_frame_in_a_partitioned_switch_is_the_sum_of_what_its_four_accesses_wait) {
    const scratch_directory where;
    const auto added = [&](std::int64_t frame_bytes, const arguments& sram,
                           const std::string& lookup = "300ns") {
        const outcome made = run_traffic(where, {{1'000'000, 0, 2, frame_bytes}},
                                         combined(sram, {"--run.duration=50us"}), lookup);
        EXPECT_EQ(made.status, 0) << made.err;
        return times_of(where).at(0) -
               (2 * wire_time(frame_bytes) + 2 * latency + 300'000 + wire_time(frame_bytes) / 4);
    };
    EXPECT_EQ(added(1'500, {}), 0);
    // One bank of 100 ns, of which reads and writes have one each.
    const arguments two_ports{"--sram.access_time=100ns", "--sram.ports=1r1w"};
    // The wire brings 15 cells at 80 ns: the last is written 14 x 20 = 280 ns late, which the lookup hides. The
    // crossbar wants one each 20 ns: 14 x 80 = 1,120 ns. They come to egress memory within 304 + 1,120 ns, one
    // each 94.933 ns: 14 x 5.067. The wire waits 280 ns again.
    EXPECT_EQ(added(1'500, two_ports), 1'120'000 + 70'938 + 280'000);
    // A lookup of 200 ns does not hide them.
    EXPECT_EQ(added(1'500, two_ports, "200ns"), -100'000 + 80'000 + 1'120'000 + 70'938 + 280'000);
    // Reads and writes share the port: the crossbar waits until the last cell is written, 280 + 100 ns after it
    // came, then for 14 x 80. Cells come out each 100.3 ns, and egress memory takes them as they come; the wire
    // waits for the last write and 14 x 20.
    EXPECT_EQ(added(1'500, {"--sram.access_time=100ns"}), 80'000 + 1'120'000 + 100'000 + 280'000);
    // Two banks: pairs of cells each 100 ns, which is enough for the wire; the crossbar waits for the 15th cell
    // 7 x 100 - 14 x 20 = 420 ns. Cells then come each 48.266 ns, the first 14 x 48.266 = 675.724 ns before the
    // last, and the last is written 700 ns after the first.
    EXPECT_EQ(added(1'500, combined(two_ports, {"--sram.banks=2"})), 420'000 + 24'276);
    // One cell finds all banks idle, or waits for its own write.
    EXPECT_EQ(added(80, two_ports), 0);
    EXPECT_EQ(added(80, {"--sram.access_time=500ns"}), 200'000 + 500'000);
}

// A frame whose second cell waits for a bank is not overtaken in its queue by the next one, whose bank is free
// sooner.
TEST(sram_timing, frames_of_a_port_stay_in_order_while_they_wait_to_be_written) {
    const scratch_directory where;
    // Two banks of 1 us with one port. The first frame's bank is written, then read until 2 us after it came.
    // 960 ns after it the second frame's first cell takes the other bank; its second cell waits until 2,000 ns.
    // The third frame comes 80 ns later and finds the other bank free at 1,960 ns.
    const std::int64_t first = 1'000'000;
    const outcome made =
        run_traffic(where, {{first, 0, 3, 80}, {first + 976'000, 0, 2, 160}, {first + 1'120'000, 0, 2, 80}},
                    {"--sram.access_time=1us", "--sram.banks=2", "--run.duration=50us"});
    ASSERT_EQ(made.status, 0) << made.err;
    const auto times = times_of(where);
    EXPECT_LT(976'000 + times.at(1), 1'120'000 + times.at(2));
    // The third's own write ends at 2,960 ns; then the second one is read, and waits for its second cell until
    // 3,000. In egress memory it waits for the same cell's write, 1 us.
    const std::int64_t arrived = first + wire_time(80) + latency;
    EXPECT_EQ(first + 976'000 + times.at(1) - arrived,
              3'000'000 - 20'000 + wire_time(160) / 4 + 1'000'000 - 80'000 + wire_time(160) + latency);
}

/// A switch with one shared memory, literally: banks, FIFO order per ingress port, a queue and a transmitter
/// that reads ahead per egress port.
class literal_switch {
 public:
    literal_switch(unsigned banks, std::int64_t access_time, bool one_port)
        : m_access(access_time), m_one_port(one_port), m_writes(banks), m_reads(banks) {}

    /// Completion time of each.
    std::vector<std::int64_t> run(const std::vector<datagram>& traffic) {
        std::vector<std::int64_t> done(traffic.size());
        for (std::size_t i = 0; i < traffic.size(); ++i) {
            const datagram& d = traffic[i];
            m_todo.insert(
                {d.start_ps + wire_time(d.frame_bytes) + latency + 300'000, what::looked_up, d.src, i});
        }
        while (!m_todo.empty()) {
            const std::int64_t now = std::get<0>(*m_todo.begin());
            // All events of an instant, then each port that has reason to looks for a frame.
            std::vector<unsigned> looking;
            while (!m_todo.empty() && std::get<0>(*m_todo.begin()) == now) {
                const auto [at, kind, order, frame] = *m_todo.begin();
                m_todo.erase(m_todo.begin());
                const datagram& d = traffic[frame];
                port& out = m_ports[d.dst];
                if (kind == what::looked_up) {
                    const std::int64_t ready = write(frame, cells_of(d.frame_bytes), now);
                    std::int64_t& last = m_ports[d.src].last_written;
                    last = std::max(ready, last + 1);
                    later(last, what::written, d.src, frame);
                } else if (kind == what::written) {
                    out.queue.push_back({frame, now});
                    looking.push_back(d.dst);
                } else if (kind == what::read) {
                    const std::int64_t end = now + wire_time(d.frame_bytes);
                    out.begun = now;
                    done[frame] = end + latency - d.start_ps;
                    later(end, what::sent, d.dst, frame);
                } else {
                    out.busy = false;
                    looking.push_back(d.dst);
                }
            }
            for (const unsigned number : looking) {
                port& out = m_ports[number];
                if (!out.busy && !out.queue.empty()) {
                    const waiting head = out.queue.front();
                    out.queue.pop_front();
                    out.busy = true;
                    const std::int64_t wait = read(head.frame, cells_of(traffic[head.frame].frame_bytes),
                                                   std::max(out.begun, head.since), now);
                    later(now + wait, what::read, number, head.frame);
                }
            }
        }
        return done;
    }

 private:
    /// In this order where they are at the same picosecond, as frames that waited for the same access may be.
    enum class what { looked_up, written, sent, read };
    struct waiting {
        std::size_t frame;
        std::int64_t since;
    };
    struct port {
        std::int64_t last_written = -1;
        std::int64_t begun = 0;
        bool busy = false;
        std::deque<waiting> queue;
    };

    /// Of the same kind by the model's rule for ties (agenda.h).
    void later(std::int64_t at, what kind, unsigned number, std::size_t frame) {
        m_todo.insert({at, kind, number ^ tie_hash(picoseconds{at}), frame});
    }
    std::int64_t write(std::size_t frame, std::int64_t cells, std::int64_t last) {
        const std::size_t banks = m_writes.size();
        std::int64_t comes = last - 80'000 * (cells - 1);
        std::size_t bank = m_next;
        for (std::size_t i = 1; i < banks && m_writes[bank] > comes; ++i) {
            const std::size_t other = (m_next + i) % banks;
            const bool sooner = m_writes[other] < m_writes[bank];
            bank = sooner || m_writes[other] <= comes ? other : bank;
        }
        m_first[frame] = bank;
        std::int64_t ready = last;
        for (std::int64_t i = 0; i < cells; ++i, comes += 80'000, bank = (bank + 1) % banks) {
            const std::int64_t begin = std::max(comes, m_writes[bank]);
            m_writes[bank] = begin + m_access;
            ready = std::max(ready, begin);
        }
        m_next = bank;
        return ready;
    }
    std::int64_t read(std::size_t frame, std::int64_t cells, std::int64_t asked, std::int64_t start) {
        std::vector<std::int64_t>& free = m_one_port ? m_writes : m_reads;
        std::int64_t wait = 0;
        for (std::int64_t i = 0; i < cells; ++i) {
            std::int64_t& bank = free[(m_first[frame] + static_cast<std::size_t>(i)) % free.size()];
            const std::int64_t begin = std::max(asked, bank);
            bank = begin + m_access;
            wait = std::max(wait, begin - (start + 80'000 * i));
        }
        return wait;
    }

    std::int64_t m_access;
    bool m_one_port;
    std::vector<std::int64_t> m_writes;
    std::vector<std::int64_t> m_reads;
    std::size_t m_next = 0;
    std::map<std::size_t, std::size_t> m_first;
    std::map<unsigned, port> m_ports;
    /// When, what, the port's place among those of the instant, with which datagram.
    std::set<std::tuple<std::int64_t, what, unsigned, std::size_t>> m_todo;
};

TEST(sram_timing, of_random_traffic_through_a_shared_memory_is_that_of_a_literal_one) {
    const scratch_directory where;
    std::mt19937_64 chance(11);
    const auto below = [&](std::int64_t n) {
        return static_cast<std::int64_t>(chance() % static_cast<std::uint64_t>(n));
    };
    std::int64_t waited = 0;
    for (int round = 0; round < 24; ++round) {
        // Frames of one host do not wait for each other in it; pairs meet at the outputs. Times to the
        // picosecond, so that no two things happen at once.
        std::vector<datagram> traffic;
        std::vector<std::int64_t> free(6, 1'000'000);
        for (int i = 0; i < 400; ++i) {
            const auto src = static_cast<unsigned>(below(6));
            const auto dst = (src + 1 + static_cast<unsigned>(below(5))) % 6;
            const std::int64_t frame_bytes = below(2) == 0 ? 64 + below(200) : 64 + below(1'437);
            free[src] += below(below(3) == 0 ? 3'000'000 : 30'000);
            traffic.push_back({free[src], src, dst, frame_bytes});
            free[src] += wire_time(frame_bytes) + 1;
        }
        std::sort(traffic.begin(), traffic.end(),
                  [](const auto& a, const auto& b) { return a.start_ps < b.start_ps; });
        const unsigned banks = 1 + static_cast<unsigned>(below(6));
        const bool one_port = below(2) == 0;
        // Somewhat less and somewhat more than six ports need.
        const std::int64_t access = banks * (one_port ? 5'000 : 10'000) + below(banks * 4'000);
        const outcome made =
            run_traffic(where, traffic,
                        {"--switch.buffer=shared", "--shared.memory=64MB", "--switch.ingress_fifo=64MB",
                         "--run.duration=2ms", "--sram.banks=" + std::to_string(banks),
                         "--sram.access_time=" + std::to_string(access) + "ps",
                         one_port ? "--sram.ports=1rw" : "--sram.ports=1r1w"});
        ASSERT_EQ(made.status, 0) << made.err;
        const auto times = times_of(where);
        ASSERT_EQ(times.size(), traffic.size());
        const auto expected = literal_switch(banks, access, one_port).run(traffic);
        const auto instant = literal_switch(banks, 1, false).run(traffic);
        for (std::size_t i = 0; i < traffic.size(); ++i) {
            ASSERT_EQ(times.at(i), expected[i]) << "round " << round << ", datagram " << i << ", " << banks
                                                << " banks of " << access << " ps, one port: " << one_port;
            waited += expected[i] != instant[i] ? 1 : 0;
        }
    }
    // Most frames waited: else this has shown little.
    EXPECT_GT(waited, 24 * 400 / 2);
}

/// A column of a row of limits.csv.
double limit_of(const scratch_directory& where, const std::string& row, const std::string& column) {
    const auto header = contents(where / "out/limits.csv");
    std::vector<std::string> names;
    std::string name;
    for (const char c : header.substr(0, header.find('\n')) + ',') {
        c == ',' ? (names.push_back(name), name.clear()) : name.push_back(c);
    }
    const auto place = static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin());
    for (const auto& fields : golden::lines_of_file(where / "out/limits.csv")) {
        if (fields[0] + ' ' + fields[1] + ' ' + fields[2] == row) {
            return std::stod(fields.at(place));
        }
    }
    return -1;
}

/// Every 1.3 us a full frame from each of five hosts, to the next one.
std::vector<datagram> ring(int frames, std::int64_t from_ps) {
    std::vector<datagram> traffic;
    for (int i = 0; i < frames; ++i) {
        for (unsigned h = 0; h < 5; ++h) {
            traffic.push_back({from_ps + i * 1'300'000 + h * 7'001, h, h + 1, 1'500});
        }
    }
    return traffic;
}

TEST(sram_timing, frames_that_find_the_fifo_full_are_lost_for_the_memory_that_they_wait_for) {
    const scratch_directory where;
    // 75 cells each 1.3 us, written one each 40 ns: 32 of them. Egress memories are never reached by the rest.
    const outcome made =
        run_traffic(where, ring(200, 1'000'000),
                    {"--switch.buffer=shared", "--shared.memory=64MB", "--sram.access_time=40ns",
                     "--sram.ports=1r1w", "--switch.ingress_fifo=6000B", "--run.duration=400us"});
    ASSERT_EQ(made.status, 0) << made.err;
    const auto summary = summary_of(where / "out");
    const auto lost = summary["drops"]["ingress_fifo_full"].get<double>();
    EXPECT_NEAR(lost, 1'000 * (1 - 1'300.0 / (75 * 40)), 40);
    EXPECT_EQ(limit_of(where, "tor0 memory_write slice0", "lost_frames"), lost);
    EXPECT_EQ(limit_of(where, "tor0 memory_read slice0", "lost_frames"), 0);
    EXPECT_GT(limit_of(where, "tor0 memory_write slice0", "busy_percent"), 60);
    // A FIFO holds four such frames, each of which takes 15 of 75 writes' time.
    EXPECT_NEAR(limit_of(where, "tor0 memory_write slice0", "max_wait_ns"), 4 * 75 * 40, 75 * 40);
}

TEST(sram_timing, statistics_begin_after_the_warm_up) {
    const scratch_directory where;
    std::vector<datagram> traffic = ring(200, 1'000'000);
    // 2 ms later, alone.
    traffic.push_back({2'500'000'000, 0, 3, 1'500});
    for (const arguments& memory :
         {arguments{"--switch.buffer=shared", "--shared.memory=64MB", "--switch.ingress_fifo=6000B"},
          arguments{"--switch.ingress_buffer=1MB"}}) {
        const outcome made = run_traffic(where, traffic,
                                         combined({"--sram.access_time=100ns", "--sram.ports=1r1w",
                                                   "--run.warmup=2ms", "--run.duration=3ms"},
                                                  memory));
        ASSERT_EQ(made.status, 0) << made.err;
        const bool shared = memory.size() == 3;
        // A frame's own waits: 14 x 20 ns in a slice, before and after; in egress memory 14 x 5.067 for
        // writing.
        const std::string read = shared ? "tor0 memory_read slice0" : "tor0 memory_read tx3";
        const std::string write = shared ? "tor0 memory_write slice0" : "tor0 memory_write tx3";
        EXPECT_EQ(limit_of(where, read, "served"), 1);
        EXPECT_NEAR(limit_of(where, read, "max_wait_ns"), 280, 1e-6);
        EXPECT_NEAR(limit_of(where, read, "stalled_percent"), 100 * 280e-9 / 1e-3, 1e-4);
        EXPECT_EQ(limit_of(where, write, "served"), 1);
        EXPECT_NEAR(limit_of(where, write, "max_wait_ns"), shared ? 280 : 70.938, 1e-6);
        EXPECT_EQ(limit_of(where, write, "lost_frames"), 0);
        if (!shared) {
            // While the crossbar waits, 1,120 ns for reading and 70.938 ns for writing, both of its ports do.
            EXPECT_NEAR(limit_of(where, "tor0 memory_read rx0", "stalled_percent"), 100 * 1'120e-9 / 1e-3,
                        1e-4);
            EXPECT_NEAR(limit_of(where, write, "stalled_percent"), 100 * 70.938e-9 / 1e-3, 1e-4);
            EXPECT_NEAR(limit_of(where, write, "port_used_percent"), 100 * (304e-9 + 1'190.938e-9) / 1e-3,
                        1e-3);
        }
    }
}

// A port that reads from two slices stands still for both, and is as busy as that.
TEST(sram_timing, a_port_s_time_is_what_it_sent_and_what_it_waited_for_any_slice) {
    const scratch_directory where;
    const outcome made = run_traffic(
        where, {{1'000'000, 0, 3, 1'500}, {20'000'000, 5, 3, 1'500}},
        {"--switch.buffer=shared", "--shared.memory=64MB", "--shared.slices=2", "--shared.slice_map=ingress",
         "--sram.access_time=100ns", "--sram.ports=1r1w", "--run.duration=1ms"});
    ASSERT_EQ(made.status, 0) << made.err;
    // From the first frame, at 1 us, to the end.
    const double averaged = 1e-3 - 1e-6;
    for (const std::string slice : {"tor0 memory_read slice0", "tor0 memory_read slice1"}) {
        EXPECT_NEAR(limit_of(where, slice, "stalled_percent"), 100 * 280e-9 / averaged, 1e-4);
        EXPECT_NEAR(limit_of(where, slice, "port_used_percent"), 100 * 2 * (1'216e-9 + 280e-9) / averaged,
                    1e-4);
    }
}

}  // namespace
}  // namespace weir::test
