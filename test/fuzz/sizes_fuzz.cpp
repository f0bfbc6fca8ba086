// Size distributions.
#include <sstream>

#include "fuzz/fuzz_target.h"
#include "weir/traffic/sizes/size_distribution_file.h"

namespace weir::test {

static const fuzz_target sizes_target("sizes", [](std::string_view input) {
    for (const traffic::cdf_unit unit : {traffic::cdf_unit::percent, traffic::cdf_unit::fraction}) {
        std::istringstream in{std::string(input)};
        check(traffic::read_size_distribution(in, "input", {unit, bytes{1'460}}).errors);
    }
});

}  // namespace weir::test
