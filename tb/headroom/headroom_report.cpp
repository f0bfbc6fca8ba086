#include "tb/headroom/headroom_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tb/headroom/headroom_options.h"
#include "tb/text/text_format.h"
#include "tb/text/text_table.h"

namespace weir::tb {

namespace {

exact_bytes ns_of(const exact_bytes& on_wire, bit_rate rate) {
    return on_wire * 8'000'000'000 / rate.count();
}

double number(const exact_bytes& value) {
    return static_cast<double>(value);
}

std::string metres_text(millimetres cable) {
    return decimal_text(exact_bytes{cable.count()} / 1000, cable.count() % 1000 == 0 ? 0 : 3);
}

}  // namespace

std::string attacked_text(const headroom_budget& budget, const headroom_verdict& verdict) {
    const auto number = [](unsigned n, const char* one, const char* more) {
        return std::to_string(n) + (n == 1 ? one : more);
    };
    const std::string groups =
        number(verdict.ports, " port", " ports") + " with " +
        number(verdict.classes, " lossless class", " lossless classes") +
        (verdict.classes > 1 || verdict.ports > 1 ? ", each group with its own phase" : "");
    if (verdict.memory == attacked_memory::port) {
        return "a port's own memory; " + groups;
    }
    return std::string("a shared memory, ") +
           (verdict.memory == attacked_memory::shared ? "each group with headroom of its own"
                                                      : "one headroom pool for all groups") +
           ", the shared pool " + (budget.used.full_pool ? "full" : "not full") +
           " when a group reaches its threshold; " + groups;
}

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

void print_budget(std::ostream& out, const headroom_budget& budget) {
    const headroom_budget_config& c = budget.used;
    out << "PFC headroom at " << to_text(c.rate) << " over " << to_text(c.cable) << ", profile "
        << name_of(c.profile) << '\n';
    out << "Frames up to " << c.port_mtu->count() << " B, in lossless classes up to " << c.lossless_mtu->count()
        << " B; " << to_text(*c.wire_overhead) << " of preamble and gap per frame; "
        << (*c.cell == 0_B ? std::string("memory counted in bytes") : "memory cells of " + to_text(*c.cell))
        << "\n\n";
    text_table table;
    table.add({"term", "bytes", "ns", "bit times", "memory B", "source"});
    exact_bytes on_wire;
    const auto row = [&](const std::string& name, const exact_bytes& wire, const exact_bytes& memory,
                         const std::string& source) {
        table.add({name, decimal_text(wire, 1), decimal_text(ns_of(wire, c.rate), 1), decimal_text(wire * 8, 0),
                   decimal_text(memory, 1), source});
    };
    std::vector<std::string> sources;
    for (const budget_term& term : budget.terms) {
        row(term.name, term.wire, term.memory, "");
        sources.push_back(term.source);
        on_wire += term.wire;
    }
    row("sum", on_wire, budget.sum, "");
    // Sources are texts of any length: they stand after the table's columns, to the left.
    std::ostringstream columns;
    table.print(columns);
    std::istringstream lines(columns.str());
    std::size_t n = 0;
    std::size_t width = 0;
    for (std::string line; std::getline(lines, line); ++n) {
        width = n == 0 ? line.size() - std::string("source").size() : width;
        line.resize(std::max(line.size(), width), ' ');
        if (n > 0 && n <= sources.size()) {
            line += sources[n - 1];
        }
        out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
    }
    out << "\nMemory per byte on the wire: " << decimal_text(budget.memory_per_wire_byte, 3) << " ("
        << budget.memory_source << ")\n";
    out << "Rounded up to " << (budget.rounded_to == 1_B ? "whole bytes" : to_text(budget.rounded_to)) << "\n";
    out << "Headroom (SONiC: xoff): " << count_text(static_cast<std::uint64_t>(budget.headroom.count()))
        << " B per port and class";
    if (c.lossless_classes > 1) {
        const std::int64_t port = budget.headroom.count() * c.lossless_classes;
        out << ", " << count_text(static_cast<std::uint64_t>(port)) << " B per port with " << c.lossless_classes
            << " lossless classes";
    }
    if (!c.full_pool) {
        out << "\nA shared memory whose pool can be full when a frame reaches the threshold needs "
            << count_text(static_cast<std::uint64_t>(budget.crossing.count())) << " B more (--full_pool=on)";
    }
    out << "\nxon " << budget.xon.count() << " B, size " << budget.size.count() << " B\n";
}

void print_verdict(std::ostream& out, const headroom_budget& budget, const headroom_verdict& verdict) {
    const auto count = [](bytes b) { return count_text(static_cast<std::uint64_t>(b.count())); };
    const auto percent = [&](bytes part) {
        return decimal_text(exact_bytes{part.count() * 100} / budget.headroom.count(), 1) + "%";
    };
    const bool several = verdict.ports * verdict.classes > 1;
    out << "\nSimulated: the most memory that frames took after XOFF; the senders choose phases and frame "
           "lengths\n"
        << "Attacked: " << attacked_text(budget, verdict) << "\n\n";
    text_table table;
    table.add({"attack", several ? "memory B of the largest group" : "memory B", "", "attacks"});
    table.add({"computed from the timing", count(verdict.computed), "", "1"});
    table.add(
        {"searched", verdict.cases == 0 ? "-" : count(verdict.searched), "", std::to_string(verdict.cases)});
    table.add({"bound: every term, all frames of the worst length", count(verdict.bound)});
    table.print(out);
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
    if (budget.used.full_pool && verdict.memory == attacked_memory::port) {
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
    const budget_term* largest = &budget.terms.front();
    std::string spare;
    for (const budget_term& term : budget.terms) {
        largest = term.memory > largest->memory ? &term : largest;
        if (term.memory <= std::max(margin, 0_B).count()) {
            spare += (spare.empty() ? "" : ", ") + term.name;
        }
    }
    out << "Largest term: " << largest->name << ", " << decimal_text(largest->memory * 100 / budget.sum, 0)
        << "% of the sum. "
        << (spare.empty() ? "Every term is needed: without any one of them a frame can be lost.\n"
                          : "Terms that are each smaller than the margin: " + spare + ".\n");
}

void print_budget_table(std::ostream& out, const std::vector<headroom_budget>& budgets) {
    text_table table;
    table.add({"speed", "cable", "size B", "xon B", "headroom B", "largest term", "its share"});
    for (const headroom_budget& b : budgets) {
        const budget_term* largest = &b.terms.front();
        for (const budget_term& term : b.terms) {
            largest = term.memory > largest->memory ? &term : largest;
        }
        table.add({to_text(b.used.rate), to_text(b.used.cable), std::to_string(b.size.count()),
                   std::to_string(b.xon.count()), std::to_string(b.headroom.count()), largest->name,
                   decimal_text(largest->memory * 100 / b.sum, 0) + "%"});
    }
    table.print(out);
}

void write_budget_csv(std::ostream& out, const std::vector<headroom_budget>& budgets) {
    out << "profile,rate_bps,cable_m,term,wire_bytes,ns,bit_times,memory_bytes,source\n";
    csv_line line;
    for (const headroom_budget& b : budgets) {
        const auto write = [&](const std::string& name, const std::string& wire, const std::string& ns,
                               const std::string& bits, const std::string& memory, const std::string& source) {
            out << line.add_name(name_of(b.used.profile))
                       .add(static_cast<std::uint64_t>(b.used.rate.count()))
                       .add_name(metres_text(b.used.cable))
                       .add_name(name)
                       .add_name(wire)
                       .add_name(ns)
                       .add_name(bits)
                       .add_name(memory)
                       .add_name(source)
                       .end();
        };
        for (const budget_term& term : b.terms) {
            write(term.name, decimal_text(term.wire, 3), decimal_text(ns_of(term.wire, b.used.rate), 3),
                  decimal_text(term.wire * 8, 3), decimal_text(term.memory, 3), term.source);
        }
        write("headroom", "", "", "", std::to_string(b.headroom.count()),
              "rounded up to " + to_text(b.rounded_to));
        write("xon", "", "", "", std::to_string(b.xon.count()), "");
        write("size", "", "", "", std::to_string(b.size.count()), "");
    }
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
            one["terms"].push_back({{"name", term.name},
                                    {"wire_bytes", number(term.wire)},
                                    {"ns", number(ns_of(term.wire, b.used.rate))},
                                    {"bit_times", number(term.wire * 8)},
                                    {"memory_bytes", number(term.memory)},
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
            one["simulated"] = {{"attacked_memory", name_of(verdict->memory)},
                                {"attacked_ports", verdict->ports},
                                {"attacked_classes", verdict->classes},
                                {"full_pool", b.used.full_pool && verdict->memory != attacked_memory::port},
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
