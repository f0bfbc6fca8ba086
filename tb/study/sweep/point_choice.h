// Chooses points of a sweep by the options and values of its axes.
//
//   const choice chosen = read_choice("switch.scheme=fc,detail traffic.rate").value;
//   chosen_places(plan, chosen);      // by axis: the places of fc and detail; all places of traffic.rate
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tb/study/points/sweep_plan.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

/// Values of one axis, which one of its options names. No value means all.
struct axis_choice {
    std::string key;
    std::vector<std::string> values;
    /// This place alone, where its value may be that of other places too.
    std::optional<std::size_t> place = std::nullopt;
};
using choice = std::vector<axis_choice>;

/// Words `KEY`, `KEY=VALUE` or `KEY=VALUE,VALUE` with blanks between. Errors: no key, no value, a key twice.
parse_result<choice> read_choice(const std::string& text);

/// The same of this plan: an option or a value that its axes lack is an error, too.
parse_result<choice> read_choice(const std::string& text, const sweep_plan& plan);

/// Places by axis, in the order in which they were named. An axis of one place needs no choice; an empty list:
/// the axis has several, and is not chosen. Values that the axis does not have are left out; nothing where no
/// value of a choice is there. A later choice of an option replaces an earlier one; choices of several options
/// that move together take the places that all of them have.
std::optional<std::vector<std::vector<std::size_t>>> chosen_places(const sweep_plan& plan,
                                                                   const choice& chosen);

/// Points at chosen places; of an axis that is not chosen, all. Precondition: values of each choice are there.
std::vector<std::size_t> chosen_points(const sweep_plan& plan, const choice& chosen);

/// `KEY=VALUE` of the first option whose value no other place has; `row 3` if there is none.
std::string place_name(const sweep_axis& axis, std::size_t place);

/// An option of the first axis that is not chosen; empty where all are.
std::string open_option(const sweep_plan& plan, const std::vector<std::vector<std::size_t>>& places);

}  // namespace weir::tb
