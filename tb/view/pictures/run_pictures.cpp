#include "tb/view/pictures/run_pictures.h"

#include <algorithm>

#include "tb/support/text/joined.h"
#include "tb/view/pictures/completion_pictures.h"
#include "tb/view/pictures/picture_list.h"
#include "tb/view/pictures/run_charts.h"

namespace weir::tb {

std::vector<std::string> run_picture_names() {
    std::vector<std::string> all = completion_picture_names();
    for (const auto& each : charts().entries()) {
        all.push_back(each.name);
    }
    return all;
}

std::string sizes_text(const std::set<std::uint64_t>& sizes) {
    return joined(sizes, ", ", byte_text);
}

std::vector<picture> run_pictures(const run_picture_request& request, const std::vector<run_data>& runs,
                                  std::ostream& err) {
    picture_list list(request, runs, err);
    add_completion_pictures(list);
    for (const auto& [name, title, traits] : charts().entries()) {
        const auto asked = traits.is_asked ? std::count_if(runs.begin(), runs.end(), traits.is_asked) : 1;
        const picture_head head = list.head(name, title, traits.details);
        if (asked > 0 && traits.draw != nullptr) {
            list.keep(name, traits.draw(head, runs), traits.why_not);
        } else if (asked > 0 && traits.make) {
            charted_runs of{runs, false, head.details};
            const chart_rows rows = traits.make(of);
            list.keep(name, picture_of({head.name, head.title, of.details}, rows), traits.why_not);
        }
        if (traits.shows_first_run && asked > 1) {
            err << "note: " << name << ": drawn for the first run that has one; others: one weir plot each\n";
        }
    }
    return list.take();
}

}  // namespace weir::tb
