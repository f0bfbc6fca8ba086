// Captures in pcapng (draft-ietf-opsawg-pcapng): several sections, in both byte orders, and interfaces that
// each have their own link type, snapshot length, resolution of time and FCS.
//
// If the interfaces of a file have several link types, the packets of one type are read: Ethernet if any
// Ethernet interface has packets, otherwise the first known type that has packets. A packet of a tunnel's
// interface is often on an Ethernet interface as well, so reading both would count it twice. Warnings name the
// interfaces that were skipped.
#pragma once

#include <memory>

#include "tb/support/files/input_file.h"
#include "tb/verify/capture/capture_file.h"

namespace weir::tb {

/// No file in another format that libpcap reads begins with it.
inline constexpr int first_octet_of_pcapng = 0x0A;

std::unique_ptr<capture_file> open_pcapng(input_stream in);

}  // namespace weir::tb
