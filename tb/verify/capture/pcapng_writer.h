// Packet captures as pcapng: draft-ietf-opsawg-pcapng, little-endian, one section, stamps in nanoseconds.
//
//   pcapng_writer capture(directory.create("trace.pcapng"), "weir 0.1.0");
//   const unsigned link = capture.add_interface({"h0-s0", "h0 to s0", 10_Gbps, 0});
//   capture.add_packet(link, 1500ns, octets, frame_bytes);
//   capture.finish();
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/support/files/run_directory.h"
#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir::tb {

struct capture_interface {
    std::string name;
    std::string description;
    bit_rate rate{0};
    /// Most octets of a packet that are kept; 0: all.
    std::uint32_t snap = 0;
};

/// Ethernet with FCS. Throws output_error where the file cannot be written.
class pcapng_writer {
 public:
    pcapng_writer(output_file file, const std::string& application);

    /// Before the first packet. Returns the interface's number.
    unsigned add_interface(const capture_interface& interface);
    /// `octets`: what is kept of a packet of `length` octets. Stamps below a nanosecond are rounded down.
    void add_packet(unsigned interface, picoseconds stamp, const std::vector<std::uint8_t>& octets,
                    std::uint32_t length);
    void finish() { m_file.finish(); }

 private:
    void put_option(std::uint16_t code, const std::string& value);
    void write_block(std::uint32_t type);

    output_file m_file;
    /// Body of the block that is being made.
    std::string m_body;
    unsigned m_interfaces = 0;
};

}  // namespace weir::tb
