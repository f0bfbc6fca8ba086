#include "weir/traffic/traces/sorted_flow_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "weir/base/rng.h"
#include "weir/traffic/traces/flow_trace_csv.h"

namespace weir::traffic {
namespace {

/// Flows out of memory; may end with a mistake.
class listed_flows : public flow_source {
 public:
    explicit listed_flows(std::vector<trace_flow> flows) : m_flows(std::move(flows)) {}
    bool next(trace_flow& flow) override {
        if (m_at == m_flows.size()) {
            return false;
        }
        flow = m_flows[m_at++];
        return true;
    }
    config_errors errors() const override { return mistakes; }
    config_errors mistakes;

 private:
    std::vector<trace_flow> m_flows;
    std::size_t m_at = 0;
};

/// Random starts, `distinct` different ones, so that there are many ties where it is small.
std::vector<trace_flow> random_flows(std::size_t count, std::uint32_t distinct) {
    random_stream chance{42, 0, random_purpose::arrivals};
    std::vector<trace_flow> flows(count);
    for (std::size_t i = 0; i < count; ++i) {
        flows[i].flow = i;
        flows[i].start = picoseconds{chance.below(distinct)};
        flows[i].src = chance.below(128);
        flows[i].flow_bytes = 1 + chance.below(1'000'000);
        flows[i].tag = static_cast<std::uint8_t>(chance.below(256));
    }
    return flows;
}

bool same(const trace_flow& a, const trace_flow& b) {
    return a.flow == b.flow && a.start == b.start && a.src == b.src && a.flow_bytes == b.flow_bytes &&
           a.tag == b.tag;
}

TEST(sorted_flow_stream, gives_what_a_stable_sort_in_memory_gives) {
    for (const std::size_t count : {0U, 1U, 2U, 99U, 100U, 101U, 1000U, 12'345U}) {
        for (const std::size_t chunk : {1U, 2U, 7U, 100U, 1000U, 100'000U}) {
            if (count / chunk > 2000) {
                continue;
            }
            for (const std::uint32_t distinct : {1U, 10U, 1'000'000'000U}) {
                std::vector<trace_flow> flows = random_flows(count, distinct);
                listed_flows source{flows};
                std::stable_sort(flows.begin(), flows.end(),
                                 [](const trace_flow& a, const trace_flow& b) { return a.start < b.start; });
                sorted_flow_stream stream{source, false, chunk};
                EXPECT_EQ(stream.chunks(), (count + chunk - 1) / chunk);
                trace_flow f;
                for (const trace_flow& expected : flows) {
                    ASSERT_TRUE(stream.next(f));
                    ASSERT_TRUE(same(f, expected)) << count << " " << chunk << " " << distinct;
                }
                EXPECT_FALSE(stream.next(f));
                EXPECT_FALSE(stream.next(f));
            }
        }
    }
}

TEST(sorted_flow_stream, sorts_a_shuffled_csv_trace_through_small_chunks) {
    std::string text = "start_ns,src,dst,bytes\n";
    random_stream chance{7, 0, random_purpose::arrivals};
    for (int i = 0; i < 5000; ++i) {
        text += std::to_string(chance.below(3000)) + ".5,0,1," + std::to_string(i + 1) + "\n";
    }
    tag_table tags;
    std::istringstream first{text};
    flow_trace_csv scanned{first, {"t.csv"}, tags};
    EXPECT_FALSE(scan_trace(scanned).sorted);
    std::istringstream second{text};
    flow_trace_csv reader{second, {"t.csv"}, tags};
    sorted_flow_stream stream{reader, false, 64};
    EXPECT_EQ(stream.chunks(), 79U);
    trace_flow last;
    std::uint64_t count = 0;
    for (trace_flow f; stream.next(f); ++count) {
        ASSERT_TRUE(count == 0 || starts_before(last, f));
        ASSERT_EQ(f.flow_bytes, f.flow + 1);
        last = f;
    }
    EXPECT_EQ(count, 5000U);
}

TEST(sorted_flow_stream, a_sorted_trace_passes_through_without_a_file) {
    std::vector<trace_flow> flows = random_flows(1000, 50);
    std::sort(flows.begin(), flows.end(), starts_before);
    listed_flows source{flows};
    sorted_flow_stream stream{source, true, 10, [] {
                                  ADD_FAILURE() << "opened a file";
                                  return std::tmpfile();
                              }};
    trace_flow f;
    for (const trace_flow& expected : flows) {
        ASSERT_TRUE(stream.next(f));
        ASSERT_TRUE(same(f, expected));
    }
    EXPECT_FALSE(stream.next(f));
}

/// What the stream of `flows` says when it fails; empty if it does not.
std::string failure(flow_source& source, bool sorted, const sorted_flow_stream::temporary_file& open) {
    try {
        sorted_flow_stream stream{source, sorted, 10, open};
        for (trace_flow f; stream.next(f);) {
        }
    } catch (const flow_stream_error& e) {
        return e.what();
    }
    return {};
}

TEST(sorted_flow_stream, a_temporary_file_that_fails_is_an_exception) {
    const std::string file = "the temporary file for sorting the trace cannot be ";
    listed_flows a{random_flows(100'000, 50)};
    EXPECT_EQ(failure(a, false, [] { return std::fopen("/dev/full", "w+"); }),
              file + "written: No space left on device");
    // A few flows stay in the buffer of the file until it is flushed.
    listed_flows b{random_flows(11, 50)};
    EXPECT_EQ(failure(b, false, [] { return std::fopen("/dev/full", "w+"); }),
              file + "written: No space left on device");
    listed_flows c{random_flows(100, 50)};
    EXPECT_EQ(failure(c, false, [] { return std::fopen("/no/such/folder/file", "w+"); }),
              file + "opened: No such file or directory");
    listed_flows d{random_flows(100, 50)};
    EXPECT_EQ(failure(d, false, [] { return std::fopen("/dev/null", "w+"); }), file + "read: unknown cause");
}

TEST(sorted_flow_stream, a_trace_that_is_not_sorted_as_it_was_said_to_be_is_an_exception) {
    std::vector<trace_flow> flows(2);
    flows[0].start = 5_ps;
    flows[1].flow = 1;
    listed_flows source{flows};
    EXPECT_EQ(failure(source, true, std::tmpfile), "the trace is not sorted: flow 1 starts before flow 0");
}

TEST(sorted_flow_stream, a_trace_with_a_mistake_does_not_just_end) {
    for (const bool sorted : {true, false}) {
        listed_flows source{std::vector<trace_flow>(1)};
        source.mistakes.push_back({"t.csv", 3, "bytes", "is missing"});
        EXPECT_EQ(failure(source, sorted, std::tmpfile), "the trace has errors: t.csv:3: bytes: is missing");
    }
}

}  // namespace
}  // namespace weir::traffic
