// A plugin that was compiled for another number of ports than the program.
#include "weir/base/plugin.h"

WEIR_PLUGIN(other) {}
