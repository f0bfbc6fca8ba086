#include "weir/model/memory/memory_organisation.h"

namespace weir::model {

registry<buffer_kind, memory_organisation>& memory_organisations() {
    static registry<buffer_kind, memory_organisation> list{
        {"partitioned",
         "each ingress port and each egress port has its own memory; a crossbar connects them",
         {true, true, false}},
        {"shared", "all ports share one memory ([shared]); there is no crossbar", {false, false, true}},
        {"output_queued",
         "each egress port has its own memory, into which all inputs may write at once; there is no crossbar",
         {false, true, false}},
        {"input_buffered",
         "each ingress port has its own memory, which holds its frames until they have left; egress queues "
         "have none, and all inputs may write into them at once",
         {true, false, false}}};
    return list;
}

}  // namespace weir::model
