// Compiled for any x86-64 (tb/CMakeLists.txt).
#include "tb/support/process/processor_check.h"

#include <unistd.h>

#include <cstring>

namespace weir::tb {

#if defined(__x86_64__)

std::array<processor_feature, 12> processor_features() {
    __builtin_cpu_init();
    return {{{"ssse3", __builtin_cpu_supports("ssse3") != 0},
             {"sse4_1", __builtin_cpu_supports("sse4.1") != 0},
             {"sse4_2", __builtin_cpu_supports("sse4.2") != 0},
             {"popcnt", __builtin_cpu_supports("popcnt") != 0},
             {"avx", __builtin_cpu_supports("avx") != 0},
             {"avx2", __builtin_cpu_supports("avx2") != 0},
             {"bmi1", __builtin_cpu_supports("bmi") != 0},
             {"bmi2", __builtin_cpu_supports("bmi2") != 0},
             {"fma", __builtin_cpu_supports("fma") != 0},
             {"avx512f", __builtin_cpu_supports("avx512f") != 0},
             {"avx512bw", __builtin_cpu_supports("avx512bw") != 0},
             {"avx512vl", __builtin_cpu_supports("avx512vl") != 0}}};
}

#else

std::array<processor_feature, 12> processor_features() {
    return {};
}

#endif

std::size_t features_of_level(const char* level) {
    constexpr struct {
        const char* name;
        std::size_t features;
    } levels[] = {{"x86-64-v2", 4}, {"x86-64-v3", 9}, {"x86-64-v4", 12}};
    for (const auto& each : levels) {
        if (std::strcmp(each.name, level) == 0) {
            return each.features;
        }
    }
    return 0;
}

void check_processor() {
    const std::array<processor_feature, 12> features = processor_features();
    for (std::size_t i = 0; i < features_of_level(WEIR_ARCH); ++i) {
        if (features[i].is_there) {
            continue;
        }
        for (const char* part :
             {"weir: this program was built for processors of " WEIR_ARCH ", and this one has no ",
              features[i].name, "; expected a build with -DWEIR_ARCH=x86-64\n"}) {
            [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, part, std::strlen(part));
        }
        ::_exit(3);
    }
}

}  // namespace weir::tb
