#include "weir/traffic/sizes/size_distribution_file.h"

#include <charconv>

#include "weir/traffic/traces/flow_trace.h"

namespace weir::traffic {

namespace {

/// A non-negative decimal number of a distribution's file.
number_fault parse_double(std::string_view text, double largest, double& value) {
    const bool negative = !text.empty() && text.front() == '-';
    const std::string_view digits = text.substr(negative ? 1 : 0);
    double read = 0;
    const auto [end, status] =
        std::from_chars(digits.data(), digits.data() + digits.size(), read, std::chars_format::general);
    if (text.empty()) {
        return number_fault::missing;
    }
    if (status == std::errc::invalid_argument || end != digits.data() + digits.size() || !(read >= 0)) {
        return number_fault::not_a_number;
    }
    if (negative) {
        return number_fault::negative;
    }
    if (status == std::errc::result_out_of_range || read > largest) {
        return number_fault::too_large;
    }
    value = read;
    return number_fault::none;
}

/// Reads one file; keeps what the checks of a line need of the lines before.
class distribution_reader {
 public:
    distribution_reader(std::istream& in, const std::string& file, cdf_file_units units)
        : m_lines(in), m_file(file), m_units(units) {}

    size_distribution_result read() {
        check_units();
        std::string_view line;
        const bool units_known = m_errors.empty();
        while (units_known && m_lines.next(line)) {
            read_line(line);
        }
        if (m_lines.unreadable()) {
            error("file", "cannot be read any further");
        }
        if (m_errors.empty()) {
            check_end();
        }
        size_distribution_result result;
        result.errors = m_errors.list();
        if (result.errors.empty()) {
            result.value.emplace(std::move(m_points));
        }
        return result;
    }

 private:
    void error(const char* key, std::string message) {
        m_errors.add({m_file, m_lines.number(), key, std::move(message)});
    }
    double whole() const { return m_units.fraction == cdf_unit::percent ? 100 : 1; }
    const char* range() const { return m_units.fraction == cdf_unit::percent ? "0 to 100 %" : "0 to 1"; }

    void check_units() {
        if (m_units.fraction == cdf_unit::undeclared) {
            error("fraction",
                  "has no unit, and the format does not define one; expected traffic.distribution_fraction = "
                  "percent or "
                  "fraction");
        }
        if (m_units.size <= bytes{0}) {
            error("size",
                  "has no unit, and the format does not define one; expected traffic.distribution_size = 1B, "
                  "or a packet's "
                  "bytes");
        }
    }

    void read_line(std::string_view line) {
        split_at_blanks(line, m_fields);
        if (m_lines.too_long() || m_fields.size() != 2) {
            error("line", "has " + std::to_string(m_fields.size()) + " fields; expected size and fraction");
            return;
        }
        const double unit = static_cast<double>(m_units.size.count());
        const double largest_size = static_cast<double>(largest_flow_bytes) / unit;
        double size = 0;
        double share = 0;
        const number_fault size_fault = parse_double(m_fields[0], largest_size, size);
        if (size_fault != number_fault::none) {
            error("size",
                  describe(size_fault, m_fields[0], "0 to " + std::to_string(largest_flow_bytes) + " B"));
        }
        const number_fault share_fault = parse_double(m_fields[1], whole(), share);
        if (share_fault != number_fault::none) {
            error("fraction", describe(share_fault, m_fields[1], range()));
        }
        if (size_fault != number_fault::none || share_fault != number_fault::none) {
            return;
        }
        check_order(size * unit, share / whole());
        m_points.push_back({size * unit, share / whole()});
        m_last_size = m_fields[0];
        m_last_share = m_fields[1];
    }

    void check_order(double size, double fraction) {
        if (m_points.empty()) {
            if (fraction > 0) {
                error("fraction",
                      in_quotes(m_fields[1]) +
                          " starts above 0; expected 0 in the first line (write a size that has a " +
                          "probability of its own in two lines)");
            }
            return;
        }
        const cdf_point& last = m_points.back();
        if (size < last.size_bytes) {
            error("size", in_quotes(m_fields[0]) +
                              " is below the size in the line before; expected sizes that do not decrease");
        } else if (fraction < last.fraction) {
            error("fraction",
                  in_quotes(m_fields[1]) +
                      " is below the share in the line before; expected shares that do not decrease");
        } else if (size == last.size_bytes && fraction == last.fraction) {
            error("line", "is there twice; expected once");
        }
    }

    void check_end() {
        if (m_points.size() < 2) {
            error("file", "has " + std::to_string(m_points.size()) + " points; expected at least 2");
        } else if (m_points.back().fraction < 1) {
            error("fraction", in_quotes(m_last_share) + " ends below 100 %; expected " +
                                  (m_units.fraction == cdf_unit::percent ? "100 (percent)" : "1 (fraction)") +
                                  " in the last line");
        } else if (m_points.back().size_bytes < 1) {
            error("size", in_quotes(m_last_size) + " is the largest size; expected at least 1 B");
        }
    }

    text_lines m_lines;
    const std::string& m_file;
    cdf_file_units m_units;
    error_log m_errors;
    std::vector<cdf_point> m_points;
    std::vector<std::string_view> m_fields;
    /// As the file has them: the line is gone when the end is checked.
    std::string m_last_size;
    std::string m_last_share;
};

}  // namespace

size_distribution_result read_size_distribution(std::istream& in, const std::string& file,
                                                cdf_file_units units) {
    return distribution_reader{in, file, units}.read();
}

}  // namespace weir::traffic
