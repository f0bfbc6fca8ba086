// Calls each target with every file of its corpus, with nothing, and with each file cut in the middle.
//
//   weir_fuzz_replay CORPUS [TARGET]      without a target: lists them
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "fuzz/fuzz_target.h"

int main(int argc, char** argv) {
    using namespace weir::test;
    if (argc < 2 || argc > 3) {
        std::fprintf(stderr, "usage: weir_fuzz_replay CORPUS [TARGET]\n");
        return 2;
    }
    std::size_t files = 0;
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
                call(target, text);
                call(target, std::string_view(text).substr(0, text.size() / 2));
                ++files;
            }
        }
    }
    if (argc == 3 && files == 0) {
        std::fprintf(stderr, "%s: has no files; expected the corpus of a target\n", argv[2]);
        return 1;
    }
    return 0;
}
