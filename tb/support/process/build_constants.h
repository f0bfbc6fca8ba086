// Texts that CMake writes into the program.
#pragma once

namespace weir::tb {

/// The commit, abbreviated (cmake/WeirCommit.cmake).
extern const char* const commit_text;
/// Compiler, build type, flags and options.
extern const char* const build_text;
/// Empty without Verilator.
extern const char* const verilator_version;
/// `-march=x86-64-v3`, or empty.
extern const char* const instruction_set_flag;
/// The papers' folders: of the source tree, and of an installation, relative to the program.
extern const char* const experiments_folder;
extern const char* const installed_experiments_folder;

}  // namespace weir::tb
