// What MPI's messages between ranks are told apart by.
#pragma once

namespace weir::tb {

enum mpi_tag : int {
    simulation_tag = 1,  ///< of a simulation that ranks share (mpi_team.h)
    order_tag = 2        ///< of runs that ranks make for a command (mpi_messages.h)
};

}  // namespace weir::tb
