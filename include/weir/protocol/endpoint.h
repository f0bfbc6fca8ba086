// The seam between a host's hardware (model) and what runs on it (traffic): neither knows the other.
//
// A host calls its endpoint at local times of its own; the endpoint answers through `host_services`. Calls
// of one host come in order of time, one after another; with several threads not always from the same one.
#pragma once

#include <cstdint>
#include <string>

#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/protocol/frame.h"
#include "weir/protocol/frame_annex.h"

namespace weir {

/// What has become of a frame that was handed to the network stack.
enum class send_outcome : std::uint8_t {
    taken,    ///< it is on its way to the NIC
    dropped,  ///< the NIC had no space; counted as dropped at the host, and never was on a wire
    not_now,  ///< the NIC takes it later: hand it over again at `endpoint::ready`
    not_this  ///< the same, and frames of other flows may be taken meanwhile
};
constexpr bool is_refusal(send_outcome outcome) {
    return outcome == send_outcome::not_now || outcome == send_outcome::not_this;
}

/// What a host offers to the transports and applications that run on it.
class host_services {
 public:
    virtual ~host_services() = default;

    /// Local time of the call that is being served.
    virtual picoseconds now() const = 0;
    /// Hands a frame to the network stack: it reaches the NIC's queue of its priority after the stack's
    /// output delay, in the order of the calls.
    virtual send_outcome send(const ethernet_frame& frame) = 0;
    /// Hands over a frame that returns what came with another one; switches append nothing to it. The annex is
    /// copied. A host without telemetry, as by default, sends the frame alone.
    virtual send_outcome return_annex(const frame_annex& /*annex*/, const ethernet_frame& frame) {
        return send(frame);
    }
    /// Asks for `endpoint::wake` at `time`, not before `now()`. A request behind one that is pending may be
    /// forgotten: `wake` asks for what comes next. A wake may come more often than needed, and none comes after
    /// `latest_time`.
    virtual void wake_at(picoseconds time) = 0;
    virtual host_id id() const = 0;
    virtual ipv4_address address() const = 0;
    virtual bit_rate link_rate() const = 0;
    /// Bytes that wait in the NIC, all classes together.
    virtual bytes nic_backlog() const = 0;
    /// What runs here has broken a rule of its own: the run ends with `what`, this host's name and the local
    /// time. It goes on until the end of the quantum.
    virtual void fail(const std::string& what) = 0;
};

/// What runs on a host.
class endpoint {
 public:
    virtual ~endpoint() = default;

    /// Once, at time 0, before any other call.
    virtual void start(host_services& host) = 0;
    /// A frame for this host has passed the stack's input delay.
    virtual void receive(const ethernet_frame& frame) = 0;
    /// As `receive`, in a fabric whose switches append telemetry. The annex holds until the call returns.
    virtual void receive_with(const frame_annex& /*annex*/, const ethernet_frame& frame) { receive(frame); }
    /// A time asked for with `wake_at` has come.
    virtual void wake() = 0;
    /// The NIC may take what it has said `not_now` to.
    virtual void ready() {}
    /// The warm-up is over: what is measured counts from here on. At most once.
    virtual void end_warmup() {}
    /// It is called from the kernel's own thread only, however many threads a run has. An endpoint that neither
    /// touches the SystemC kernel nor shares anything that changes with other hosts may say false.
    virtual bool needs_kernel_thread() const { return true; }
};

/// Addresses of a fabric's hosts; immutable during a run.
class address_map {
 public:
    virtual ~address_map() = default;
    virtual host_id hosts() const = 0;
    virtual ipv4_address address_of(host_id host) const = 0;
    /// `hosts()` where no host has this address.
    virtual host_id host_of(ipv4_address address) const = 0;
};

}  // namespace weir
