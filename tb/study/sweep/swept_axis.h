// A swept option as an axis of a picture.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tb/study/points/quantity.h"
#include "tb/study/points/sweep_plan.h"
#include "tb/support/text/joined.h"
#include "tb/view/chart/plot_axis.h"

namespace weir::tb {

class swept_axis {
 public:
    /// `key` is one of the plan's.
    swept_axis(const sweep_plan& plan, const std::string& key);

    /// Which of the plan's axes.
    std::size_t index() const { return m_index; }
    std::size_t size() const { return m_texts.size(); }
    /// Every value is a quantity, and the axis is to scale. It is not for 0 and values at about equal ratios.
    bool is_numeric() const { return m_numeric; }
    /// Places of the plan's axis as they stand in the picture: by size, names as they were given.
    const std::vector<std::size_t>& in_order() const { return m_order; }
    /// Quantity of the axis; a count where values are names.
    axis_kind axis_quantity() const;
    /// Number of the i-th in that order, in the unit of `read_quantity`. Precondition: `is_numeric()`.
    double number(std::size_t i) const { return m_numbers[m_order[i]]; }
    /// The same in ns, B, bit/s or percent; of names 0, 1, 2, ...
    double base_position(std::size_t i) const {
        return !m_numeric                       ? static_cast<double>(i)
               : m_kind == quantity_kind::share ? 100 * number(i)
                                                : column_value(m_kind, number(i));
    }
    /// The same of a place of the plan's axis.
    double position_of(std::size_t place) const;
    bool is_logarithmic() const;
    /// Of the i-th in that order, in the axis' unit; of names 0, 1, 2, ...
    double position(std::size_t i) const;
    plot_axis axis() const;
    /// Unit of `position`.
    const axis_unit& unit() const { return m_unit; }
    /// `switch.ingress_buffer [KiB]`
    std::string label() const;
    const std::string& key() const { return m_key; }
    /// `ingress_buffer`
    std::string short_key() const { return m_key.substr(m_key.find('.') + 1); }
    /// Value at a place of the plan's axis, for a legend: `64 KiB`; with its fellows, where options move
    /// together, unless it is a name that no other place has.
    std::string text(std::size_t place) const;
    /// Texts of all places, in the picture's order.
    std::vector<std::string> names() const;
    /// `ingress_buffer = 64 KiB`
    std::string setting(std::size_t place) const { return short_key() + " = " + text(place); }
    /// As plan.json has it.
    const std::string& raw_text(std::size_t place) const { return m_texts[place]; }
    /// Each once, though other options of the axis may tell two places apart.
    std::string all_texts() const {
        std::vector<std::string> once;
        for (const std::string& text : m_texts) {
            if (std::find(once.begin(), once.end(), text) == once.end()) {
                once.push_back(text);
            }
        }
        return joined(once, ", ");
    }
    /// Places with this value, however it is written (`64KiB`, `65536B`).
    std::vector<std::size_t> places_of(const std::string& value) const;
    /// The first one.
    std::optional<std::size_t> place_of(const std::string& value) const {
        const std::vector<std::size_t> all = places_of(value);
        return all.empty() ? std::nullopt : std::optional(all.front());
    }

 private:
    std::string m_key;
    std::size_t m_index = 0;
    quantity_kind m_kind = quantity_kind::none;
    std::vector<std::string> m_texts;
    /// The other options of the same --vary: `xon = 10KB`.
    std::vector<std::string> m_fellows;
    bool m_numeric = true;
    std::vector<double> m_numbers;
    std::vector<std::size_t> m_order;
    axis_unit m_unit{"", 1};
};

/// Whether values lie rather at equal ratios than at equal distances. Range: ascending.
bool lie_logarithmically(const std::vector<double>& values);

}  // namespace weir::tb
