// A layer's namespace has its name; base and protocol are in weir itself.
//
//     weir            base, protocol
//     weir::model     model
//     weir::traffic   traffic
//     weir::tb        the program
//
// A name is looked up in its layer first, then in those below, so that two layers can use one name. From
// outside the tree names are written in full: `weir::model::switch_node`.
#pragma once

namespace weir {

namespace model {}
namespace traffic {}

/// The program sees the layers below without a prefix, as all see base and protocol.
namespace tb {
using namespace model;
using namespace traffic;
}  // namespace tb

}  // namespace weir
