// Pictures of a set of runs as they are made: names, titles, and notes on those that are left out.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "tb/view/pictures/run_pictures.h"

namespace weir::tb {

class picture_list {
 public:
    picture_list(const run_picture_request& request, const std::vector<run_data>& runs, std::ostream& err)
        : m_request(request), m_runs(runs), m_err(err) {}

    const run_picture_request& request() const { return m_request; }
    const std::vector<run_data>& runs() const { return m_runs; }
    std::ostream& err() { return m_err; }

    /// With a title of the user's, what is shown goes to the second line.
    picture_head head(const std::string& name, const std::string& shown, const std::string& more) const {
        const std::string& title = m_request.title;
        return {m_request.prefix + name, title.empty() ? shown : title,
                title.empty() ? more : shown + ": " + more};
    }
    void add(picture p) { m_pictures.push_back(std::move(p)); }
    /// Says why a picture is not drawn; empty: there is no note.
    void note(const std::string& name, const std::string& why_not) {
        if (!why_not.empty()) {
            m_err << "note: " << name << ": not drawn: " << why_not << "\n";
        }
    }
    void keep(const std::string& name, std::optional<picture> p, const std::string& why_not) {
        p ? add(std::move(*p)) : note(name, why_not);
    }
    std::vector<picture> take() { return std::move(m_pictures); }

 private:
    const run_picture_request& m_request;
    const std::vector<run_data>& m_runs;
    std::ostream& m_err;
    std::vector<picture> m_pictures;
};

}  // namespace weir::tb
