// Failures of MPI as exceptions.
#pragma once

namespace weir::tb {

/// Throws rank_lost with MPI's text unless `code` is MPI_SUCCESS. MPI_COMM_WORLD has MPI_ERRORS_RETURN: MPI's
/// own handler would end the process, with a status of MPI's.
void expect_success(int code);

}  // namespace weir::tb
