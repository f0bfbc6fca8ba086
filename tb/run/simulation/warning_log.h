// Warnings of a run, for people and for run.json.
//
//   warning_log warnings(std::cerr, units);
//   warnings.add("marking.threshold = 300KB is above switch.egress_buffer (128KiB)");
//   warnings.all();
#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "tb/run/help/given_units.h"

namespace weir::tb {

/// Prints warnings, with sizes in the units in which they were given, and keeps them for run.json.
class warning_log {
 public:
    warning_log(std::ostream& err, given_units units) : m_err(err), m_units(std::move(units)) {}
    void add(const std::string& warning) {
        m_all.push_back(m_units.in(warning));
        m_err << "warning: " << m_all.back() << '\n';
    }
    void add(const std::vector<std::string>& warnings) {
        for (const std::string& warning : warnings) {
            add(warning);
        }
    }
    const std::vector<std::string>& all() const { return m_all; }
    const given_units& units() const { return m_units; }

 private:
    std::ostream& m_err;
    given_units m_units;
    std::vector<std::string> m_all;
};

}  // namespace weir::tb
