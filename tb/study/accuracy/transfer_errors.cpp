#include "tb/study/accuracy/transfer_errors.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "tb/support/text/csv_file.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

namespace {

auto identity(const transfer_time& t) {
    return std::tie(t.job, t.src, t.dst, t.length_bytes, t.priority);
}

std::string text_of(const transfer_time& t) {
    return "flow " + std::to_string(t.flow) + " (job " + std::to_string(t.job) + ", from " +
           std::to_string(t.src) + " to " + std::to_string(t.dst) + ", " + std::to_string(t.length_bytes) +
           "B, priority " + std::to_string(t.priority) + ")";
}

/// Calls one of the three for each transfer, until one returns false.
template <class Pair, class InA, class InB>
void for_pairs(const std::vector<transfer_time>& of_a, const std::vector<transfer_time>& of_b, Pair pair,
               InA in_a, InB in_b) {
    auto a = of_a.begin();
    auto b = of_b.begin();
    bool more = true;
    while (more && (a != of_a.end() || b != of_b.end())) {
        if (b == of_b.end() || (a != of_a.end() && identity(*a) < identity(*b))) {
            more = in_a(*a++);
        } else if (a == of_a.end() || identity(*b) < identity(*a)) {
            more = in_b(*b++);
        } else {
            more = pair(*a++, *b++);
        }
    }
}

}  // namespace

std::vector<transfer_time> read_completions(const std::string& file, config_errors& errors) {
    std::vector<transfer_time> times;
    csv_file table(file, errors, input_kind::any,
                   "the transfers of a run, which `weir sweep --keep all` and output.flows keep");
    const std::vector<std::size_t> at =
        table.columns({"flow", "job", "src", "dst", "bytes", "priority", "start_ns", "fct_ns"});
    while (table.next()) {
        transfer_time t;
        double start_ns = 0;
        double fct_ns = 0;
        if (table.number(at[0], t.flow) && table.number(at[1], t.job) && table.number(at[2], t.src) &&
            table.number(at[3], t.dst) && table.number(at[4], t.length_bytes) &&
            table.number(at[5], t.priority) && table.number(at[6], start_ns) && table.number(at[7], fct_ns)) {
            t.start = std::llround(start_ns * 1000);
            t.fct = std::llround(fct_ns * 1000);
            times.push_back(t);
        }
    }
    std::sort(times.begin(), times.end(), [](const transfer_time& a, const transfer_time& b) {
        return std::tuple_cat(identity(a), std::tie(a.start, a.flow)) <
               std::tuple_cat(identity(b), std::tie(b.start, b.flow));
    });
    return times;
}

void check_same_traffic(const std::string& run, const std::vector<transfer_time>& of_run,
                        const std::string& reference, const std::vector<transfer_time>& of_reference,
                        config_errors& errors) {
    constexpr const char* allowed =
        "; expected two runs of the same traffic, in which the sizes and destinations of transfers do not "
        "depend on when other transfers end";
    // Of the job that is being looked at: the first one that the other side does not have.
    const transfer_time* left_of_run = nullptr;
    const transfer_time* left_of_reference = nullptr;
    const transfer_time* other_start = nullptr;
    const transfer_time* other_start_there = nullptr;
    bool same_start = false;
    const auto left = [&](const transfer_time& t, const transfer_time*& here, const transfer_time*& there) {
        here = here != nullptr && here->job == t.job ? here : &t;
        there = there != nullptr && there->job == t.job ? there : nullptr;
        return there != nullptr;
    };
    bool different = false;
    for_pairs(
        of_run, of_reference,
        [&](const transfer_time& a, const transfer_time& b) {
            same_start |= a.start == b.start;
            if (a.start != b.start && (other_start == nullptr || a.start < other_start->start)) {
                other_start = &a;
                other_start_there = &b;
            }
            return !different;
        },
        [&](const transfer_time& a) {
            different = left(a, left_of_run, left_of_reference);
            return !different;
        },
        [&](const transfer_time& b) {
            different = left(b, left_of_reference, left_of_run);
            return !different;
        });
    if (different) {
        errors.push_back({run, 0, "flow",
                          text_of(*left_of_run) + " is not in " + reference + ", whose job " +
                              std::to_string(left_of_run->job) + " has " + text_of(*left_of_reference) +
                              " instead" + allowed});
    } else if (!same_start && other_start != nullptr) {
        errors.push_back({run, 0, "start_ns",
                          text_of(*other_start) + " begins at " + to_text(picoseconds{other_start->start}) +
                              ", and in " + reference + " at " +
                              to_text(picoseconds{other_start_there->start}) +
                              ", and no transfer begins at the same time in both" + allowed});
    }
}

void transfer_errors::add(const std::vector<transfer_time>& model,
                          const std::vector<transfer_time>& reference) {
    const auto in_one = [this](const transfer_time&) {
        ++m_only_in_one;
        return true;
    };
    for_pairs(
        model, reference,
        [this](const transfer_time& m, const transfer_time& r) {
            add(m.fct, r.fct);
            return true;
        },
        in_one, in_one);
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

}  // namespace weir::tb
