# One simulation as several processes (`mpirun -n 4 weir run`), over OpenMPI; METIS cuts the fabric. Without them `weir run` is one
# process.
#
# weir_use_mpi(SOURCE...): these sources may include mpi.h, and have WEIR_WITH_MPI defined. All others are compiled as without.
weir_optional(WEIR_WITH_MPI "Runs as ranks over MPI (needs OpenMPI and METIS)")
set(missing "")
if(weir_look)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS CXX)
  find_path(WEIR_METIS_DIR metis.h DOC "Folder of metis.h")
  find_library(WEIR_METIS metis DOC "METIS")
  if(NOT MPI_CXX_FOUND)
    set(missing "MPI (package libopenmpi-dev)")
  elseif(NOT WEIR_METIS_DIR OR NOT WEIR_METIS)
    set(missing "METIS (package libmetis-dev)")
  endif()
endif()
weir_decide(WEIR_WITH_MPI weir_has_mpi "${missing}" "ranks over MPI")

if(weir_has_mpi)
  function(weir_use_mpi)
    list(TRANSFORM MPI_CXX_INCLUDE_DIRS PREPEND "-isystem" OUTPUT_VARIABLE folders)
    set_source_files_properties(${ARGN} PROPERTIES
      COMPILE_DEFINITIONS "WEIR_WITH_MPI;${MPI_CXX_COMPILE_DEFINITIONS}" COMPILE_OPTIONS "${folders}")
  endfunction()
endif()
