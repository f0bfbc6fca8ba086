// The parts of a report's page (page.html, page.css, *.js), put into the program when it is built.
#pragma once

namespace weir::tb::report_assets {

/// Has `/* page.css */`, `/* scripts */` and `{"data": null}` where these belong.
extern const char* const page;
extern const char* const style;
/// One after the other, as one module.
extern const char* const scripts;

}  // namespace weir::tb::report_assets
