#include "tb/verify/compare/waivers.h"

#include <algorithm>
#include <set>

#include "tb/support/text/csv_file.h"
#include "tb/verify/events/event_streams.h"

namespace weir::tb {

namespace {

const std::set<std::string> notes{"kind", "detail", "note", "reason", "comment", "description"};
const std::vector<std::string> kinds{"missing", "extra", "late", "different", "*"};
const std::string any = "*";

/// A column of the file that is a column of the events.
struct waiver_column {
    std::size_t place = 0;
    std::string name;
};

}  // namespace

void waivers::read(const std::string& path, const event_table& events, config_errors& errors) {
    csv_file file(path, errors);
    std::vector<waiver_column> columns;
    std::optional<std::size_t> error_column;
    for (std::size_t place = 0; place < file.header().size(); ++place) {
        const std::string_view title = file.header()[place];
        const std::string name{trimmed(title.substr(0, title.find('(')))};
        if (events.find(name)) {
            columns.push_back({place, name});
        } else if (name == "error") {
            error_column = place;
        } else if (notes.count(name) == 0) {
            errors.push_back({path, 1, name,
                              "is not a column of the events; expected " + joined(events.columns) +
                                  ", error, or a comment: " + joined(notes)});
        }
    }
    if (columns.empty() && !file.header().empty()) {
        errors.push_back(
            {path, 1, "header",
             "has no column of the events, so each line would waive every mismatch; expected at least one of " +
                 joined(events.columns)});
    }
    while (file.next()) {
        waiver& added = m_lines.emplace_back();
        added.text = path + ":" + std::to_string(file.line()) + ": ";
        for (std::size_t place = 0; place < file.header().size(); ++place) {
            added.text += (place == 0 ? "" : ",") + file.text(place);
        }
        for (const waiver_column& c : columns) {
            if (file.text(c.place) != any) {
                added.conditions.push_back({c.name, file.text(c.place)});
            }
        }
        if (added.conditions.empty() && !columns.empty()) {
            file.refuse(columns.front().place,
                        "the line would waive every mismatch; expected a text in at least one column");
        }
        std::size_t kind = kinds.size() - 1;
        if (error_column && file.word(*error_column, kind, kinds) && kind + 1 < kinds.size()) {
            added.kind = static_cast<mismatch_kind>(kind);
        }
    }
}

bool waivers::waive(mismatch_kind kind, const event_table& table, const event_row& event) {
    bool waived = false;
    for (waiver& w : m_lines) {
        const bool fits = std::all_of(w.conditions.begin(), w.conditions.end(), [&](const condition& c) {
            const auto column = table.find(c.column);
            return column && same_value(event.fields[*column], c.text);
        });
        if (fits && (!w.kind || *w.kind == kind)) {
            w.used = true;
            waived = true;
        }
    }
    return waived;
}

std::vector<std::string> waivers::unused() const {
    std::vector<std::string> lines;
    for (const waiver& w : m_lines) {
        if (!w.used) {
            lines.push_back(w.text);
        }
    }
    return lines;
}

}  // namespace weir::tb
