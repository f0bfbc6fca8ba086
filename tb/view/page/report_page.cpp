#include "tb/view/page/report_page.h"

#include "tb/view/page/report_assets.h"

namespace weir::tb {

namespace {

/// The text with `part` in the place of `mark`, which it has once.
std::string filled(std::string text, std::string_view mark, std::string_view part) {
    return text.replace(text.find(mark), mark.size(), part);
}

}  // namespace

std::string embedded_json(const nlohmann::ordered_json& content) {
    using json = nlohmann::ordered_json;
    // Outside of strings JSON has none of these characters.
    std::string text;
    for (const char c : content.dump(-1, ' ', true, json::error_handler_t::replace)) {
        text += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : c == '&' ? "\\u0026" : std::string(1, c);
    }
    return text;
}

std::string report_page(const nlohmann::ordered_json& content) {
    std::string page = filled(report_assets::page, "/* page.css */", report_assets::style);
    page = filled(std::move(page), "/* scripts */", report_assets::scripts);
    return filled(std::move(page), "{\"data\": null}", embedded_json(content));
}

}  // namespace weir::tb
