#include "tb/text/window_text.h"

#include "weir/base/unit_text.h"

namespace weir::tb {

std::string window_text(const std::string& block, picoseconds start, picoseconds end) {
    return block + ".window_start = " + to_text(start) +
           (end == never ? std::string{} : ", " + block + ".window_end = " + to_text(end));
}

}  // namespace weir::tb
