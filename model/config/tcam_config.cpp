#include "weir/model/config/tcam_config.h"

namespace weir::model {

namespace {

constexpr std::uint32_t most_memo_entries = 1U << 16;

}  // namespace

config_errors tcam_config::validate(const std::string& section) const {
    range_check check(section);
    check.within("entries", entries, entries_range);
    check.within("key_bits", key_bits, key_bits_range);
    check.require((memo_entries & (memo_entries - 1)) == 0 && memo_entries <= most_memo_entries, "memo_entries",
                  memo_entries, "0, or a power of two up to 65536");
    return check.take();
}

}  // namespace weir::model
