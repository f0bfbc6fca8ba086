// The blocks of a run's table of options: each file tables_*.cpp adds one, with the names of its enumerations'
// values and the conditions that are no comparison of values.
#pragma once

#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir::tb {

void add_run_options(option_table& table, run_config& config);
void add_fabric_options(option_table& table, run_config& config);
void add_link_options(option_table& table, run_config& config);
void add_switch_options(option_table& table, run_config& config);
void add_shared_options(option_table& table, run_config& config);
void add_sram_options(option_table& table, run_config& config);
void add_marking_options(option_table& table, run_config& config);
void add_pfc_options(option_table& table, run_config& config);
void add_rtl_options(option_table& table, run_config& config);
void add_host_options(option_table& table, run_config& config);
void add_tcp_options(option_table& table, run_config& config);
void add_udp_options(option_table& table, run_config& config);
void add_traffic_options(option_table& table, run_config& config);
void add_output_options(option_table& table, run_config& config);
void add_trace_options(option_table& table, run_config& config);

}  // namespace weir::tb
