#include "tb/text/wrapped_text.h"

#include <sstream>

namespace weir::tb {

void write_wrapped(std::ostream& out, const std::string& first, const std::string& indent,
                   const std::string& text) {
    std::istringstream words(text);
    std::string line = first;
    bool empty = true;
    for (std::string word; words >> word;) {
        if (!empty && line.size() + 1 + word.size() > line_width) {
            out << line << '\n';
            line = indent;
            empty = true;
        }
        line += (empty ? "" : " ") + word;
        empty = false;
    }
    out << line << '\n';
}

}  // namespace weir::tb
