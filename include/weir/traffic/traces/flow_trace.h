// Flow traces: what their readers have in common, and the pass that checks a whole trace before a run.
//
// A reader holds one line at a time, whatever the length of the file. It reports every mistake with file,
// line and column, goes on after it, and keeps the first 20.
//
//   auto reader = make_trace_reader(trace_format::csv, file, options, tags);
//   const trace_scan scan = scan_trace(*reader);
//   if (!scan.errors.empty()) { ... }   // bad input
//   // open the file anew; a second reader streams it, through sorted_flow_stream if !scan.sorted
#pragma once

#include <array>
#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/traffic/traces/flow.h"

#include "weir/base/enum_names.h"

namespace weir::traffic {

/// Unit of the start times of a format that does not say (htsim's connection matrices).
enum class start_unit : std::uint8_t { undeclared, ps, us, ns };
constexpr auto names_of(start_unit) {
    return enum_names<start_unit>({
        {start_unit::undeclared, "undeclared", "no unit given; a start time other than 0 is refused"},
        {start_unit::ps, "ps", "picoseconds"},
        {start_unit::ns, "ns", "nanoseconds"},
        {start_unit::us, "us", "microseconds"},
    });
}

struct trace_options {
    /// Name for messages; readers open no files.
    std::string file;
    /// Number of hosts in the fabric; 0 = not known, every host number is taken.
    host_id hosts = 0;
    /// Class of flows whose line gives none. Range: 0-7.
    pfc_class default_priority = 0;
    start_unit unit = start_unit::undeclared;
    /// Delay from a trigger to the flows that wait for it. With 0 a trigger must stay within one host; a
    /// trigger across hosts needs at least the fabric's lookahead
    /// (docs/decisions/0003-quantum-up-to-the-lookahead.md).
    picoseconds trigger_delay{0};
};

/// The first 20 mistakes, and how many more there were.
class error_log {
 public:
    static constexpr std::size_t most_kept = 20;

    void add(config_error error);
    std::uint64_t count() const { return m_count; }
    bool empty() const { return m_count == 0; }
    /// What was kept; where that is not all, a last entry says `and n more`.
    config_errors list() const;

 private:
    config_errors m_kept;
    std::uint64_t m_count = 0;
};

/// Lines of a text without comments (from a `#` at the start or behind a blank to the end of the line),
/// surrounding blanks, carriage returns and a byte order mark; lines that are then empty are skipped.
class text_lines {
 public:
    /// Longest line that is read whole. Unit: characters.
    static constexpr std::size_t longest = 4095;

    explicit text_lines(std::istream& in) : m_in(in) {}
    /// False at the end. `line` is valid until the next call.
    bool next(std::string_view& line);
    /// Of the last line taken, from 1; at the end, of the last line of the file.
    int number() const { return m_number; }
    /// The last line taken has no line feed: it ends the file, and may have been cut.
    bool unterminated() const { return m_unterminated; }
    /// The last line taken was longer than `longest`; the rest was skipped.
    bool too_long() const { return m_too_long; }
    /// The stream failed before its end.
    bool unreadable() const { return m_unreadable; }

 private:
    std::istream& m_in;
    std::array<char, longest + 1> m_buffer{};
    int m_number = 0;
    bool m_unterminated = false;
    bool m_too_long = false;
    bool m_unreadable = false;
};

void split_at_blanks(std::string_view line, std::vector<std::string_view>& fields);
/// Blanks around a field are taken off.
void split_at_commas(std::string_view line, std::vector<std::string_view>& fields);

/// Why a text is no number of the wanted kind.
enum class number_fault : std::uint8_t { none, missing, not_a_number, negative, not_whole, too_large };

/// A whole number of decimal digits, at most `largest`.
number_fault parse_whole(std::string_view text, std::uint64_t largest, std::uint64_t& value);
/// A decimal number (also 2.5e-6) times 10^`power`, exact: `not_whole` instead of rounding.
number_fault parse_decimal(std::string_view text, int power, std::uint64_t largest, std::uint64_t& value);
/// `'-3' is negative; expected 0 to 7`.
std::string describe(number_fault fault, std::string_view text, std::string_view allowed);
/// `text` in quotes, shortened, without control characters.
std::string in_quotes(std::string_view text);

/// What the readers share: the checks of single fields and the lists of mistakes.
class trace_reader : public flow_source {
 public:
    config_errors errors() const override { return m_errors.list(); }
    config_errors warnings() const { return m_warnings.list(); }
    bool failed() const { return !m_errors.empty(); }
    /// Complete when `next` has returned false. Order of id.
    const std::vector<trace_trigger>& triggers() const { return m_triggers; }

 protected:
    trace_reader(std::istream& in, trace_options options) : m_options(std::move(options)), m_lines(in) {}

    /// The next line that can be read; reports lines that are too long and a stream that fails.
    bool next_line(std::string_view& line);
    /// A mistake in the current line, or in line `line`.
    void error(std::string_view key, std::string message) {
        error_at(m_lines.number(), key, std::move(message));
    }
    void error_at(int line, std::string_view key, std::string message);
    void warn_at(int line, std::string_view key, std::string message);
    /// Warns if the last line taken has no line feed: a number that ends it may have been cut, and looks whole.
    void warn_of_cut();
    /// The line has `have` fields and lacks the one named `key`.
    void missing_field(std::string_view key, std::size_t have, std::size_t want);

    /// Each reports its own mistake and then returns false.
    bool read_host(std::string_view key, std::string_view text, host_id& host);
    bool read_destination(std::string_view key, std::string_view text, host_id src, bool src_ok, host_id& dst);
    bool read_bytes(std::string_view key, std::string_view text, std::uint64_t& flow_bytes);
    bool read_priority(std::string_view key, std::string_view text, pfc_class& priority);
    /// `power`: the unit is 10^power ps, `unit` its name.
    bool read_start(std::string_view key, std::string_view text, int power, const char* unit,
                    picoseconds& start);

    trace_options m_options;
    text_lines m_lines;
    error_log m_errors;
    error_log m_warnings;
    std::vector<trace_trigger> m_triggers;
    std::vector<std::string_view> m_fields;
    std::uint64_t m_next_flow = 0;
};

enum class trace_format : std::uint8_t { csv, hpcc, htsim };

/// The stream, and for CSV the tags, must outlive the reader.
std::unique_ptr<trace_reader> make_trace_reader(trace_format format, std::istream& in, trace_options options,
                                                tag_table& tags);

/// What one pass over a trace has found.
struct trace_scan {
    /// Flows without a mistake.
    std::uint64_t count = 0;
    /// Of these, flows that wait for a trigger; they do not count in `first_start` and `last_start`.
    std::uint64_t triggered = 0;
    /// The file's order is the order of `starts_before`.
    bool sorted = true;
    picoseconds first_start{0};
    picoseconds last_start{0};
    /// Unit: B. Stays at 2^64 - 1 where the sum is larger.
    std::uint64_t total_bytes = 0;
    /// Largest number among sources and destinations.
    host_id max_host = 0;
    /// Of each host, as far as hosts have numbers below this; shorter where the last ones have none.
    static constexpr host_id most_counted_hosts = host_id{1} << 20;
    std::vector<host_traffic> of_hosts;
    /// That flows have, as bits.
    class_mask priorities = 0;
    std::vector<trace_trigger> triggers;
    config_errors errors;
    config_errors warnings;
};

/// Reads the trace to its end.
trace_scan scan_trace(trace_reader& reader);

}  // namespace weir::traffic
