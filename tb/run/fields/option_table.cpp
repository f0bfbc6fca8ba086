#include "tb/run/fields/option_table.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "tb/run/fields/field_terms.h"
#include "tb/support/text/joined.h"
#include "weir/base/trimmed.h"

namespace weir::tb {

namespace {

bool is_name(const std::string& text) {
    const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

/// `a, b or c`: a, b, c.
std::vector<std::string> alternatives(std::string text) {
    constexpr const char* comma = ", ";
    for (std::size_t at = text.find(" or "); at != std::string::npos; at = text.find(" or ")) {
        text.replace(at, 4, comma);
    }
    return split_list(text);
}

/// The number that a text begins with; 0 where it begins with none.
double number_of(const std::string& text) {
    return std::strtod(text.c_str(), nullptr);
}

}  // namespace

std::string with_underscores(std::string key) {
    std::replace(key.begin(), key.end(), '-', '_');
    return key;
}

option_table::block_writer option_table::block(const std::string& name, const std::string& doc,
                                               const std::string& source) {
    if (!is_name(name) || has_block(name)) {
        throw std::logic_error("option block '" + name + "' is registered twice or has no proper name");
    }
    m_blocks.push_back({name, doc, source});
    return {*this, m_blocks.size() - 1};
}

void option_table::insert(std::size_t block, const field_facts& facts, std::unique_ptr<option_value> value) {
    const std::string named = facts.name;
    const std::size_t dot = named.find('.');
    auto entry = std::make_unique<option>();
    entry->block = dot == std::string::npos ? m_blocks[block].name : named.substr(0, dot);
    entry->name = dot == std::string::npos ? named : named.substr(dot + 1);
    entry->key = entry->block + "." + entry->name;
    if (!is_name(entry->name) || find(entry->key) != nullptr) {
        throw std::logic_error("option '" + entry->key + "' is registered twice or has no proper name");
    }
    entry->doc = facts.help;
    entry->source = facts.source != nullptr ? facts.source : m_blocks[block].source;
    entry->default_text = value->text();
    entry->value = std::move(value);
    entry->is_path = facts.is_path;
    entry->in_cells = facts.in_cells;
    entry->in_results = facts.in_results;
    for (const char* clause : facts.needs) {
        if (clause != nullptr) {
            entry->clauses.emplace_back(clause);
        }
    }
    for (const char* key : facts.old_names) {
        if (key != nullptr) {
            entry->old_keys.emplace_back(key);
        }
    }
    if (facts.after != nullptr) {
        entry->after = *facts.after == '\0' ? entry->block : entry->block + "." + facts.after;
    }
    m_by_key.emplace(entry->key, entry.get());
    for (const std::string& key : entry->old_keys) {
        m_by_key.emplace(key, entry.get());
    }
    m_options.push_back(std::move(entry));
}

void option_table::finish() {
    const auto waits = [](const auto& each) { return each->after.has_value(); };
    for (auto at = std::find_if(m_options.begin(), m_options.end(), waits); at != m_options.end();
         at = std::find_if(m_options.begin(), m_options.end(), waits)) {
        std::unique_ptr<option> moved = std::move(*at);
        const std::string after = *moved->after;
        m_options.erase(at);
        const auto place = std::find_if(m_options.begin(), m_options.end(), [&](const auto& each) {
            return each->key == after || each->block == after;
        });
        if (place == m_options.end()) {
            throw std::logic_error("option '" + moved->key + "' follows '" + after + "', which does not exist");
        }
        moved->after.reset();
        m_options.insert((*place)->key == after ? place + 1 : place, std::move(moved));
    }
    for (const auto& each : m_options) {
        m_first_by_name.emplace(each->name, each.get());
        m_keys.add(each->key);
        std::vector<const relevance*> all;
        for (const std::string& clause : each->clauses) {
            all.push_back(&condition_of(clause));
        }
        each->matters.needs = joined(all, ", and ", [](const relevance* of) { return of->needs; });
        if (!all.empty()) {
            each->matters.holds = [all = std::move(all)] {
                return std::all_of(all.begin(), all.end(), [](const relevance* of) { return of->holds(); });
            };
        }
    }
}

const relevance& option_table::condition_of(const std::string& clause) {
    const auto known = m_conditions.find(clause);
    if (known == m_conditions.end() && is_name(clause)) {
        throw std::logic_error("no condition has the name '" + clause + "'");
    }
    return known != m_conditions.end()
               ? known->second
               : m_conditions.emplace(clause, relevance{clause, comparison(clause)}).first->second;
}

std::function<bool()> option_table::comparison(const std::string& clause) const {
    const bool negated = clause.compare(0, 3, "no ") == 0;
    constexpr std::string_view other = " other than ";
    const std::size_t differs = clause.find(other);
    const std::size_t equals = clause.find(" = ");
    const std::size_t above = clause.find(" above ");
    const std::size_t end = std::min({differs, equals, above});
    std::vector<const option*> keys;
    for (const std::string& key : alternatives(clause.substr(negated ? 3 : 0, end))) {
        keys.push_back(find(key));
        if (keys.back() == nullptr) {
            throw std::logic_error("a condition, '" + clause + "', names '" + key + "', which is no option");
        }
    }
    const auto any = [keys](auto test) {
        return [keys, test] { return std::any_of(keys.begin(), keys.end(), test); };
    };
    if (equals != std::string::npos || differs != std::string::npos) {
        const bool is_one = equals != std::string::npos;
        const std::vector<std::string> values =
            alternatives(clause.substr(is_one ? equals + 3 : differs + other.size()));
        const auto choices = keys.front()->value->choices();
        for (const std::string& value : values) {
            if (keys.front()->value->unit() == "yes or no" && value != "true" && value != "false") {
                throw std::logic_error("a condition, '" + clause + "', compares with '" + value +
                                       "'; expected true or false");
            }
            if (!choices.empty() && std::none_of(choices.begin(), choices.end(),
                                                 [&](const auto& choice) { return choice.first == value; })) {
                throw std::logic_error("a condition, '" + clause + "', names '" + value +
                                       "', which is no value");
            }
        }
        return any([values, is_one](const option* key) {
            return (std::find(values.begin(), values.end(), key->value->text()) != values.end()) == is_one;
        });
    }
    if (above != std::string::npos) {
        const double least = number_of(clause.substr(above + 7));
        if (least != 0 && keys.front()->value->unit() != "count") {
            throw std::logic_error("a condition, '" + clause + "', has no unit; only counts do without, and 0");
        }
        return any([least](const option* key) { return number_of(key->value->text()) > least; });
    }
    return any([negated](const option* key) { return (key->value->text() == key->default_text) == negated; });
}

config_errors option_table::run_checks() const {
    config_errors all;
    for (const auto& rule : m_checks) {
        all.add(rule());
    }
    return all;
}

std::vector<option_relation> option_table::relations() const {
    constexpr std::string_view value = " ({})";
    std::vector<option_relation> all;
    for (config_relation& relation : run_checks().relations) {
        for (std::size_t at = relation.text.find(value); at != std::string::npos;
             at = relation.text.find(value)) {
            relation.text.erase(at, value.size());
        }
        config_error each = option_error(relation.key.substr(0, relation.key.find('[')), relation.text);
        if (!each.others.empty() && std::none_of(all.begin(), all.end(), [&](const option_relation& other) {
                return other.key == each.key && other.text == each.message;
            })) {
            all.push_back(
                {relation.kind, std::move(each.key), std::move(each.message), std::move(each.others)});
        }
    }
    return all;
}

const option* option_table::find(const std::string& written) const {
    const auto found = m_by_key.find(with_underscores(written));
    return found == m_by_key.end() ? nullptr : found->second;
}

std::string option_table::key_of(const std::string& written) const {
    const option* const found = find(written);
    return found == nullptr ? written : found->key;
}

bool option_table::has_block(const std::string& name) const {
    return std::any_of(m_blocks.begin(), m_blocks.end(), [&](const option_block& b) { return b.name == name; });
}

std::string option_table::hint(const std::string& written) const {
    const std::string key = with_underscores(written);
    const std::string name = key.substr(key.rfind('.') + 1);
    std::string best(m_keys.nearest(key));
    // The right name in a wrong block is what was meant, however far apart the blocks' names are.
    const auto named = m_first_by_name.find(name);
    if (named != m_first_by_name.end() && (best.empty() || edit_distance(key, best, 3) > 2)) {
        best = named->second->key;
    }
    if (best.empty() && find_field_term(name) != nullptr) {
        return "; `weir help " + name + "` says how weir models it, or that it does not";
    }
    return best.empty() ? "; `weir options` lists all" : "; did you mean " + best + "?";
}

std::string option_table::block_hint(const std::string& name) const {
    std::vector<std::string> names;
    for (const option_block& each : m_blocks) {
        names.push_back(each.name);
    }
    const std::string best = nearest_name(name, names);
    return best.empty() ? "; expected " + joined(names, ", ") : "; did you mean [" + best + "]?";
}

/// The number of `120c`; nothing where the text has another form.
static parse_result<std::optional<std::int64_t>> parse_cells(const std::string& text) {
    if (text.size() < 2 || text.back() != 'c' || text.find_first_not_of("0123456789. ") != text.size() - 1) {
        return {};
    }
    const std::string number(trimmed(std::string_view(text).substr(0, text.size() - 1)));
    const parse_result<std::uint64_t> read = detail::parse_count(number, INT64_MAX);
    if (!read) {
        return {{}, "'" + text + "' is no whole number of cells; expected such as 120c"};
    }
    return {static_cast<std::int64_t>(read.value), {}};
}

std::string option_table::put_in_bytes(const option& target, std::string& text) const {
    if (!target.in_cells) {
        return {};
    }
    std::vector<std::string> parts = split_list(text);
    bool any = false;
    for (std::string& part : parts) {
        const parse_result<std::optional<std::int64_t>> cells = parse_cells(part);
        if (!cells) {
            return cells.error;
        }
        if (!cells.value) {
            continue;
        }
        if (m_cell == 0_B && *cells.value != 0) {
            return "'" + part + "' is in cells, and " + m_cell_key + " is not set; expected bytes, or " +
                   m_cell_key + " too";
        }
        if (m_cell > 0_B && *cells.value > INT64_MAX / m_cell.count()) {
            return "'" + part + "' is too large";
        }
        part = std::to_string(*cells.value * m_cell.count()) + "B";
        any = true;
    }
    if (any) {
        text = joined(parts, ", ");
    }
    return {};
}

}  // namespace weir::tb
