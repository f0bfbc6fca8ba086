#include "tb/accuracy/transfer_errors.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "tb/plot/run_reader.h"

namespace weir {

std::vector<transfer_time> read_completions(const std::string& file, config_errors& errors) {
    std::ifstream in(file);
    if (!in) {
        errors.push_back({file, 0, "",
                          "can not be read; allowed: the transfers of a run, which `weir sweep --keep all` and "
                          "output.flows keep"});
        return {};
    }
    std::vector<transfer_time> times;
    csv_table table(in, file, {"flow", "fct_ns"}, errors);
    while (table.next()) {
        std::uint64_t flow = 0;
        double fct_ns = 0;
        if (table.number(0, flow) && table.number(1, fct_ns)) {
            times.push_back({flow, std::llround(fct_ns * 1000)});
        }
    }
    std::sort(times.begin(), times.end(),
              [](const transfer_time& a, const transfer_time& b) { return a.flow < b.flow; });
    return times;
}

void transfer_errors::add(const std::vector<transfer_time>& model,
                          const std::vector<transfer_time>& reference) {
    auto m = model.begin();
    auto r = reference.begin();
    while (m != model.end() && r != reference.end()) {
        if (m->flow == r->flow) {
            add(m++->fct, r++->fct);
        } else {
            ++m_only_in_one;
            m->flow < r->flow ? static_cast<void>(++m) : static_cast<void>(++r);
        }
    }
    m_only_in_one += static_cast<std::uint64_t>((model.end() - m) + (reference.end() - r));
}

void transfer_errors::add(std::int64_t model, std::int64_t reference) {
    const std::int64_t off = std::abs(model - reference);
    m_sum += static_cast<double>(model - reference);
    m_absolute.add(off);
    m_relative.add(std::llround(1e6 * static_cast<double>(off) /
                                static_cast<double>(std::max<std::int64_t>(reference, 1))));
    m_model.add(model);
    m_reference.add(reference);
}

double transfer_errors::mean() const {
    return transfers() == 0 ? 0 : m_sum / static_cast<double>(transfers());
}

}  // namespace weir
