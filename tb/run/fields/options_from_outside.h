// Options of plugins and of projects outside: a struct that describes its fields, as ours do
// (weir/base/config_field.h).
//
//   static model::qcn_config mine;                                      // what the blocks of a run look at
//   add_options("mine", "An arbiter of our own.", mine);                // --mine.weight, [mine] weight
//
// They are in --help, effective.ini, the reference and sweeps. What a run was given is in `mine` before its
// fabric is built.
#pragma once

#include <any>
#include <string>
#include <type_traits>
#include <utility>

#include "tb/run/fields/extension_blocks.h"
#include "tb/run/fields/option_table.h"

namespace weir::tb {

namespace detail {

template <class Config, class = void>
struct has_validate : std::false_type {};
template <class Config>
struct has_validate<Config, std::void_t<decltype(std::declval<const Config&>().validate())>> : std::true_type {
};

}  // namespace detail

/// Before options are read. `used` has the defaults, and outlives all runs; its class may have
/// `config_errors validate() const`, whose keys are `mine.weight`.
template <class Config>
void add_options(std::string name, std::string doc, Config& used) {
    const auto add = [name = std::move(name), doc = std::move(doc)](option_table& table, std::any& values) {
        auto& own = std::any_cast<Config&>(values);
        table.block(name, doc).add(own);
        if constexpr (detail::has_validate<Config>::value) {
            table.check([&own] { return own.validate(); });
        }
    };
    const auto use = [&used](const std::any& values) { used = std::any_cast<const Config&>(values); };
    extension_blocks::registered().push_back({used, add, use});
}

}  // namespace weir::tb
