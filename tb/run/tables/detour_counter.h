// Counts what comes to a host by how often it was detoured: an endpoint in front of the one that runs there. It
// is there only where switches detour, so that other runs do not pay for it.
//
//   detour_counter counter(guest);
//   network.host(host)->run(counter);
//   const detour_counts counts = detours_of(counters, network.team());      // at the end
//   counts.by_tag.at(3)[0];         // frames of tag 2 that came without a detour
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tb/support/files/output_file.h"
#include "tb/support/record/cell.h"
#include "weir/model/ranks/rank_team.h"
#include "weir/protocol/endpoint.h"

namespace weir::tb {

/// Frames by the number of their detours.
using detour_histogram = std::array<std::uint64_t, 256>;

class detour_counter final : public endpoint {
 public:
    /// Of notifications, which have no tag; that of a tag is its number + 1.
    static constexpr unsigned no_tag = 0;
    static constexpr unsigned place_of_tag(std::uint8_t tag) { return tag + 1U; }

    /// `guest` outlives this.
    explicit detour_counter(endpoint& guest) : m_guest(guest) {}

    void start(host_services& host) override { m_guest.start(host); }
    void receive(const ethernet_frame& frame) override {
        count(frame);
        m_guest.receive(frame);
    }
    void receive_with(const frame_annex& annex, const ethernet_frame& frame) override {
        count(frame);
        m_guest.receive_with(annex, frame);
    }
    void wake() override { m_guest.wake(); }
    void ready() override { m_guest.ready(); }
    void end_warmup() override {
        m_frames.clear();
        m_guest.end_warmup();
    }
    bool needs_kernel_thread() const override { return m_guest.needs_kernel_thread(); }

    /// At [place of tag * 256 + detours]; shorter where higher tags have no frames.
    const std::vector<std::uint32_t>& frames() const { return m_frames; }

 private:
    // Grows with the first frame of a tag.
    void count(const ethernet_frame& frame) {
        const unsigned tag = frame.is_of_transfer() ? place_of_tag(frame.transfer.tag) : no_tag;
        const std::size_t place = tag * std::size_t{256} + frame.detours;
        if (__builtin_expect(place >= m_frames.size(), 0)) {
            m_frames.resize((tag + std::size_t{1}) * 256);
        }
        ++m_frames[place];
    }

    endpoint& m_guest;
    std::vector<std::uint32_t> m_frames;
};

/// Of all hosts, since the end of the warm-up.
struct detour_counts {
    /// By the tag's place; only of tags that have frames.
    std::map<unsigned, detour_histogram> by_tag;
    detour_histogram all{};

    void add(const detour_counts& other);
    template <class Octets>
    void fields(Octets& o) {
        o(by_tag, all);
    }
};
/// Of all ranks. Collective. Counters of hosts that are not here are null.
detour_counts detours_of(const std::vector<const detour_counter*>& counters, model::rank_team& team);

/// What is said of frames together.
struct detour_summary {
    std::uint64_t frames = 0;
    /// Detoured at least once.
    std::uint64_t detoured = 0;
    /// Detours of a frame: by nearest rank, and of the one that had most.
    unsigned p99 = 0;
    unsigned most = 0;
};
detour_summary detour_summary_of(const detour_histogram& frames);

/// Name of the tag at that place; empty for notifications.
std::string tag_at(unsigned place, const std::vector<std::string>& names);

struct detour_row {
    std::string_view tag;
    unsigned detours = 0;
    std::uint64_t frames = 0;

    static constexpr table_facts table{
        "detours.csv", "Frames that came to hosts from run.warmup on, by tag and number of detours.",
        "`switch.overflow = detour`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("tag", &self::tag, "Tag of the transfer; an ACK has the tag of its transfer.")
                    .absent("the transfer has no tag, or the frame is a notification"));
        columns(column("detours", &self::detours, "Number of detours of each of the frames.").unit("detours"));
        columns(column("frames", &self::frames, "Number of frames.").unit("frames"));
    }
};

/// Writes detours.csv. `names`: of tags, by number. Throws output_error.
void write_detour_table(output_file file, const detour_counts& counts, const std::vector<std::string>& names);

}  // namespace weir::tb
