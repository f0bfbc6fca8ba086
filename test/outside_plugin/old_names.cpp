// Headers by the names that they had before the folders of tb became wings: they still compile.
#include "tb/options/options_from_outside.h"
#include "tb/plot/run_charts.h"
#include "tb/record/record_table.h"
#include "tb/results/run_metrics.h"
#include "tb/results/run_tables.h"
