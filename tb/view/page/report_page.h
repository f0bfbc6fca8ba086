// A report as one HTML page that needs no other file: tb/view/page/page.html with its style, its scripts and
// the data in it, all of which weir carries in itself.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace weir::tb {

/// How every report begins, by which one of an earlier call is known.
inline constexpr std::string_view report_head = "<!DOCTYPE html>\n<!-- A report of weir;";

std::string report_page(const nlohmann::ordered_json& content);

/// JSON that may stand within a `<script>`: no text in it can end the element or begin a comment, and bytes
/// that are no UTF-8 are replaced.
std::string embedded_json(const nlohmann::ordered_json& content);

}  // namespace weir::tb
