#include "tb/text/window_text.h"

#include "tb/text/text_format.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

std::string window_text(const std::string& block, picoseconds start, picoseconds end) {
    return block + ".window_start = " + to_text(start) +
           (end == never ? std::string{} : ", " + block + ".window_end = " + to_text(end));
}

std::string window_text(const std::string& block, picoseconds start, picoseconds end, picoseconds ended) {
    const std::string end_text = ended == never ? "" : "the run ended at " + duration_text(ended);
    if (start == picoseconds{0} && end == never) {
        return "the whole run" + (ended == never ? "" : " (" + end_text + ")");
    }
    return "the window (" + window_text(block, start, end) + (ended == never ? "" : "; " + end_text) + ")";
}

}  // namespace weir::tb
