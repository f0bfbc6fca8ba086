// The swept options of a table's rows: the text, and beside it the number where the text has a unit.
//
//     switch.ingress_buffer,switch.ingress_buffer_bytes
//     64KiB,65536
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tb/sweep/quantity.h"
#include "tb/sweep/sweep_plan.h"
#include "tb/text/text_format.h"

namespace weir::tb {

class swept_columns {
 public:
    /// `plan` must outlive it.
    explicit swept_columns(const sweep_plan& plan);

    void add_header(csv_line& line) const;
    void add(csv_line& line, std::size_t point) const;
    nlohmann::ordered_json json(std::size_t point) const;

 private:
    std::optional<double> number_of(std::size_t k, const std::string& text) const;

    const sweep_plan& m_plan;
    std::vector<quantity_kind> m_kinds;
};

}  // namespace weir::tb
