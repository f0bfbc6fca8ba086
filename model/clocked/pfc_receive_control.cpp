#include "weir/model/clocked/pfc_receive_control.h"

namespace weir::model {

config_errors pfc_receive_config::validate(const std::string& section) const {
    config_errors errors;
    const auto refuse = [&](const char* name, std::int64_t value, const char* allowed) {
        errors.push_back({{}, 0, section + "." + name, std::to_string(value) + "; expected " + allowed});
    };
    if (data_width < 2 || data_width > most_data_width || data_width % 2 != 0) {
        refuse("data_width", data_width, "2 to 1024, even");
    }
    if (quanta_step >= 1U << 24) {
        refuse("quanta_step", quanta_step, "0 to 16777215");
    }
    if (parsed.count() < 1) {
        refuse("parsed", parsed.count(), "at least 1");
    }
    if (statistics <= parsed) {
        refuse("statistics", statistics.count(), "later than parsed");
    }
    if (request <= statistics) {
        refuse("request", request.count(), "later than statistics");
    }
    return errors;
}

pfc_receive_control::pfc_receive_control(const pfc_receive_config& config)
    : m_step(config.quanta_step != 0 ? config.quanta_step : config.data_width * (1U << fraction_bits) / 512),
      m_acknowledged_timers(config.acknowledged_timers),
      m_before_parsed(config.parsed - cycles{1}),
      m_before_timers(config.statistics - config.parsed - cycles{1}),
      m_before_request(config.request - config.statistics - cycles{1}) {}

void pfc_receive_control::clock(const pfc_receive_inputs& in) {
    const passing_frame loading = m_before_timers.shift(m_parsed);
    const bool take = loading.present && in.pfc_enable && loading.frame.kind == frame_kind::pfc;

    // Third stage: requests from the timers as they stood before this edge; then the timers count.
    unsigned running = 0;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        std::uint32_t& timer = m_timer[c];
        running |= static_cast<unsigned>(timer != 0) << c;
        if (!m_acknowledged_timers || (in.acknowledge >> c & 1) != 0) {
            timer = timer > m_step ? timer - m_step : 0;
        }
    }
    const class_mask request = m_before_request.shift(static_cast<class_mask>(running));
    m_out.request = static_cast<class_mask>(in.pfc_enable ? request & in.class_enable : 0);

    // Second stage: the parsed frame loads the timers, over what they have counted.
    m_out.pfc_frame = take;
    unsigned xoff = 0;
    unsigned xon = 0;
    if (take) {
        const pause_fields& fields = loading.frame.fields;
        for (unsigned c = 0; c < pfc_classes; ++c) {
            if ((fields.class_enable >> c & 1) != 0) {
                const std::uint32_t quanta = fields.quanta[c];
                m_timer[c] = quanta << fraction_bits;
                (quanta != 0 ? xoff : xon) |= 1U << c;
            }
        }
    }
    m_out.xoff = static_cast<class_mask>(xoff);
    m_out.xon = static_cast<class_mask>(xon);

    // First stage: the frame whose last beat this edge samples.
    passing_frame arriving;
    if (in.frame != nullptr) {
        arriving = {true, *in.frame};
    }
    m_parsed = m_before_parsed.shift(arriving);
    m_out.control_frame = m_parsed.present;
}

}  // namespace weir::model
