// Runs `weir compare` on files in a directory of their own.
#pragma once

#include <string>
#include <vector>

#include "support/errors_said.h"
#include "support/replay_rig.h"
#include "tb/run/arguments/commands.h"

namespace weir::test {

using namespace tb;

class compare_rig : public replay_rig {
 protected:
    /// Exit status; what it printed is in `report()` and `complaint()`.
    int compare(const std::string& expected, const std::string& actual, std::vector<std::string> options = {}) {
        options.insert(options.begin(), {expected, actual});
        std::ostringstream out;
        std::ostringstream err;
        const int status = compare_command(options, out, err);
        m_report = out.str();
        m_complaint = err.str();
        EXPECT_EQ(status == 2, m_report.empty()) << m_report << m_complaint;
        EXPECT_EQ(status == 2, !m_complaint.empty()) << m_complaint;
        return status;
    }
    /// The same with the texts of the files.
    int compare_texts(const std::string& expected, const std::string& actual,
                      const std::vector<std::string>& options = {}) {
        return compare(write("e.csv", expected), write("a.csv", actual), options);
    }
    void expect_in_report(const std::vector<std::string>& parts) {
        for (const std::string& part : parts) {
            EXPECT_NE(m_report.find(part), std::string::npos) << "no '" << part << "' in:\n" << m_report;
        }
    }
    void expect_refusal(int status, const std::vector<std::string>& parts) {
        EXPECT_EQ(status, 2);
        for (const std::string& part : parts) {
            EXPECT_TRUE(has_error(m_complaint, part));
        }
    }
    const std::string& report() const { return m_report; }

 private:
    std::string m_report;
    std::string m_complaint;
};

/// A CSV file's text with one column changed by a function of its field.
template <class Change>
std::string with_column(const std::string& text, const std::string& column, Change change) {
    std::string made;
    std::size_t place = 0;
    bool header = true;
    for (const std::string& line : lines_of(text)) {
        std::vector<std::string> fields;
        std::istringstream in(line);
        for (std::string field; std::getline(in, field, ',');) {
            fields.push_back(field);
        }
        if (header) {
            while (fields.at(place) != column) {
                ++place;
            }
        } else {
            fields.at(place) = change(fields.at(place));
        }
        header = false;
        for (std::size_t f = 0; f < fields.size(); ++f) {
            made += (f == 0 ? "" : ",") + fields[f];
        }
        made += line.back() == ',' ? ",\n" : "\n";
    }
    return made;
}

}  // namespace weir::test
