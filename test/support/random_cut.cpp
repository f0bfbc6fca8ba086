// Cuts of a fabric that nobody would choose: loaded before the program (LD_PRELOAD), in the place of METIS's.
//
//   WEIR_CUT_SEED=3     another cut for each number
#include <metis.h>

#include <cstdlib>
#include <random>

extern "C" int METIS_PartGraphRecursive(idx_t* vertices, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*, idx_t*,
                                        idx_t* parts, real_t*, real_t*, idx_t*, idx_t* edges_cut, idx_t* part) {
    const char* const seed = std::getenv("WEIR_CUT_SEED");
    std::minstd_rand chance(seed != nullptr ? static_cast<unsigned>(std::atoi(seed)) : 1);
    for (idx_t v = 0; v < *vertices; ++v) {
        part[v] = static_cast<idx_t>((chance() >> 8) % static_cast<unsigned>(*parts));
    }
    *edges_cut = 0;
    return METIS_OK;
}
