// A result table: losses.csv, the frames that each switch lost, by reason.
#pragma once

#include "tb/run/results/run_tables.h"
#include "tb/support/record/record_table.h"

namespace outside {

struct loss_row {
    std::string_view node;
    weir::model::drop_reason reason{};
    std::uint64_t frames = 0;

    static constexpr weir::tb::table_facts table{"losses.csv", "Frames that each switch lost, by reason."};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(weir::tb::column("node", &self::node, "Name of the switch."));
        columns(weir::tb::column("reason", &self::reason, "Reason of the loss."));
        columns(weir::tb::column("frames", &self::frames, "Number of frames lost.").unit("frames"));
    }
};

inline void write_losses(weir::tb::run_results& results) {
    weir::tb::record_table<loss_row> table(results.create<loss_row>());
    for (weir::model::switch_id s = 0; s < results.made.switches(); ++s) {
        const weir::model::drop_counts& drops = results.made.device(s).stats().drops;
        for (unsigned reason = 0; reason < weir::model::drop_reasons; ++reason) {
            if (drops[reason] > 0) {
                table.write({results.made.plan().name(weir::model::node_ref::of_switch(s)),
                             static_cast<weir::model::drop_reason>(reason), drops[reason]});
            }
        }
    }
    table.finish();
}

inline weir::tb::run_file add_loss_table() {
    return weir::tb::run_files().add(
        weir::tb::table_of<loss_row>("frames that switches lost, by reason", write_losses, nullptr, true));
}

}  // namespace outside
