#include "support/errors_said.h"

namespace weir {
namespace {

TEST(errors_said, an_error_is_its_place_key_facts_and_fault) {
    config_error error =
        option_error("pfc.xon", "'9KiB' is above {pfc.xoff} ({}); expected at most that", {"8KiB"});
    error.file = "x.ini";
    error.line = 3;
    EXPECT_TRUE(errors_are(error, {"x.ini:3: pfc.xon: 9KiB, relation pfc.xoff, 8KiB"}));
    for (const char* other :
         {"x.ini:2: pfc.xon: 9KiB, relation pfc.xoff, 8KiB", "pfc.xon: relation pfc.xoff",
          "x.ini:3: pfc.xoff: relation pfc.xoff", "x.ini:3: pfc.xon: KiB, relation pfc.xoff",
          "x.ini:3: pfc.xon: 18KiB, relation pfc.xoff", "x.ini:3: pfc.xon: 9KiB, 8KiB",
          "x.ini:3: pfc.xon: 9KiB, relation pfc.reserve", "x.ini:3: pfc.xon: missing pfc.xoff"}) {
        EXPECT_FALSE(errors_are(error, {other})) << other;
    }
    error.message = "'9KiB' is above pfc.xoff (8KiB)";
    EXPECT_FALSE(errors_are(error, {"x.ini:3: pfc.xon: 9KiB, relation pfc.xoff, 8KiB"}))
        << "nothing is expected";
}

TEST(errors_said, all_errors_are_told_in_their_order) {
    const std::string lines = "weir: a: 'x' is wrong; expected y\nweir: b: 'z' is wrong; did you mean c?\n";
    EXPECT_TRUE(errors_are(lines, {"weir: a: x, y", "weir: b: z, c"}));
    EXPECT_FALSE(errors_are(lines, {"weir: b: z, c", "weir: a: x, y"}));
    EXPECT_FALSE(errors_are(lines, {"weir: a: x, y"}));
    EXPECT_FALSE(errors_are("", {"weir: a: x, y"}));
    EXPECT_TRUE(has_error(lines, "b: z"));
    EXPECT_FALSE(has_error(lines, "a: z"));
    EXPECT_EQ(count_errors(lines, "wrong"), 2);
}

}  // namespace
}  // namespace weir
