// What is chosen for all switches of a fabric: the structs of their options, as a run, a fabric and each switch
// hold them. A new field is in its struct and needs no line in between; `pfc.xoff` is `flow_control.xoff`
// everywhere.
#pragma once

#include "weir/model/config/block_choice.h"
#include "weir/model/config/detour_config.h"
#include "weir/model/config/pfc_config.h"
#include "weir/model/config/qcn_config.h"
#include "weir/model/config/switch_config.h"
#include "weir/model/marking/marking_config.h"
#include "weir/model/memory/packet_sram.h"
#include "weir/model/memory/shared_buffer_config.h"

namespace weir::model {

struct switch_setup {
    switch_config device;
    block_choice blocks;
    pfc_config flow_control;
    marking_config marking;
    qcn_config qcn;
    detour_config detour;
    /// With a shared memory frames go from lookup to egress queue, and memory is accounted for as one.
    shared_buffer_config shared;
    sram_config sram;
};

}  // namespace weir::model
