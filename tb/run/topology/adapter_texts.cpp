#include "tb/run/topology/fabric_texts.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <sstream>

#include "tb/run/arguments/argument_list.h"
#include "tb/support/text/nearest_name.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

namespace {

class adapter_reader {
 public:
    adapter_reader(const topology& plan, unsigned classes, config_errors& errors)
        : m_plan(plan), m_classes(classes), m_errors(errors) {}

    void read(const std::string& text, std::vector<broken_adapter>& adapters) {
        m_text = text;
        ++m_number;
        m_failed = false;
        std::istringstream words(text);
        std::string name;
        words >> name;
        broken_adapter found;
        find_host(name, found);
        std::vector<unsigned> classes(m_classes);
        std::iota(classes.begin(), classes.end(), 0U);
        argument_list arguments;
        arguments("classes", classes, "LIST").range(0, m_classes - 1);
        arguments("from", found.from, "TIME").range(picoseconds{0}, longest_time);
        arguments("to", found.to, "TIME").range(picoseconds{0}, longest_time);
        const std::vector<std::string> errors = arguments.read_words(words);
        std::for_each(errors.begin(), errors.end(), [this](const std::string& error) { fail(error); });
        if (classes.empty()) {
            fail("classes= is empty; expected classes in use, as in classes=0,3");
        }
        found.classes = 0;
        for (const unsigned c : classes) {
            found.classes = static_cast<class_mask>(found.classes | 1U << c);
        }
        if (!m_failed && found.to <= found.from) {
            fail("ends at " + to_text(found.to) + "; expected to= above from= (" + to_text(found.from) + ")");
        }
        if (!m_failed) {
            refuse_overlap(found);
        }
        if (!m_failed) {
            adapters.push_back(found);
            m_read.push_back({found, m_number, text});
        }
    }

 private:
    void fail(const std::string& what) {
        m_failed = true;
        m_errors.push_back(
            {{}, 0, "host.broken[" + std::to_string(m_number) + "]", "'" + m_text + "': " + what});
    }

    void find_host(const std::string& name, broken_adapter& found) {
        const std::optional<node_ref> host = m_plan.find_node(name);
        if (host && host->is_host()) {
            found.host = host->index;
            return;
        }
        std::vector<std::string> names;
        for (host_id h = 0; h < m_plan.hosts(); ++h) {
            names.push_back(m_plan.name(node_ref::of_host(h)));
        }
        const std::string best = nearest_name(name, names);
        fail("no host is called '" + name + "'; " +
             (best.empty() ? "expected a host such as " + names.front() : "did you mean '" + best + "'?"));
    }

    /// A class of a host is broken once at a time: the later of two such entries is more likely a slip of the
    /// pen than meant.
    void refuse_overlap(const broken_adapter& found) {
        for (const entry& other : m_read) {
            const unsigned both = unsigned{found.classes} & other.adapter.classes;
            if (other.adapter.host != found.host || both == 0 || found.from >= other.adapter.to ||
                other.adapter.from >= found.to) {
                continue;
            }
            const picoseconds begin = std::max(found.from, other.adapter.from);
            const picoseconds end = std::min(found.to, other.adapter.to);
            return fail("breaks class " + std::to_string(__builtin_ctz(both)) + " from " + to_text(begin) +
                        (end == never ? " on" : " to " + to_text(end)) + ", which '" + other.text +
                        "' (host.broken[" + std::to_string(other.number) +
                        "]) also breaks; expected classes or times that do not overlap");
        }
    }

    struct entry {
        broken_adapter adapter;
        int number;
        std::string text;
    };

    const topology& m_plan;
    unsigned m_classes;
    config_errors& m_errors;
    std::string m_text;
    std::vector<entry> m_read;
    int m_number = -1;
    bool m_failed = false;
};

}  // namespace

parsed_adapters parse_adapters(const topology& plan, unsigned classes, const std::vector<std::string>& texts) {
    parsed_adapters result;
    adapter_reader reader(plan, classes, result.errors);
    for (const std::string& text : texts) {
        reader.read(text, result.adapters);
    }
    return result;
}

}  // namespace weir::tb
