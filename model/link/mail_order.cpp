#include "weir/model/link/mail_order.h"

namespace weir::model {

void mail_order::sort(const inbox& mail, unsigned side) {
    m_entries.clear();
    mail.for_each(
        side,
        [&](const wire_arrival& arrival) {
            m_entries.push_back({arrival.key, &arrival});
        },
        [](const wire_arrival&, std::uint32_t) {});
    m_sort.sort(
        m_entries, [](const entry& e) { return e.key; },
        [](const entry& a, const entry& b) { return a.key < b.key; });
}

}  // namespace weir::model
