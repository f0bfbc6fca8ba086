#include "weir/model/forwarding/tcam.h"

#include "model/c/block.h"

namespace weir::model {

namespace {

class tcam_block final : public c_block {
 public:
    static constexpr const char* its_kind = "weir_tcam";

    explicit tcam_block(option_text& options) : tcam_block(read(options)) {}

    const char* kind() const override { return its_kind; }
    void check_key(const char* name, std::uint64_t value) const {
        if (m_key_bits < 64 && value >> m_key_bits != 0) {
            throw misuse(std::string(name) + ": " + std::to_string(value) + "; expected below 2^" +
                         std::to_string(m_key_bits) + " (key_bits)");
        }
    }

    tcam table;

 private:
    explicit tcam_block(const tcam_config& config) : table(config), m_key_bits(config.key_bits) {}
    static tcam_config read(option_text& options) {
        tcam_config config;
        options.read("entries", config.entries);
        options.read("key_bits", config.key_bits);
        options.read_word(
            "rule", config.rule,
            enum_names<ternary_rule>({{ternary_rule::standard, "standard"},
                                      {ternary_rule::canonical_values_only, "canonical_values_only"}}));
        options.finish(config.validate("tcam"));
        return config;
    }

    unsigned m_key_bits;
};

/// Of a change to a line.
int checked(const tcam& table, std::uint32_t index, tcam_status status) {
    if (status == tcam_status::beyond_capacity) {
        check_below("index", index, table.capacity());
    }
    if (status == tcam_status::slot_vacant) {
        throw misuse("index: " + std::to_string(index) + " is a vacant line; expected one that was written");
    }
    if (status != tcam_status::done) {
        throw misuse("index: " + std::to_string(index) + ": " + describe(status));
    }
    return 0;
}

}  // namespace

}  // namespace weir::model

using namespace weir::model;

weir_tcam* weir_tcam_create(std::uint32_t api_major, const char* options, const char** error) {
    return create<weir_tcam, tcam_block>(api_major, options, error);
}

int weir_tcam_write(weir_tcam* block, std::uint32_t index, std::uint32_t valid, std::uint64_t value,
                    std::uint64_t mask, std::uint32_t priority, const std::uint32_t* acceptable_ports) {
    return use<tcam_block>(block, [&](tcam_block& b) {
        check_below("valid", valid, 2);
        b.check_key("value", value);
        b.check_key("mask", mask);
        const tcam_entry entry{value, mask, priority, valid != 0};
        const weir::port_bitmap ports = ports_of("acceptable_ports", acceptable_ports, weir::max_ports);
        return checked(b.table, index, b.table.write(index, entry, ports));
    });
}

int weir_tcam_erase(weir_tcam* block, std::uint32_t index) {
    return use<tcam_block>(block, [&](tcam_block& b) { return checked(b.table, index, b.table.erase(index)); });
}

int weir_tcam_lookup(weir_tcam* block, std::uint64_t key, std::uint32_t* acceptable_ports) {
    return use<tcam_block>(block, [&](tcam_block& b) {
        b.check_key("key", key);
        const int winner = b.table.lookup(key);
        if (acceptable_ports != nullptr) {
            write_ports(acceptable_ports, b.table.acceptable_ports(winner));
        }
        return winner == tcam::no_match ? WEIR_NONE : winner;
    });
}
