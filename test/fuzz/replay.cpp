// Calls each target with every file of its corpus, with nothing, and with each file cut in the middle. Fails if
// a file is refused, unless its name begins with `wrong`: a seed that no parser gets through leads nowhere.
//
//   weir_fuzz_replay CORPUS [TARGET]      without a target: lists them
#include <sys/resource.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "fuzz/fuzz_target.h"

/// For what is asked for by a file of a few KB. Without sanitizers, which reserve terabytes.
static void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    rlimit limit{};
    ::getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = rlim_t{1} << 30;
    ::setrlimit(RLIMIT_AS, &limit);
#endif
}

int main(int argc, char** argv) {
    using namespace weir::test;
    if (argc < 2 || argc > 3) {
        std::fprintf(stderr, "usage: weir_fuzz_replay CORPUS [TARGET]\n");
        return 2;
    }
    limit_memory();
    std::size_t files = 0;
    std::size_t refused = 0;
    for (const fuzz_target& target : fuzz_targets()) {
        if (argc == 2) {
            std::printf("%s\n", target.name.c_str());
        } else if (target.name == argv[2]) {
            call(target, {});
            for (const auto& entry : std::filesystem::directory_iterator(argv[1] + ("/" + target.name))) {
                std::ifstream in(entry.path(), std::ios::binary);
                const std::string text{std::istreambuf_iterator<char>(in), {}};
                std::printf("%s\n", entry.path().c_str());
                std::fflush(stdout);
                const bool may_be_refused = entry.path().filename().string().rfind("wrong", 0) == 0;
                if (const std::string why = call(target, text); !why.empty() && !may_be_refused) {
                    std::fprintf(stderr, "%s: is refused (%s); expected a name that begins with 'wrong'\n",
                                 entry.path().c_str(), why.c_str());
                    ++refused;
                }
                call(target, std::string_view(text).substr(0, text.size() / 2));
                ++files;
            }
        }
    }
    if (argc == 3 && files == 0) {
        std::fprintf(stderr, "%s: has no files; expected the corpus of a target\n", argv[2]);
        return 1;
    }
    return refused > 0 ? 1 : 0;
}
