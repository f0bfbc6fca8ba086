// `trace.pcap`: what leaves both ends of chosen links, into one capture, in the order of time.
//
// Each direction of a link is an interface of the capture. Its tap only copies frames; at barriers, when all
// nodes have reached the same time, what the taps of all ranks hold is gathered on rank 0, sorted and written,
// as far as it is known to be within the run. Frames of one time stand in the order of the interfaces, so the
// file depends neither on the quantum nor on the ranks.
//
//   link_capture capture(config.trace, headers, network, directions, taps, directory.create("trace.pcapng"));
//   capture.take(sure);       // at barriers
//   capture.finish(end);
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tb/run/options/run_config.h"
#include "tb/verify/capture/frame_octets.h"
#include "tb/verify/capture/pcapng_writer.h"
#include "tb/verify/capture/wire_taps.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

struct link_direction {
    link_id link = no_link;
    /// From the link's end b to its end a.
    bool backwards = false;
};

/// What texts of `trace.pcap` name: `all`, a link's name for both directions, or two nodes' names with `>`
/// between; in names `*` stands for any text. In the order of the links, each once. Errors have the key
/// `trace.pcap[n]`, n from 0.
std::vector<link_direction> chosen_directions(const std::vector<std::string>& texts, const topology& plan,
                                              config_errors& errors);

class link_capture {
 public:
    /// Before the simulation starts. Throws output_error.
    link_capture(const capture_options& options, header_lengths headers, fabric& network,
                 const std::vector<link_direction>& directions, wire_taps& taps, output_file file);
    ~link_capture();

    /// Frames up to `sure`: nodes have reached a later time, and the run does not end before. Collective, as
    /// `finish`. Throws output_error.
    void take(picoseconds sure);
    /// The run has ended, at `end`: later frames are not written.
    void finish(picoseconds end);
    /// What the user should know of a file that is not what was asked for, one sentence each.
    /// `window`: when it was to be written, as window_text says it.
    std::vector<std::string> warnings(const std::string& window) const;

 private:
    class tap;
    struct captured_frame {
        /// When the first bit left.
        picoseconds time;
        std::uint32_t interface;
        ethernet_frame frame;
    };

    void gather();
    void write(const captured_frame& captured);

    rank_team& m_team;
    frame_octets m_octets;
    pcapng_writer m_file;
    std::uint32_t m_snap;
    std::uint64_t m_limit;
    std::uint64_t m_written = 0;
    /// When the first frame beyond the limit left; else `never`.
    picoseconds m_cut = never;
    /// The limit has been reached: nothing is captured any more, on any rank.
    bool m_stopped = false;
    /// Of the links' ends that are here.
    std::vector<std::unique_ptr<tap>> m_taps;
    /// On rank 0: sorted, not written yet.
    std::vector<captured_frame> m_pending;
    /// By interface: address of the port that sends.
    std::vector<mac_address> m_senders;
};

}  // namespace weir::tb
