// Directories of runs for tests of reports.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "support/scratch_directory.h"
#include "tb/run/arguments/commands.h"
#include "tb/run/completions/completion_statistics.h"
#include "tb/run/fields/ini_file.h"
#include "tb/run/results/summary_writer.h"
#include "tb/view/pictures/run_reader.h"
#include "tb/view/report/report_document.h"

namespace weir::tb {

class report_rig : public testing::Test {
 protected:
    using json = nlohmann::ordered_json;

    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((m_where / name).parent_path());
        m_where.write(name, text);
    }
    std::string read(const std::string& name) const { return test::contents(m_where / name); }
    std::string path(const std::string& name) const { return (m_where / name).string(); }

    /// As many jobs of one size as there are times, each with one transfer of half its time. Unit: ns.
    void write_run(const std::string& name, const std::vector<int>& times, const std::string& options = "",
                   bool complete = true) const {
        std::string flows = "flow,job,src,dst,bytes,priority,tag,start_ns,fct_ns\n";
        std::string jobs = "job,kind,src,bytes,transfers,priority,tag,start_ns,jct_ns\n";
        for (std::size_t i = 0; i < times.size(); ++i) {
            const std::string number = std::to_string(i);
            flows += number + "," + number + ",0,1,8192,7,q,0," + std::to_string(times[i] / 2) + "\n";
            jobs += number + ",query,0,8192,1,7,q,0," + std::to_string(times[i]) + "\n";
        }
        write(name + "/flows.csv", flows);
        write(name + "/jobs.csv", jobs);
        write(name + "/summary.json", to_text(to_json(summary_of(times, complete))));
        write(name + "/effective.ini",
              std::string(effective_head) + "\n" + options + std::string(effective_end) + "\n");
        write(name + "/run.json",
              "{\"command_line\": \"/opt/bin/weir run a.ini --out " + name +
                  " --run.threads=2 --link.rate=10Gbps\", \"date\": \"2024-01-01\", \"commit\": \"0123\", "
                  "\"warnings\": [\"a.ini:3: link.rate: w\"]}\n");
    }
    static run_summary summary_of(const std::vector<int>& times, bool complete) {
        run_summary made;
        made.version = "0.0.7";
        made.complete = complete;
        made.simulated = 20ns;
        made.tags = {"", "q"};
        completion_statistics statistics;
        for (const int time : times) {
            statistics.add_flow({1, 8_KiB, 7}, {picoseconds{time * 500}});
            statistics.add_job({1, 8_KiB, 7}, {picoseconds{time * 1000}});
        }
        made.fct = statistics.fct();
        made.jct = statistics.jct();
        made.groups = statistics.groups();
        return made;
    }

    std::vector<run_data> runs(const std::vector<std::string>& names) const {
        std::vector<run_data> all;
        for (const std::string& name : names) {
            all.push_back(read_run(path(name), {}));
            EXPECT_TRUE(all.back().errors.empty()) << all.back().errors.front().message;
            all.back().label = name;
        }
        return all;
    }
    json document(const std::vector<std::string>& names) const {
        const report_document made = collect_report("title", runs(names));
        EXPECT_TRUE(made.errors.empty()) << made.errors.front().message;
        return made.content;
    }
    static json chart(const json& document, const std::string& id) {
        for (const json& each : document["charts"]) {
            if (each["id"] == id) {
                return each;
            }
        }
        ADD_FAILURE() << "no chart " << id;
        return {};
    }
    static json table(const json& document, const std::string& id) {
        for (const json& each : document["tables"]) {
            if (each["id"] == id) {
                return each;
            }
        }
        ADD_FAILURE() << "no table " << id;
        return {};
    }

    /// Its names are within the test's directory; in what is printed that is called `@`.
    int report(std::vector<std::string> args) {
        m_out.str("");
        m_err.str("");
        for (std::string& arg : args) {
            if (arg.rfind('@', 0) == 0) {
                arg = m_where.path().string() + arg.substr(1);
            }
        }
        return report_command(args, m_out, m_err);
    }
    std::string errors() const {
        std::string text = m_err.str();
        const std::string where = m_where.path().string();
        for (std::size_t at = text.find(where); at != std::string::npos; at = text.find(where)) {
            text.replace(at, where.size(), "@");
        }
        return text;
    }

    test::scratch_directory m_where;
    std::ostringstream m_out;
    std::ostringstream m_err;
};

}  // namespace weir::tb
