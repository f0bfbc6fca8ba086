// The project's own flow trace: CSV, one flow per line, columns in any order.
//
//     start_ns,src,dst,bytes,priority,tag
//     0,0,5,20000,3,query
//     1250.125,4,5,1460,7,background
//
// `priority` and `tag` may be left out. start_ns may have decimals, to the picosecond. Fields are not quoted.
#pragma once

#include "weir/traffic/traces/flow_trace.h"

namespace weir::traffic {

class flow_trace_csv final : public trace_reader {
 public:
    flow_trace_csv(std::istream& in, trace_options options, tag_table& tags)
        : trace_reader(in, std::move(options)), m_tags(tags) {}
    bool next(trace_flow& flow) override;

 private:
    enum column : std::uint8_t { start_ns, src, dst, flow_bytes, priority, tag, columns };
    static constexpr std::size_t absent = ~std::size_t{0};

    bool read_header();
    bool read_flow(trace_flow& flow);
    bool read_tag(std::string_view text, std::uint8_t& index);

    tag_table& m_tags;
    bool m_header_read = false;
    bool m_header_good = false;
    std::size_t m_width = 0;
    /// Place of each column in a line, or `absent`.
    std::array<std::size_t, columns> m_place{};
};

}  // namespace weir::traffic
