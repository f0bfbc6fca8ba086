#include "tb/verify/capture/capture_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "tb/support/files/input_file.h"
#include "tb/verify/capture/pcapng_file.h"

#ifdef WEIR_WITH_PCAP
#include <pcap/pcap.h>
#endif

namespace weir::tb {

namespace {

constexpr std::array known_links{link_type::ethernet, link_type::linux_sll, link_type::linux_sll2,
                                 link_type::raw,      link_type::ipv4,      link_type::ipv6};

}  // namespace

bool is_known(link_type type) {
    return std::find(known_links.begin(), known_links.end(), type) != known_links.end();
}

std::string refusal_of(link_type type) {
    return "has packets of link type " + text_of(type) +
           "; expected EN10MB (Ethernet), LINUX_SLL, LINUX_SLL2, RAW, IPV4, IPV6";
}

#ifdef WEIR_WITH_PCAP

bool captures_are_supported() {
    return true;
}

// Most numbers are those of libpcap; that of raw IP depends on the system.
std::string text_of(link_type type) {
    const auto number = static_cast<int>(type);
    const char* const name = type == link_type::raw ? "RAW" : pcap_datalink_val_to_name(number);
    return name != nullptr ? name : std::to_string(number);
}

namespace {

class pcap_file final : public capture_file {
 public:
    explicit pcap_file(const std::string& path) {
        std::array<char, PCAP_ERRBUF_SIZE> message{};
        m_capture.reset(
            pcap_open_offline_with_tstamp_precision(path.c_str(), PCAP_TSTAMP_PRECISION_NANO, message.data()));
        if (!m_capture) {
            m_error = message.data();
            return;
        }
        const int type = pcap_datalink(m_capture.get());
        m_link = type == DLT_RAW ? link_type::raw : static_cast<link_type>(type);
        if (!is_known(m_link)) {
            m_error = refusal_of(m_link);
        }
    }

    bool next(captured_octets& packet) override {
        pcap_pkthdr* header = nullptr;
        const int read = pcap_next_ex(m_capture.get(), &header, &packet.octets);
        if (read != 1) {
            if (read != PCAP_ERROR_BREAK) {
                m_error = "packet " + std::to_string(m_count + 1) + ": " + pcap_geterr(m_capture.get());
            }
            return false;
        }
        // libpcap takes the 32 bits of the file's seconds, which go to 2106, as a signed number.
        const std::chrono::seconds seconds{static_cast<std::uint32_t>(header->ts.tv_sec)};
        // The field for microseconds holds nanoseconds here, as asked for.
        packet.stamp = seconds + std::chrono::nanoseconds{header->ts.tv_usec};
        packet.link = m_link;
        packet.number = ++m_count;
        packet.kept = header->caplen;
        packet.length = header->len;
        return true;
    }

 private:
    struct close_capture {
        void operator()(pcap* capture) const { pcap_close(capture); }
    };
    std::unique_ptr<pcap, close_capture> m_capture;
    link_type m_link = link_type::ethernet;
    std::uint64_t m_count = 0;
};

}  // namespace

std::unique_ptr<capture_file> open_capture(const std::string& path, std::string& error) {
    input_file input = open_input(path, input_kind::stored);
    if (!input.why_not.empty()) {
        error = "cannot be read: " + input.why_not;
        return nullptr;
    }
    std::unique_ptr<capture_file> file = input.text.peek() == first_octet_of_pcapng
                                             ? open_pcapng(std::move(input.text))
                                             : std::make_unique<pcap_file>(path);
    error = file->error();
    return error.empty() ? std::move(file) : nullptr;
}

#else

bool captures_are_supported() {
    return false;
}

std::string text_of(link_type type) {
    return std::to_string(static_cast<int>(type));
}

std::unique_ptr<capture_file> open_capture(const std::string&, std::string& error) {
    error = "cannot be read: this program was built without libpcap (libpcap-dev)";
    return nullptr;
}

#endif

}  // namespace weir::tb
