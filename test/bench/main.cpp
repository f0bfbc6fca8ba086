#include <benchmark/benchmark.h>

// libsystemc wants the symbol; nothing is elaborated here.
extern "C" int sc_main(int, char**) {
    return 0;
}

BENCHMARK_MAIN();
