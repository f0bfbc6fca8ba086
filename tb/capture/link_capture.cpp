#include "tb/capture/link_capture.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "tb/text/name_pattern.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

/// One direction of a link.
class link_capture::tap final : public wire_tap {
 public:
    struct sent_frame {
        picoseconds first_bit;
        ethernet_frame frame;
    };

    tap(picoseconds begin, picoseconds end, mac_address sender)
        : m_begin(begin), m_end(end), m_sender(sender) {}

    void on_sent(const ethernet_frame& frame, picoseconds first_bit) override {
        if (first_bit >= m_begin && first_bit < m_end) {
            m_frames.push_back({first_bit, frame});
        }
    }

    /// Takes nothing from now on. At a barrier.
    void stop() { m_end = picoseconds{0}; }
    const mac_address& sender() const { return m_sender; }
    /// Time is that of the first bit's leaving.
    std::vector<sent_frame>& frames() { return m_frames; }

 private:
    picoseconds m_begin;
    picoseconds m_end;
    mac_address m_sender;
    std::vector<sent_frame> m_frames;
};

link_capture::link_capture(const capture_options& options, header_lengths headers, fabric& network,
                           const std::vector<link_direction>& directions, wire_taps& taps, output_file file)
    : m_octets(headers),
      m_file(std::move(file), "weir " WEIR_VERSION),
      m_snap(static_cast<std::uint32_t>(options.pcap_snap.count())),
      m_limit(options.pcap_limit) {
    const topology& plan = network.plan();
    for (const link_direction& direction : directions) {
        const topology_link& link = plan.link(direction.link);
        const link_end& from = direction.backwards ? link.b : link.a;
        const link_end& to = direction.backwards ? link.a : link.b;
        node* const sender = from.node.is_host() ? static_cast<node*>(network.host(from.node.index))
                                                 : &network.device(from.node.index);
        m_file.add_interface(
            {link.name, plan.name(from.node) + " to " + plan.name(to.node), link.rate, m_snap});
        m_taps.push_back(std::make_unique<tap>(options.window_start, options.window_end.value_or(never),
                                               port_address(plan.node_index(from.node), from.port)));
        taps.add(sender->output(from.port), *m_taps.back());
    }
}

link_capture::~link_capture() = default;

void link_capture::take() {
    for (std::uint32_t t = 0; t < m_taps.size(); ++t) {
        const auto& frames = m_taps[t]->frames();
        for (std::uint32_t f = 0; f < frames.size(); ++f) {
            m_entries.push_back({frames[f].first_bit, t, f});
        }
    }
    std::sort(m_entries.begin(), m_entries.end(), [](const entry& a, const entry& b) {
        return std::tie(a.time, a.tap, a.place) < std::tie(b.time, b.tap, b.place);
    });
    for (const entry& e : m_entries) {
        if (m_written == m_limit) {
            m_cut = std::min(m_cut, e.time);
            break;
        }
        ++m_written;
        const ethernet_frame& frame = m_taps[e.tap]->frames()[e.place].frame;
        m_file.add_packet(e.tap, e.time, m_octets.write(frame, m_taps[e.tap]->sender(), m_snap),
                          frame.frame_bytes);
    }
    m_entries.clear();
    for (auto& t : m_taps) {
        t->frames().clear();
        if (m_cut != never) {
            t->stop();
        }
    }
}

void link_capture::finish() {
    take();
    m_file.finish();
}

std::vector<std::string> link_capture::warnings(const std::string& window) const {
    if (m_written == 0 && m_cut == never) {
        return {"trace.pcapng has no frame: none was sent on the captured links in " + window};
    }
    if (m_cut == never) {
        return {};
    }
    return {"trace.pcapng ends at " + to_text(m_cut) + ": trace.pcap_limit = " + std::to_string(m_limit) +
            " frames"};
}

namespace {

bool names(const std::string& text, const topology& plan, link_direction direction) {
    const topology_link& link = plan.link(direction.link);
    const std::size_t arrow = text.find('>');
    if (arrow == std::string::npos) {
        return text == "all" || fits_pattern(text, link.name);
    }
    const node_ref from = (direction.backwards ? link.b : link.a).node;
    const node_ref to = (direction.backwards ? link.a : link.b).node;
    const std::string_view whole = text;
    return fits_pattern(whole.substr(0, arrow), plan.name(from)) &&
           fits_pattern(whole.substr(arrow + 1), plan.name(to));
}

}  // namespace

std::vector<link_direction> chosen_directions(const std::vector<std::string>& texts, const topology& plan,
                                              config_errors& errors) {
    std::vector<bool> used(texts.size());
    std::vector<link_direction> chosen;
    for (link_id id = 0; id < plan.links().size(); ++id) {
        for (const bool backwards : {false, true}) {
            bool any = false;
            for (std::size_t t = 0; t < texts.size(); ++t) {
                if (names(texts[t], plan, {id, backwards})) {
                    used[t] = true;
                    any = true;
                }
            }
            if (any) {
                chosen.push_back({id, backwards});
            }
        }
    }
    for (std::size_t t = 0; t < texts.size(); ++t) {
        if (!used[t]) {
            const std::string such_as = plan.links().empty() ? "h0-s0" : plan.link(0).name;
            errors.push_back(
                {{},
                 0,
                 "trace.pcap[" + std::to_string(t) + "]",
                 "'" + texts[t] +
                     "' matches no link; expected all, a link that `weir run --dry-run` lists, such as " +
                     such_as + ", or FROM>TO with nodes' names; * stands for any text"});
        }
    }
    return chosen;
}

}  // namespace weir::tb
