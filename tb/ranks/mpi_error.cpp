#include "tb/ranks/mpi_error.h"

#include <mpi.h>

#include <string>

#include "weir/model/ranks/rank_team.h"

namespace weir::tb {

void expect_success(int code) {
    if (code == MPI_SUCCESS) {
        return;
    }
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    throw model::rank_lost("messages between ranks fail: " +
                           std::string(text, static_cast<std::size_t>(length)));
}

}  // namespace weir::tb
