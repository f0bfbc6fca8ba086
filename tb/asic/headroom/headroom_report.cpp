#include "tb/asic/headroom/headroom_report.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "tb/asic/headroom/headroom_options.h"
#include "tb/support/record/table_writers.h"
#include "tb/support/text/joined.h"
#include "tb/support/text/text_format.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace {

/// With `digits` decimals, rounded to the nearest.
std::string decimal_text(const exact_bytes& value, int digits) {
    const exact_integer scale = boost::multiprecision::pow(exact_integer{10}, static_cast<unsigned>(digits));
    const exact_integer part = denominator(value);
    const exact_integer rounded = (numerator(value) * scale * 2 + part) / (part * 2);
    const exact_integer left = rounded % scale;
    std::string text = exact_integer{rounded / scale}.str();
    if (digits > 0) {
        const std::string fraction = left.str();
        text += "." + std::string(static_cast<std::size_t>(digits) - fraction.size(), '0') + fraction;
    }
    return text;
}

/// A term on the wire in bytes, ns and bit times, and in memory in bytes.
std::array<exact_bytes, 4> figures_of(const exact_bytes& wire, const exact_bytes& memory, bit_rate rate) {
    return {wire, wire * 8'000'000'000 / rate.count(), wire * 8, memory};
}

const budget_term& largest_term(const headroom_budget& budget) {
    return *std::max_element(budget.terms.begin(), budget.terms.end(),
                             [](const budget_term& a, const budget_term& b) { return a.memory < b.memory; });
}

double number(const exact_bytes& value) {
    return static_cast<double>(value);
}

std::string metres_text(millimetres cable) {
    return decimal_text(exact_bytes{cable.count()} / 1000, cable.count() % 1000 == 0 ? 0 : 3);
}

std::string count(bytes size) {
    return count_text(static_cast<std::uint64_t>(size.count()));
}

/// Share of the largest term in the sum.
std::string largest_share(const headroom_budget& budget) {
    return decimal_text(largest_term(budget).memory * 100 / budget.sum, 0) + "%";
}

/// What was attacked: which memory, how full, how many ports and classes.
std::string attacked_text(const headroom_budget& budget, const headroom_verdict& verdict) {
    const std::string groups = how_many(verdict.attack.ports, "port") + " with " +
                               how_many(budget.used.lossless_classes, "lossless class", "lossless classes") +
                               (verdict.attack.groups(budget) > 1 ? ", each group with its own phase" : "");
    if (verdict.attack.memory == attacked_memory::port) {
        return "a port's own memory; " + groups;
    }
    return std::string("a shared memory, ") +
           (verdict.attack.memory == attacked_memory::shared ? "each group with headroom of its own"
                                                             : "one headroom pool for all groups") +
           ", the shared pool " + (budget.used.full_pool ? "full" : "not full") +
           " when a group reaches its threshold; " + groups;
}

}  // namespace

void print_budget(std::ostream& out, const headroom_budget& budget) {
    const headroom_budget_config& c = budget.used;
    out << "PFC headroom at " << to_text(c.rate) << " over " << to_text(c.cable) << ", profile "
        << name_of(c.profile) << '\n';
    out << "Frames up to " << c.port_mtu->count() << " B, in lossless classes up to " << c.lossless_mtu->count()
        << " B; " << to_text(*c.wire_overhead) << " of preamble and gap per frame; "
        << (*c.cell == 0_B ? std::string("memory counted in bytes") : "memory cells of " + to_text(*c.cell))
        << "\n\n";
    data_table table({{"term"}, {"bytes"}, {"ns"}, {"bit times"}, {"memory B"}, {"source", to_the_left()}});
    const auto add = [&](const std::string& name, const exact_bytes& wire, const exact_bytes& memory,
                         const std::string& source) {
        const auto [on_wire, ns, bits, in_memory] = figures_of(wire, memory, c.rate);
        table.add_row({name, decimal_text(on_wire, 1), decimal_text(ns, 1), decimal_text(bits, 0),
                       decimal_text(in_memory, 1), source});
    };
    exact_bytes sum;
    for (const budget_term& term : budget.terms) {
        add(term.name, term.wire, term.memory, term.source);
        sum += term.wire;
    }
    add("sum", sum, budget.sum, "");
    print_table(out, table);
    out << "\nMemory per byte on the wire: " << decimal_text(budget.memory_per_wire_byte, 3) << " ("
        << budget.memory_source << ")\n";
    out << "Rounded up to " << (budget.rounded_to == 1_B ? "whole bytes" : to_text(budget.rounded_to)) << "\n";
    out << "Headroom (SONiC: xoff): " << count(budget.headroom) << " B per port and class";
    if (c.lossless_classes > 1) {
        out << ", " << count(budget.headroom * c.lossless_classes) << " B per port with " << c.lossless_classes
            << " lossless classes";
    }
    if (!c.full_pool) {
        out << "\nA shared memory whose pool can be full when a frame reaches the threshold needs "
            << count(budget.crossing) << " B more (--full_pool=on)";
    }
    out << "\nxon " << budget.xon.count() << " B, size " << budget.size.count() << " B\n";
}

void print_verdict(std::ostream& out, const headroom_budget& budget, const headroom_verdict& verdict) {
    const auto percent = [&](bytes part) {
        return decimal_text(exact_bytes{part.count() * 100} / budget.headroom.count(), 1) + "%";
    };
    const bool several = verdict.attack.groups(budget) > 1;
    out << "\nSimulated: the most memory that frames took after XOFF; the senders choose phases and frame "
           "lengths\n"
        << "Attacked: " << attacked_text(budget, verdict) << "\n\n";
    data_table table =
        data_table::of({"attack", several ? "memory B of the largest group" : "memory B", "", "attacks"});
    table.add_row({"computed from the timing", count(verdict.computed), "", "1"});
    table.add_row(
        {"searched", verdict.cases == 0 ? "-" : count(verdict.searched), "", std::to_string(verdict.cases)});
    table.add_row({"bound: every term, all frames of the worst length", count(verdict.bound)});
    print_table(out, table);
    if (!verdict.contradiction.empty()) {
        out << "\nTHE SIMULATION CONTRADICTS THE COMPUTATION: " << verdict.contradiction
            << "\nThe headroom needed is unknown; the headroom of " << count(verdict.headroom(budget)) << " B "
            << (verdict.headroom_loses ? "LOSES A FRAME" : "lost no frame")
            << " under the worst attack found.\n";
        return;
    }
    const bytes margin = verdict.margin(budget);
    out << "\nNeeded: " << count(verdict.needed) << " B" << (several ? " per group, " : "")
        << (several ? count(verdict.needed_at_once) + " B for all groups together" : "") << ". With one "
        << (verdict.less > 1_B ? "cell" : "byte") << " less, a frame is lost.\n";
    if (budget.used.full_pool && verdict.attack.memory == attacked_memory::port) {
        out << "Not included: " << count(budget.crossing)
            << " B for the frame that reaches the threshold, because the attacked memory has no shared pool "
               "(--attacked_memory=shared has one).\n";
    }
    if (verdict.headroom_loses) {
        out << "The headroom of " << count(verdict.headroom(budget))
            << " B LOSES A FRAME: " << count(0_B - margin) << " B are missing.\n";
    } else {
        out << "Margin of the headroom to the first drop: " << count(margin) << " B; " << percent(margin)
            << " of the headroom is waste.\n";
    }
    std::vector<std::string> spare;
    for (const budget_term& term : budget.terms) {
        if (term.memory <= std::max(margin, 0_B).count()) {
            spare.push_back(term.name);
        }
    }
    out << "Largest term: " << largest_term(budget).name << ", " << largest_share(budget) << " of the sum. "
        << (spare.empty() ? "Every term is needed: without any one of them a frame can be lost.\n"
                          : "Terms that are each smaller than the margin: " + joined(spare, ", ") + ".\n");
}

void print_budget_table(std::ostream& out, const std::vector<headroom_budget>& budgets) {
    data_table table =
        data_table::of({"speed", "cable", "size B", "xon B", "headroom B", "largest term", "its share"});
    for (const headroom_budget& b : budgets) {
        table.add_row({to_text(b.used.rate), to_text(b.used.cable), std::to_string(b.size.count()),
                       std::to_string(b.xon.count()), std::to_string(b.headroom.count()), largest_term(b).name,
                       largest_share(b)});
    }
    print_table(out, table);
}

void write_budget_csv(std::ostream& out, const std::vector<headroom_budget>& budgets) {
    data_table table = data_table::of(
        {"profile", "rate_bps", "cable_m", "term", "wire_bytes", "ns", "bit_times", "memory_bytes", "source"});
    for (const headroom_budget& b : budgets) {
        const auto add = [&](const std::string& name, const std::vector<std::string>& figures,
                             const std::string& source) {
            table.add_row({name_of(b.used.profile), b.used.rate.count(), metres_text(b.used.cable), name,
                           figures[0], figures[1], figures[2], figures[3], source});
        };
        for (const budget_term& term : b.terms) {
            const auto [wire, ns, bits, memory] = figures_of(term.wire, term.memory, b.used.rate);
            add(term.name,
                {decimal_text(wire, 3), decimal_text(ns, 3), decimal_text(bits, 3), decimal_text(memory, 3)},
                term.source);
        }
        add("headroom", {"", "", "", std::to_string(b.headroom.count())},
            "rounded up to " + to_text(b.rounded_to));
        add("xon", {"", "", "", std::to_string(b.xon.count())}, "");
        add("size", {"", "", "", std::to_string(b.size.count())}, "");
    }
    write_csv(out, table);
}

void write_budget_json(std::ostream& out, const std::vector<headroom_budget>& budgets,
                       const headroom_verdict* verdict) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const headroom_budget& b : budgets) {
        nlohmann::ordered_json one;
        one["profile"] = name_of(b.used.profile);
        one["rate_bps"] = b.used.rate.count();
        one["cable_m"] = static_cast<double>(b.used.cable.count()) / 1000;
        for (const budget_term& term : b.terms) {
            const auto [wire, ns, bits, memory] = figures_of(term.wire, term.memory, b.used.rate);
            one["terms"].push_back({{"name", term.name},
                                    {"wire_bytes", number(wire)},
                                    {"ns", number(ns)},
                                    {"bit_times", number(bits)},
                                    {"memory_bytes", number(memory)},
                                    {"source", term.source}});
        }
        one["memory_per_wire_byte"] = number(b.memory_per_wire_byte);
        one["sum_bytes"] = number(b.sum);
        one["rounded_to_bytes"] = b.rounded_to.count();
        one["headroom_bytes"] = b.headroom.count();
        one["xon_bytes"] = b.xon.count();
        one["size_bytes"] = b.size.count();
        one["lossless_classes"] = b.used.lossless_classes;
        one["port_headroom_bytes"] = b.headroom.count() * b.used.lossless_classes;
        if (verdict != nullptr && all.empty()) {
            one["simulated"] = {
                {"attacked_memory", name_of(verdict->attack.memory)},
                {"attacked_ports", verdict->attack.ports},
                {"attacked_classes", b.used.lossless_classes},
                {"full_pool", b.used.full_pool && verdict->attack.memory != attacked_memory::port},
                {"computed_bytes", verdict->computed.count()},
                {"searched_bytes", verdict->searched.count()},
                {"searched_attacks", verdict->cases},
                {"bound_bytes", verdict->bound.count()},
                {"needed_bytes", verdict->needed.count()},
                {"needed_at_once_bytes", verdict->needed_at_once.count()},
                {"first_drop_with_less_bytes", verdict->less.count()},
                {"crossing_bytes", b.used.full_pool ? b.crossing.count() : 0},
                {"margin_bytes", verdict->margin(b).count()},
                {"headroom_loses", verdict->headroom_loses},
                {"less_than_needed_loses", verdict->less_loses},
                {"contradiction", verdict->contradiction}};
        }
        all.push_back(std::move(one));
    }
    out << all.dump(2) << '\n';
}

}  // namespace weir::tb
