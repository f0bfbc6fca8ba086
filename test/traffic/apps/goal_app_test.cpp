// Ranks of a program on a network of which each message's delay is given: against LogGP, and rendezvous, order
// and matching by hand.
#include "weir/traffic/apps/goal_app.h"

#include "support/fake_services.h"
#include "traffic/goal/goal_test_files.h"
#include "weir/traffic/apps/workloads.h"
#include "weir/traffic/goal/loggp_times.h"
#include "weir/traffic/goal/programs.h"
#include "weir/traffic/goal/rank_program.h"

namespace weir::traffic {
namespace {

struct program_rig {
    workload_config config;
    std::shared_ptr<const workload_plan> plan;
    std::unique_ptr<fake_fabric> fabric;

    explicit program_rig(goal_schedule schedule, const program_config& program = {}, host_id more_hosts = 0) {
        config.kind = named<workload_kind>("goal");
        config.program = program;
        workload_inputs inputs;
        inputs.schedule = std::make_shared<const goal_schedule>(std::move(schedule));
        const host_id hosts = inputs.schedule->ranks() + more_hosts;
        plan = std::make_shared<const workload_plan>(config, hosts, 1, inputs);
        fabric = std::make_unique<fake_fabric>(plan, 10_Gbps);
    }
    /// By rank; `never`: it has not ended.
    std::vector<picoseconds> run(picoseconds latency) {
        fabric->set_delay([latency](const fake_transfer&) { return latency; });
        return run();
    }
    std::vector<picoseconds> run() {
        fabric->run_until(never);
        std::vector<picoseconds> ends(plan->schedule().ranks(), never);
        for (const fake_job& done : fabric->jobs()) {
            EXPECT_EQ(done.host, plan->host_of(static_cast<std::uint32_t>(done.record.job)));
            ends[done.record.job] = done.record.end;
        }
        return ends;
    }
    std::vector<std::string> log() const {
        std::vector<std::string> lines;
        for (const fake_transfer& each : fabric->transfers()) {
            const char* const kinds[] = {"message", "request", "answer"};
            const std::uint64_t size = plan->schedule().size();
            lines.push_back(std::to_string(each.time / picoseconds{1ns}) + " " + std::to_string(each.src) +
                            ">" + std::to_string(each.request.dst) + " " + kinds[each.request.flow / size] +
                            " " + std::to_string(each.request.flow % size) + " of " +
                            std::to_string(each.request.flow_bytes.count()));
        }
        return lines;
    }
};

program_config with_overhead(picoseconds overhead) {
    program_config program;
    program.overhead = overhead;
    return program;
}

/// Each rank begins at a time of its own, so that no two events meet; then it sends, receives and computes as
/// drawn, all at once, and waits for all.
goal_schedule random_schedule(random_stream& chance) {
    struct message {
        std::uint32_t src;
        std::uint32_t dst;
        std::uint32_t tag;
    };
    const std::uint32_t ranks = 2 + chance.below(6);
    std::vector<message> messages(chance.below(40));
    for (message& each : messages) {
        each.src = chance.below(ranks);
        each.dst = (each.src + 1 + chance.below(ranks - 1)) % ranks;
        each.tag = chance.below(3);
    }
    goal_builder builder;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        builder.begin_rank();
        rank_program program(builder, rank, ranks);
        program.compute(1 + 10'007 * rank + chance.below(5000));
        std::vector<goal_index> started;
        for (const message& each : messages) {
            if (each.src == rank) {
                started.push_back(program.start_send(each.dst, 8, each.tag));
            } else if (each.dst == rank) {
                started.push_back(program.start_recv(each.src, 8, each.tag));
            }
            if (chance.below(4) == 0) {
                program.compute(1 + chance.below(9000));
            }
        }
        for (const goal_index each : started) {
            program.wait(each);
        }
        program.compute(1);
        builder.end_rank();
    }
    return builder.take();
}

// Without gaps LogGP's network delays every message alike.
TEST(goal_app, ends_when_loggp_says_on_a_network_that_delays_all_messages_alike) {
    random_stream chance(7, 0, random_purpose::sizes);
    for (int i = 0; i < 300; ++i) {
        const goal_schedule schedule = random_schedule(chance);
        program_config program = with_overhead(1'000'003_ps);
        program.eager_limit = 1000_MB;
        const loggp_times expected =
            evaluate_loggp(schedule, {2'718'281_ps, program.overhead, 0_ps, 0_ps}, loggp_accounting::logp);
        ASSERT_TRUE(expected.receives_left.empty());
        program_rig rig(schedule, program);
        EXPECT_EQ(rig.run(2'718'281_ps), expected.end) << i;
        EXPECT_TRUE(rig.fabric->exhausted());
    }
}

TEST(goal_app, runs_every_generated_program_to_its_end_with_and_without_rendezvous) {
    program_setup setup;
    setup.message_bytes = 100'001_B;
    setup.problem = nas_class::S;
    setup.iterations = 2;
    for (std::size_t kind = 0; kind < programs().entries().size(); ++kind) {
        if (!programs().entries()[kind].traits.iterate) {
            continue;
        }
        for (const std::uint32_t ranks : {1U, 2U, 7U, 12U}) {
            for (const bytes limit : {0_B, 1000_MB}) {
                setup.ranks = ranks;
                program_config program;
                program.eager_limit = limit;
                program_rig rig(make_program(static_cast<program_kind>(kind), setup), program);
                rig.run(3us);
                EXPECT_TRUE(rig.fabric->exhausted()) << kind << " " << ranks;
            }
        }
    }
}

// A request, an answer when the receive is posted, the message; the send ends when it is confirmed (1 us
// later), the receive when it has come.
TEST(goal_app, asks_before_it_sends_a_long_message) {
    program_rig rig(
        good_goal_of("num_ranks 2\nrank 0 {\na: send 65537b to 1\nb: calc 7\nb requires a\n}\n"
                     "rank 1 {\nc: calc 50000\nr: recv 65537b from 0\nr requires c\n}\n"));
    const std::vector<picoseconds> ends = rig.run(10us);
    EXPECT_EQ(rig.log(), (std::vector<std::string>{"0 0>1 request 0 of 64", "50000 1>0 answer 0 of 64",
                                                   "60000 0>1 message 0 of 65537"}));
    EXPECT_EQ(ends, (std::vector<picoseconds>{71us + 7ns, 70us}));
}

TEST(goal_app, sends_a_short_message_at_once_and_goes_on) {
    program_rig rig(
        good_goal_of("num_ranks 2\nrank 0 {\na: send 65536b to 1\nb: calc 7\nb requires a\n}\n"
                     "rank 1 {\nc: calc 50000\nr: recv 65536b from 0\nr requires c\n}\n"));
    const std::vector<picoseconds> ends = rig.run(10us);
    EXPECT_EQ(rig.log(), (std::vector<std::string>{"0 0>1 message 0 of 65536"}));
    EXPECT_EQ(ends, (std::vector<picoseconds>{7ns, 50us}));
}

TEST(goal_app, sends_one_answered_message_at_a_time_to_each_rank) {
    program_rig rig(
        good_goal_of("num_ranks 3\n"
                     "rank 0 {\nsend 70000b to 1 tag 1\nsend 70000b to 1 tag 2\nsend 70000b to 2\n}\n"
                     "rank 1 {\nrecv 70000b from 0 tag 2\nrecv 70000b from 0 tag 1\n}\n"
                     "rank 2 {\nrecv 70000b from 0\n}\n"));
    rig.run(10us);
    const std::vector<std::string> log = rig.log();
    const std::vector<std::string> messages(log.end() - 3, log.end());
    EXPECT_EQ(messages,
              (std::vector<std::string>{"20000 0>1 message 0 of 70000", "20000 0>2 message 2 of 70000",
                                        "31000 0>1 message 1 of 70000"}));
}

// The first of two messages comes later than the second: the receive that takes either gets the first.
TEST(goal_app, matches_messages_in_the_order_in_which_they_were_sent) {
    program_rig rig(
        good_goal_of("num_ranks 2\nrank 0 {\na: send 9b to 1 tag 4\nb: send 8b to 1 tag 4\nb requires a\n}\n"
                     "rank 1 {\nr: recv 9b from 0 tag 4\ns: recv 8b from -1 tag -1\ns requires r\n"
                     "t: calc 5\nt requires r\n}\n"));
    rig.fabric->set_delay([](const fake_transfer& each) { return each.request.flow == 0 ? 9us : 2us; });
    EXPECT_EQ(rig.run(), (std::vector<picoseconds>{0_ps, 9us + 5ns}));
}

TEST(goal_app, gives_a_rank_its_own_messages_and_sends_empty_ones_as_a_byte) {
    program_rig rig(
        good_goal_of("num_ranks 2\nrank 0 {\nsend 100000b to 0\nrecv 100000b from 0\n"
                     "send 0b to 1\n}\nrank 1 {\nrecv 0b from 0\n}\n"));
    EXPECT_EQ(rig.run(1us), (std::vector<picoseconds>{0_ps, 1us}));
    EXPECT_EQ(rig.log(), (std::vector<std::string>{"0 0>1 message 2 of 1"}));
}

TEST(goal_app, begins_at_its_start_on_the_hosts_that_its_placement_draws) {
    program_setup setup;
    setup.ranks = 6;
    program_config program;
    program.placement = rank_placement::random;
    program_rig rig(make_program(named<program_kind>("ring_all_reduce"), setup), program, 3);
    rig.run(1us);
    EXPECT_TRUE(rig.fabric->exhausted());
    std::vector<bool> used(9);
    unsigned moved = 0;
    for (std::uint32_t rank = 0; rank < 6; ++rank) {
        const host_id host = rig.plan->host_of(rank);
        EXPECT_FALSE(used[host]);
        EXPECT_EQ(rig.plan->rank_on(host), rank);
        used[host] = true;
        moved += host != rank ? 1 : 0;
    }
    EXPECT_GT(moved, 0U);
    EXPECT_EQ(rig.fabric->jobs().size(), 6U);
}

}  // namespace
}  // namespace weir::traffic
