// Description of a field of a configuration, beside the field. Its type is the unit, its initialiser the
// default; its struct's `describe` says the rest. Checks of ranges, the table of options, `--help`,
// docs/options.md and effective.ini follow from that.
//
//   struct sram_config {
//       picoseconds access_time{0};
//       std::uint32_t banks = 1;
//
//       template <class Fields>
//       static void describe(Fields& fields) {
//           using self = typename Fields::config;   // compiled where it is used, not wherever it is included
//           fields(field("access_time", &self::access_time).range(0_ps, 1ms).help("..."));
//           fields.all_need("sram.access_time above 0");   // those that follow
//           fields(field("banks", &self::banks).range(1, 256).help("Number of banks per memory."));
//       }
//   };
//   sram_config sram;
//   sram.banks = 0;
//   check_ranges(sram, "sram").take();   // {"sram.banks", "'0' is out of range; expected 1 to 256"}
//
// The order in `describe` is that of help, reference and effective.ini. Rules between fields stand in the
// struct's `validate`.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/base/field_range.h"

namespace weir {

/// What range and rule of a field apply to: its value, or each value of a list; of one that is not set,
/// nothing.
template <class T>
struct field_element {
    using type = T;
    template <class Holds>
    static bool all(const T& value, Holds&& holds) {
        return holds(value);
    }
};
template <class T>
struct field_element<std::optional<T>> {
    using type = typename field_element<T>::type;
    template <class Holds>
    static bool all(const std::optional<T>& value, Holds&& holds) {
        return !value || field_element<T>::all(*value, holds);
    }
};
template <class List>
struct list_element {
    using type = typename List::value_type;
    template <class Holds>
    static bool all(const List& list, Holds&& holds) {
        for (const type& each : list) {
            if (!holds(each)) {
                return false;
            }
        }
        return true;
    }
};
template <class T>
struct field_element<std::vector<T>> : list_element<std::vector<T>> {};
template <class T, std::size_t Count>
struct field_element<std::array<T, Count>> : list_element<std::array<T, Count>> {};

/// What does not depend on the field's type. Texts live as long as the description.
struct field_facts {
    static constexpr std::size_t most_clauses = 4;
    static constexpr std::size_t most_old_names = 4;
    using clause_list = std::array<const char*, most_clauses>;

    /// The key in the block that the struct is; with a dot, the whole key of an option in another one.
    const char* name;
    const char* help = "";
    /// Source of the default or of the rule: paper and section, clause, measurement. Null: source of the block,
    /// which for the project's own options is `project`, our own choice.
    const char* source = nullptr;
    /// It has an effect where all of these hold; who sets it elsewhere is told.
    clause_list needs{};
    /// Keys that it had, block and all. They are read with a warning.
    std::array<const char*, most_old_names> old_names{};
    /// The field of that name precedes it in help and files; empty: it is the first. Null: as in `describe`.
    const char* after = nullptr;
    /// One that is relative is resolved against the directory of the file that it stands in.
    bool is_path = false;
    /// Written as `15%`.
    bool is_share = false;
    /// Bytes of packet memory, which may be written in its cells, as `120c`.
    bool in_cells = false;
    /// Each text that is given is added to the list.
    bool is_repeated = false;
    /// Results depend on it: effective.ini has it.
    bool in_results = true;

    /// Puts clauses before its own.
    void need_first(const clause_list& first) {
        clause_list all{};
        std::size_t count = 0;
        for (const clause_list& list : {first, needs}) {
            for (const char* const clause : list) {
                if (clause != nullptr) {
                    all.at(count++) = clause;
                }
            }
        }
        needs = all;
    }
};

/// What values of a type a field may hold: the same for fields of all structs.
template <class T>
class field_limits {
 public:
    using printer = std::string (*)(const T&);

    void set_range(const field_range<T>& allowed) {
        m_range = allowed;
        m_holds = [](const field_limits& f, const T& value) { return f.m_range->holds(value); };
        m_allowed = [](const field_limits& f, printer print) { return f.m_range->text(print); };
        m_print = [](const T& value) { return field_text(value); };
    }
    void set_rule(const char* allowed, bool (*holds)(const T&)) {
        m_words = allowed;
        m_rule = holds;
        m_holds = [](const field_limits& f, const T& value) { return !f.m_rule || f.m_rule(value); };
        m_allowed = [](const field_limits& f, printer) { return std::string(f.m_words); };
        m_print = [](const T& value) { return field_text(value); };
    }

    bool are_set() const { return m_holds != nullptr; }
    bool holds(const T& value) const { return !are_set() || m_holds(*this, value); }
    /// In words; empty where there are none.
    std::string allowed(printer print) const { return are_set() ? m_allowed(*this, print) : std::string{}; }
    std::string fault(const T& value) const { return out_of_range(m_print(value), allowed(m_print)); }

 private:
    std::optional<field_range<T>> m_range;
    const char* m_words = nullptr;
    bool (*m_rule)(const T&) = nullptr;
    // Set with a range or a rule, so that a type without either needs neither order nor text.
    bool (*m_holds)(const field_limits&, const T&) = nullptr;
    std::string (*m_allowed)(const field_limits&, printer) = nullptr;
    printer m_print = nullptr;
};

/// A description as it is built; each call says one thing and returns the same object.
template <class Config, class T>
class config_field : public field_facts {
 public:
    using element = typename field_element<T>::type;

    config_field(const char* its_name, T Config::*its_place) : field_facts{its_name}, m_place(its_place) {}

    config_field& range(const field_range<element>& allowed) { return m_limits.set_range(allowed), *this; }
    config_field& range(element low, element high, range_ends ends = range_ends::included) {
        return range(field_range<element>{low, high, ends});
    }
    /// `allowed` says in words what `holds` tests; null: whoever uses the value tests it.
    config_field& rule(const char* allowed, bool (*holds)(const element&) = nullptr) {
        return m_limits.set_rule(allowed, holds), *this;
    }
    config_field& help(const char* text) { return field_facts::help = text, *this; }
    config_field& source(const char* text) { return field_facts::source = text, *this; }
    /// Each clause is one of
    ///
    ///     pfc.mode = pause or pfc       one of these values
    ///     pfc.mode other than none      another value than these
    ///     switch.classes above 1        a larger count; of any number, `above 0`
    ///     trace.wave                    another value than the default; `no trace.wave`: the default
    ///     marks_are_heeded              a condition that the program defines (`option_table::condition`)
    ///
    /// where several keys (`trace.wave, trace.pcap or trace.perfetto`) mean any of them.
    template <class... Clauses>
    config_field& needs(Clauses... clauses) {
        static_assert(sizeof...(clauses) <= most_clauses);
        return field_facts::needs = {clauses...}, *this;
    }
    template <class... Keys>
    config_field& formerly(Keys... keys) {
        static_assert(sizeof...(keys) <= most_old_names);
        return field_facts::old_names = {keys...}, *this;
    }
    config_field& after(const char* other) { return field_facts::after = other, *this; }
    config_field& path() { return is_path = true, *this; }
    config_field& share() { return is_share = true, *this; }
    config_field& memory() { return in_cells = true, *this; }
    config_field& repeated() { return is_repeated = true, *this; }
    config_field& not_in_results() { return in_results = false, *this; }

    T Config::*place() const { return m_place; }
    template <class Object>
    auto& value_in(Object& config) const {
        return config.*m_place;
    }
    const field_limits<element>& limits() const { return m_limits; }
    /// What is wrong with the value: the first one of a list.
    std::optional<std::string> fault(const T& value) const {
        std::optional<std::string> found;
        field_element<T>::all(value, [&](const element& each) {
            if (!m_limits.holds(each)) {
                found = m_limits.fault(each);
            }
            return !found;
        });
        return found;
    }

 private:
    T Config::*m_place;
    field_limits<element> m_limits;
};

template <class Config, class T>
config_field<Config, T> field(const char* name, T Config::*place) {
    return {name, place};
}

/// Argument of `describe`: takes the description of each field of a configuration, or of each column of a row.
template <class Config, class Visit>
class field_list {
 public:
    using config = std::remove_const_t<Config>;
    using row = config;

    field_list(Config& config, Visit& visit) : m_config(config), m_visit(visit) {}

    /// `Described`: a config_field, or another description with `value_in`.
    template <class Described>
    void operator()(const Described& described) {
        if constexpr (std::is_base_of_v<field_facts, Described>) {
            Described whole = described;
            whole.need_first(m_needs);
            m_visit(std::as_const(whole), whole.value_in(m_config));
        } else {
            m_visit(described, described.value_in(m_config));
        }
    }
    /// Clauses of each field from here on, before its own (`config_field::needs`), in place of earlier ones.
    /// The texts have to outlive the description.
    template <class... Clauses>
    void all_need(Clauses... clauses) {
        static_assert(sizeof...(clauses) <= field_facts::most_clauses);
        m_needs = {clauses...};
    }
    /// The fields of a struct within the struct (`Whole`: a base of it), in the same block. `context` is what
    /// its `describe` asks for.
    template <class Part, class Whole, class... Context>
    void part(Part Whole::*place, const Context&... context) {
        field_list<std::conditional_t<std::is_const_v<Config>, const Part, Part>, Visit> fields(m_config.*place,
                                                                                                m_visit);
        Part::describe(fields, context...);
    }

 private:
    Config& m_config;
    Visit& m_visit;
    field_facts::clause_list m_needs{};
};

/// Calls visit(description, value) for each field, in order.
template <class Config, class Visit>
void for_each_field(Config& config, Visit&& visit) {
    field_list<Config, Visit> fields(config, visit);
    Config::describe(fields);
}

/// What of the fields is out of range by itself; `block` as for `range_check`.
template <class Config>
range_check check_ranges(const Config& config, const std::string& block = {}) {
    range_check check(block);
    for_each_field(config, [&](const auto& described, const auto& value) {
        if (std::optional<std::string> fault = described.fault(value)) {
            check.fail(described.name, std::move(*fault));
        }
    });
    return check;
}

}  // namespace weir
