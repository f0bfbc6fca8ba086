// Size distributions.
#include <sstream>

#include "fuzz/fuzz_target.h"
#include "weir/traffic/sizes/size_distribution_file.h"

namespace weir::test {

static const fuzz_target sizes_target("sizes", [](std::string_view input) {
    const auto errors_in = [&](traffic::cdf_unit unit) {
        std::istringstream in{std::string(input)};
        return traffic::read_size_distribution(in, "input", {unit, bytes{1'460}}).errors;
    };
    check_texts(errors_in(traffic::cdf_unit::fraction));
    check(errors_in(traffic::cdf_unit::percent));
});

}  // namespace weir::test
