// Blocks of options that plugins and projects outside have, as a configuration holds them
// (options_from_outside.h adds them). Configurations are copied and compared, so each has values of its own.
//
//   extension_blocks mine = extension_blocks::registered();
//   mine.add_to(table);   // --mine.weight
//   mine.use();           // before a fabric is built
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace weir::tb {

class option_table;

class extension_block {
 public:
    virtual ~extension_block() = default;
    virtual std::unique_ptr<extension_block> copy() const = 0;
    virtual void add_to(option_table& table) = 0;
    virtual void use() const = 0;
};

class extension_blocks {
 public:
    extension_blocks() = default;
    extension_blocks(const extension_blocks& other);
    extension_blocks(extension_blocks&&) noexcept = default;
    extension_blocks& operator=(const extension_blocks& other);
    extension_blocks& operator=(extension_blocks&&) noexcept = default;
    ~extension_blocks() = default;

    /// What all configurations begin with.
    static extension_blocks& registered();

    std::size_t size() const { return m_blocks.size(); }
    void add(std::unique_ptr<extension_block> block) { m_blocks.push_back(std::move(block)); }
    /// The table points to the values here, which must stay where they are.
    void add_to(option_table& table);
    /// Gives the values to those who read them.
    void use() const;

 private:
    std::vector<std::unique_ptr<extension_block>> m_blocks;
};

}  // namespace weir::tb
