// The program `weir`, as a function. A project that links weir::tb instead of loading a plugin calls it from
// its own main; what its WEIR_PLUGIN (weir/base/plugin.h) registers is then in every command, without --plugin.
//
//   run_program(argc, argv);   // all of its main
#pragma once

namespace weir::tb {

/// Does what the arguments say, and ends the process: 0 success; 1 a verdict of the model or of a comparison; 2
/// bad input; 3 the environment failed. Has `sc_main`, so the caller has none.
[[noreturn]] void run_program(int argc, char** argv);

}  // namespace weir::tb
