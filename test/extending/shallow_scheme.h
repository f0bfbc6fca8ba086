// A scheme: DCTCP that marks from a short queue on.
#pragma once

#include "tb/run/options/schemes.h"

namespace outside {

inline weir::tb::scheme_kind add_shallow_scheme() {
    using namespace weir::tb;
    return schemes().add(
        {"shallow",
         "dctcp, and frames are marked from a queue of 10 KB on",
         {changed(schemes()[weir::named<scheme_kind>("dctcp")].settings, {{"marking.threshold", "10KB"}})}});
}

}  // namespace outside
