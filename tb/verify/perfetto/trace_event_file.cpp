#include "tb/verify/perfetto/trace_event_file.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

namespace weir::tb {

namespace {

/// Threads have numbers of their own in the whole file (viewers look them up by that alone), apart from those
/// of processes.
constexpr std::uint32_t first_thread = 1'000'000;

std::int64_t whole_ns(picoseconds time) {
    return time.count() / 1000;
}

/// Microseconds with three decimals, and a tenth of a nanosecond: viewers multiply a binary fraction by 1,000
/// and cut what is behind the point, which without it would now and then be a nanosecond less.
std::string us_text(std::int64_t ns) {
    char text[40];
    std::snprintf(text, sizeof text, "%lld.%03d1", static_cast<long long>(ns / 1000),
                  static_cast<int>(ns % 1000));
    return text;
}

std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump();
}

}  // namespace

trace_event_file::trace_event_file(output_file file) : m_file(std::move(file)) {
    m_file.write("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"version\":\"weir " WEIR_VERSION
                 "\"},\"traceEvents\":[");
}

trace_event_file::process_id trace_event_file::add_process(const std::string& name) {
    // 0 is the kernel's in other traces.
    const process_id process = ++m_processes;
    m_file.write(m_first ? "\n" : ",\n");
    m_first = false;
    m_file.write("{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":" + std::to_string(process) +
                 ",\"args\":{\"name\":" + quoted(name) + "}}");
    return process;
}

trace_event_file::track_id trace_event_file::add_track(process_id process, const std::string& name) {
    const auto track = static_cast<track_id>(m_process_of.size());
    m_process_of.push_back(process);
    begin_event('M', "thread_name", track);
    m_line += ",\"args\":{\"name\":" + quoted(name) + "}";
    end_event();
    return track;
}

void trace_event_file::begin_event(char phase, const std::string& name, track_id track) {
    m_line = m_first ? "\n" : ",\n";
    m_first = false;
    m_line += "{\"ph\":\"";
    m_line += phase;
    m_line += "\",\"name\":" + quoted(name) + ",\"pid\":" + std::to_string(m_process_of[track]) +
              ",\"tid\":" + std::to_string(first_thread + track);
}

void trace_event_file::end_event() {
    m_line += '}';
    m_file.write(m_line);
}

void trace_event_file::add_slice(track_id track, const std::string& name, picoseconds begin, picoseconds end,
                                 const nlohmann::ordered_json& args, const event_chain& chain) {
    begin_event('X', name, track);
    m_line += ",\"ts\":" + us_text(whole_ns(begin)) + ",\"dur\":" + us_text(whole_ns(end) - whole_ns(begin));
    if (chain.number != 0 && (chain.from_earlier || chain.to_later)) {
        char number[24];
        std::snprintf(number, sizeof number, "0x%llx", static_cast<unsigned long long>(chain.number));
        m_line += ",\"bind_id\":\"" + std::string(number) + "\"";
        m_line += chain.from_earlier ? ",\"flow_in\":true" : "";
        m_line += chain.to_later ? ",\"flow_out\":true" : "";
    }
    m_line += ",\"args\":" + args.dump();
    end_event();
    ++m_events;
}

void trace_event_file::add_mark(track_id track, const std::string& name, picoseconds at,
                                const nlohmann::ordered_json& args) {
    begin_event('i', name, track);
    m_line += ",\"s\":\"t\",\"ts\":" + us_text(whole_ns(at)) + ",\"args\":" + args.dump();
    end_event();
    ++m_events;
}

void trace_event_file::finish() {
    m_file.write("\n]}\n");
    m_file.finish();
}

}  // namespace weir::tb
