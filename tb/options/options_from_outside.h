// Options of plugins and of projects outside: a struct that describes its fields, as ours do
// (weir/base/config_field.h).
//
//   static model::qcn_config mine;                                      // what the blocks of a run look at
//   add_options("mine", "An arbiter of our own.", mine);                // --mine.weight, [mine] weight
//
// They are in --help, effective.ini, the reference and sweeps. What a run was given is in `mine` before its
// fabric is built.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "tb/options/extension_blocks.h"
#include "tb/options/option_table.h"

namespace weir::tb {

namespace detail {

template <class Config, class = void>
struct has_validate : std::false_type {};
template <class Config>
struct has_validate<Config, std::void_t<decltype(std::declval<const Config&>().validate())>> : std::true_type {
};

template <class Config>
class block_from_outside final : public extension_block {
 public:
    block_from_outside(std::string name, std::string doc, Config& used)
        : m_name(std::move(name)), m_doc(std::move(doc)), m_values(used), m_used(&used) {}

    std::unique_ptr<extension_block> copy() const override {
        return std::make_unique<block_from_outside>(*this);
    }
    void add_to(option_table& table) override {
        table.block(m_name, m_doc).add(m_values);
        if constexpr (has_validate<Config>::value) {
            table.check([this] { return m_values.validate(); });
        }
    }
    void use() const override { *m_used = m_values; }

 private:
    std::string m_name;
    std::string m_doc;
    Config m_values;
    Config* m_used;
};

}  // namespace detail

/// Before options are read. `used` has the defaults, and outlives all runs; its class may have
/// `config_errors validate() const`, whose keys are `mine.weight`.
template <class Config>
void add_options(std::string name, std::string doc, Config& used) {
    extension_blocks::registered().add(
        std::make_unique<detail::block_from_outside<Config>>(std::move(name), std::move(doc), used));
}

}  // namespace weir::tb
