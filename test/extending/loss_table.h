// A result table: losses.csv, which switches lost how many frames, and why.
#pragma once

#include "tb/results/run_tables.h"
#include "tb/text/text_format.h"

namespace outside {

inline void write_losses(weir::tb::run_results& results) {
    results.table("losses.csv", [&](weir::tb::output_file& file) {
        weir::tb::csv_line line;
        file.write("node,reason,frames\n");
        for (weir::model::switch_id s = 0; s < results.made.switches(); ++s) {
            const weir::model::drop_counts& drops = results.made.device(s).stats().drops;
            for (unsigned reason = 0; reason < weir::model::drop_reasons; ++reason) {
                if (drops[reason] > 0) {
                    line.add_name(results.made.plan().name(weir::model::node_ref::of_switch(s)));
                    line.add_name(weir::name_of(static_cast<weir::model::drop_reason>(reason)))
                        .add(drops[reason]);
                    file.write(line.end());
                }
            }
        }
    });
}

inline weir::tb::run_file add_loss_table() {
    return weir::tb::run_files().add(
        {"losses.csv", "frames that switches lost, by reason", {"always", nullptr, write_losses, true}});
}

}  // namespace outside
