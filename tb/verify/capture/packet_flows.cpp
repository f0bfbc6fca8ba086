#include "tb/verify/capture/packet_flows.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tb/support/text/joined.h"
#include "tb/verify/capture/fragment_book.h"
#include "tb/verify/capture/packet.h"
#include "tb/verify/capture/tcp_direction.h"
#include "weir/base/how_many.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

namespace {

constexpr std::size_t most_bad_addresses = 20;

class flow_list final : public flow_source {
 public:
    explicit flow_list(std::vector<trace_flow> flows) : m_flows(std::move(flows)) {}
    bool next(trace_flow& flow) override {
        if (m_next == m_flows.size()) {
            return false;
        }
        flow = m_flows[m_next++];
        return true;
    }

 private:
    std::vector<trace_flow> m_flows;
    std::size_t m_next = 0;
};

std::string address_text(const std::string& octets) {
    std::string text;
    for (std::size_t i = 0; i < octets.size(); ++i) {
        const auto octet = static_cast<unsigned char>(octets[i]);
        if (octets.size() == 4) {
            text += (i == 0 ? "" : ".") + std::to_string(octet);
        } else {
            constexpr char digits[] = "0123456789abcdef";
            text += i != 0 && i % 2 == 0 ? ":" : "";
            text += digits[octet >> 4];
            text += digits[octet & 15];
        }
    }
    return text;
}

/// Which host an address stands for.
class address_book {
 public:
    address_book(address_rule rule, const topology& plan) : m_rule(rule), m_plan(plan) {}

    std::optional<host_id> host_of(const std::string& address) {
        const auto [known, added] = m_hosts.try_emplace(address);
        if (added) {
            known->second = find(address);
        }
        return known->second;
    }
    std::size_t addresses() const { return m_hosts.size(); }
    /// Addresses that are no hosts, the first ones in order.
    std::vector<std::string> strangers() const {
        std::vector<std::string> found;
        for (const auto& [address, host] : m_hosts) {
            if (!host && found.size() < most_bad_addresses) {
                found.push_back(address_text(address));
            }
        }
        return found;
    }

 private:
    std::optional<host_id> find(const std::string& address) {
        const auto place = static_cast<std::uint64_t>(m_hosts.size() - 1);
        if (m_rule == address_rule::modulo) {
            return static_cast<host_id>(place % m_plan.hosts());
        }
        if (m_rule == address_rule::order) {
            return place < m_plan.hosts() ? std::optional(static_cast<host_id>(place)) : std::nullopt;
        }
        if (address.size() != 4) {
            return std::nullopt;
        }
        std::uint32_t number = 0;
        for (const char octet : address) {
            number = number << 8 | static_cast<unsigned char>(octet);
        }
        return m_plan.host_of(ipv4_address{number});
    }

    address_rule m_rule;
    const topology& m_plan;
    std::map<std::string, std::optional<host_id>> m_hosts;
};

/// A transfer whose packets are still coming.
struct open_transfer {
    bool begun = false;
    /// In the list; nothing before there is data.
    std::optional<std::size_t> flow;
    picoseconds start{0};
    picoseconds last{0};
    tcp_direction tcp;
};

packet_path reversed(const packet_path& path) {
    return {path.dst, path.src, path.dst_port, path.src_port, path.tcp};
}

class flow_maker {
 public:
    flow_maker(const std::string& path, const packet_flow_options& options, const topology& plan)
        : m_path(path), m_options(options), m_plan(plan), m_book(options.addresses, plan) {}

    packet_flows run() {
        packet_reader reader(m_path);
        for (packet p; reader.next(p);) {
            m_base = std::min(m_base, p.time);
            m_unsorted += p.time < m_latest ? 1 : 0;
            m_latest = std::max(m_latest, p.time);
            ++m_seen[static_cast<std::size_t>(p.kind)];
            if (p.fragment && (p.kind == packet_kind::traffic || p.kind == packet_kind::fragment)) {
                for (const packet& part : m_fragments.add(p)) {
                    take(part);
                }
            } else if (p.kind == packet_kind::traffic) {
                take(p);
            }
        }
        m_fragments.finish();
        for (const std::string& warning : reader.warnings()) {
            warn(warning);
        }
        if (!reader.error().empty()) {
            const bool says_what = reader.error().find("; expected ") != std::string::npos;
            fail(reader.error() + (says_what             ? ""
                                   : reader.count() == 0 ? "; expected a pcap or pcapng file"
                                                         : "; expected a whole capture"));
        }
        packet_flows result = finish(reader.count());
        if (!result.scan.errors.empty()) {
            // A command that ends with an error prints no warnings.
            for (const std::string& warning : reader.warnings()) {
                result.scan.errors.back().message += " (" + warning + ")";
            }
        }
        return result;
    }

 private:
    void fail(const std::string& message) { m_scan.errors.push_back({m_path, 0, "traffic.file", message}); }
    void warn(const std::string& message) { m_scan.warnings.push_back({m_path, 0, "traffic.file", message}); }
    /// Nothing if there are none.
    void warn(std::uint64_t count, const std::string& what) {
        if (count > 0) {
            warn(std::to_string(count) + what);
        }
    }

    void take(const packet& p) {
        const auto src = m_book.host_of(p.path.src);
        const auto dst = m_book.host_of(p.path.dst);
        if (!src || !dst) {
            return;
        }
        if (*src == *dst) {
            ++m_within_host;
            return;
        }
        if (m_options.grouping == packet_grouping::packets) {
            take_alone(p, *src, *dst);
            return;
        }
        open_transfer& transfer = m_open[p.path];
        if (is_another(transfer, p)) {
            transfer = open_transfer{};
            transfer.begun = true;
            transfer.start = p.time;
            transfer.last = p.time;
        }
        transfer.start = std::min(transfer.start, p.time);
        transfer.last = std::max(transfer.last, p.time);
        if (p.path.tcp) {
            transfer.tcp.add(p, m_doubts);
            acknowledge(p);
        }
        if (p.payload > 0 && !transfer.flow && (!p.path.tcp || transfer.tcp.bytes() > 0)) {
            transfer.flow = add(p, *src, *dst, transfer.start).flow;
        }
        if (transfer.flow) {
            trace_flow& flow = m_flows[*transfer.flow];
            flow.start = transfer.start;
            flow.flow_bytes = p.path.tcp ? transfer.tcp.bytes() : flow.flow_bytes + p.payload;
        }
    }

    /// A packet is a transfer, and so is a segment that was sent in fragments.
    void take_alone(const packet& p, host_id src, host_id dst) {
        const auto segment = p.continues ? m_segments.find(p.path) : m_segments.end();
        if (segment != m_segments.end()) {
            trace_flow& flow = m_flows[segment->second];
            flow.flow_bytes += p.payload;
            flow.start = std::min(flow.start, p.time);
        } else if (p.payload > 0) {
            trace_flow& flow = add(p, src, dst, p.time);
            flow.flow_bytes = p.payload;
            if (p.fragment && p.path.tcp) {
                m_segments[p.path] = flow.flow;
            }
        }
    }

    bool is_another(const open_transfer& transfer, const packet& p) {
        const bool silent = p.time - transfer.last >= m_options.idle;
        return !transfer.begun || silent || (p.path.tcp && transfer.tcp.begins_another(p, m_doubts));
    }

    /// The other direction's end.
    void acknowledge(const packet& p) {
        if (p.ack && p.payload == 0) {
            const auto other = m_open.find(reversed(p.path));
            if (other != m_open.end()) {
                other->second.tcp.acknowledged(p.acknowledgement);
            }
        }
    }

    std::uint64_t seen(packet_kind kind) const { return m_seen[static_cast<std::size_t>(kind)]; }

    trace_flow& add(const packet& p, host_id src, host_id dst, picoseconds start) {
        trace_flow flow;
        flow.flow = m_flows.size();
        flow.start = start;
        flow.src = src;
        flow.dst = dst;
        flow.priority = p.priority;
        m_flows.push_back(flow);
        return m_flows.back();
    }

    packet_flows finish(std::uint64_t packets) {
        report(packets);
        picoseconds last{0};
        for (trace_flow& f : m_flows) {
            f.start -= m_base;
            m_scan.sorted = m_scan.sorted && f.start >= last;
            last = f.start;
            m_scan.first_start = m_scan.count == 0 ? f.start : std::min(m_scan.first_start, f.start);
            m_scan.last_start = std::max(m_scan.last_start, f.start);
            m_scan.total_bytes += f.flow_bytes;
            m_scan.max_host = std::max({m_scan.max_host, f.src, f.dst});
            ++m_scan.count;
        }
        if (m_scan.last_start > latest_time) {
            fail("lasts " + to_text(m_scan.last_start) + "; expected up to " + to_text(latest_time));
        }
        packet_flows result;
        result.flows = std::make_unique<flow_list>(std::move(m_flows));
        result.scan = std::move(m_scan);
        return result;
    }

    void report(std::uint64_t packets) {
        const std::vector<std::string> strangers = m_book.strangers();
        if (!strangers.empty()) {
            const std::string list = joined(strangers, ", ");
            const std::string hosts = std::to_string(m_plan.hosts());
            fail(m_options.addresses == address_rule::fabric
                     ? "has addresses that belong to no host of the fabric, such as " + list +
                           "; expected addresses of the fabric, or traffic.addresses = order"
                     : "has " + std::to_string(m_book.addresses()) + " addresses; expected at most " + hosts +
                           ", the number of hosts, or traffic.addresses = modulo");
        }
        if (m_scan.errors.empty() && m_flows.empty()) {
            std::string why;
            const auto count = [&](std::uint64_t n, const char* what) {
                if (n > 0) {
                    why += (why.empty() ? " (" : ", ") + std::to_string(n) + " " + what;
                }
            };
            count(seen(packet_kind::other), "are not TCP or UDP over IP");
            count(m_fragments.doubts().orphans, "are IP fragments without their first one");
            count(seen(packet_kind::cut), "have truncated or malformed headers");
            fail("has no TCP or UDP payload in " + std::to_string(packets) + " packets" + why +
                 (why.empty() ? "" : ")") +
                 "; expected a capture with traffic between two hosts, and at least the headers of each packet "
                 "(54 B "
                 "of Ethernet, IPv4 and TCP)");
        }
        const std::string of_packets = " of " + std::to_string(packets) + " packets ";
        const auto warn_left_out = [&](std::uint64_t count, const std::string& why) {
            warn(count, of_packets + why + " and are left out");
        };
        const fragment_doubts& doubts = m_fragments.doubts();
        warn_left_out(seen(packet_kind::other), "are not TCP or UDP over IP");
        warn_left_out(doubts.orphans, "are IP fragments without their first one, which has the ports: " +
                                          std::to_string(doubts.orphan_bytes) + " B are uncertain,");
        warn_left_out(seen(packet_kind::cut), "have truncated or malformed headers,");
        warn_left_out(m_within_host, "have the same host as source and destination");
        const char* const lack = " with IP fragments that are not in the capture: ";
        if (doubts.datagrams > 0) {
            warn(how_many(doubts.datagrams, "UDP datagram") + lack + std::to_string(doubts.datagram_bytes) +
                 " B are uncertain, and counted because UDP's headers have them");
        }
        if (doubts.segments > 0) {
            warn(how_many(doubts.segments, "TCP segment") + lack + "at least " +
                 std::to_string(doubts.segment_bytes) +
                 " B are uncertain, and counted only where a later sequence number shows them");
        }
        warn(m_unsorted, of_packets +
                             "have an earlier time stamp than a packet before them; a transfer starts at its "
                             "earliest packet");
        warn(m_doubts.restarts, of_packets +
                                    "repeat the beginning of a TCP transfer whose end was already "
                                    "acknowledged, without a SYN: they "
                                    "are taken as retransmissions, and a transfer may be missing");
        warn(m_doubts.jumps,
             " jumps of TCP's sequence numbers by more than 16 MiB, without a SYN: " +
                 std::to_string(m_doubts.jumped_bytes) +
                 " B are counted that are in no packet, because packets or the beginning of a connection are "
                 "missing");
        warn(m_doubts.breaks,
             " jumps of TCP's sequence numbers by more than any possible window, without a SYN: each of them "
             "starts a new transfer");
    }

    const std::string& m_path;
    const packet_flow_options& m_options;
    const topology& m_plan;
    address_book m_book;
    trace_scan m_scan;
    std::vector<trace_flow> m_flows;
    std::map<packet_path, open_transfer> m_open;
    fragment_book m_fragments;
    /// With `packet_grouping::packets`: the transfer of the last segment that was sent in fragments.
    std::map<packet_path, std::uint64_t> m_segments;
    tcp_doubts m_doubts;
    /// The earliest and the latest stamp.
    picoseconds m_base{0};
    picoseconds m_latest{0};
    std::uint64_t m_unsorted = 0;
    std::array<std::uint64_t, 4> m_seen{};
    std::uint64_t m_within_host = 0;
};

}  // namespace

packet_flows read_packet_flows(const std::string& path, const packet_flow_options& options,
                               const topology& plan) {
    return flow_maker(path, options, plan).run();
}

}  // namespace weir::tb
