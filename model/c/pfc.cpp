#include <algorithm>
#include <initializer_list>
#include <utility>

#include "model/c/block.h"
#include "weir/model/clocked/pfc_receive_control.h"
#include "weir/model/clocked/pfc_transmit_control.h"

namespace weir::model {

namespace {

class pfc_receive_block final : public c_block {
 public:
    static constexpr const char* its_kind = "weir_pfc_receive";

    explicit pfc_receive_block(option_text& options) : control(read(options)) {}

    const char* kind() const override { return its_kind; }

    pfc_receive_control control;

 private:
    static pfc_receive_config read(option_text& options) {
        pfc_receive_config config;
        options.read("data_width_bits", config.data_width, "data_width");
        options.read("quanta_step", config.quanta_step);
        options.read("parsed_cycles", config.parsed, "parsed");
        options.read("statistics_cycles", config.statistics, "statistics");
        options.read("request_cycles", config.request, "request");
        options.read_word("timers", config.acknowledged_timers,
                          enum_names<bool>({{true, "acknowledged"}, {false, "always"}}));
        options.finish(config.validate("pfc_receive"));
        return config;
    }
};

class pfc_transmit_block final : public c_block {
 public:
    static constexpr const char* its_kind = "weir_pfc_transmit";

    explicit pfc_transmit_block(option_text& options) : control(read(options)) {}

    const char* kind() const override { return its_kind; }

    pfc_transmit_control control;

 private:
    static pfc_transmit_config read(option_text& options) {
        pfc_transmit_config config;
        options.read("data_width_bits", config.data_width, "data_width");
        options.read("quanta_step", config.quanta_step);
        options.read("quanta", config.quanta);
        options.read("refresh", config.refresh);
        options.read("launch_cycles", config.launch, "launch");
        options.read("first_beat_cycles", config.first_beat, "first_beat");
        options.read("refresh_extra_cycles", config.refresh_extra, "refresh_extra");
        options.read_word("launch_edge", config.edge,
                          enum_names<launch_edge>({{launch_edge::lost, "lost"}, {launch_edge::kept, "kept"}}));
        options.finish(config.validate("pfc_transmit"));
        return config;
    }
};

/// Writes all, or nothing where one has no place.
void write_outputs(std::initializer_list<std::pair<std::uint32_t*, unsigned>> outputs) {
    for (const auto& [place, value] : outputs) {
        check_pointer("outputs", place);
    }
    for (const auto& [place, value] : outputs) {
        *place = value;
    }
}

}  // namespace

}  // namespace weir::model

using namespace weir::model;

weir_pfc_receive* weir_pfc_receive_create(std::uint32_t api_major, const char* options, const char** error) {
    return create<weir_pfc_receive, pfc_receive_block>(api_major, options, error);
}

int weir_pfc_receive_step(weir_pfc_receive* block, std::uint32_t pfc_enable, std::uint32_t enabled_classes,
                          std::uint32_t acknowledge, std::uint32_t frame, std::uint32_t class_enable,
                          const std::uint16_t* quanta) {
    return use<pfc_receive_block>(block, [&](pfc_receive_block& b) {
        pfc_receive_inputs in;
        in.pfc_enable = pfc_enable != 0;
        in.class_enable = mask_of("enabled_classes", enabled_classes);
        in.acknowledge = mask_of("acknowledge", acknowledge);
        check_below("frame", frame, WEIR_PAUSE_FRAME + 1);
        weir::pause_frame decoded;
        if (frame != WEIR_NO_FRAME) {
            check_pointer("quanta", quanta);
            decoded.kind = frame == WEIR_PFC_FRAME ? weir::frame_kind::pfc : weir::frame_kind::pause;
            decoded.fields.class_enable = mask_of("class_enable", class_enable);
            std::copy_n(quanta, weir::pfc_classes, decoded.fields.quanta.begin());
            in.frame = &decoded;
        }
        b.control.clock(in);
        return 0;
    });
}

int weir_pfc_receive_read(weir_pfc_receive* block, std::uint32_t* control_frame, std::uint32_t* pfc_frame,
                          std::uint32_t* xoff, std::uint32_t* xon, std::uint32_t* request) {
    return use<pfc_receive_block>(block, [&](pfc_receive_block& b) {
        const pfc_receive_outputs& out = b.control.outputs();
        write_outputs({{control_frame, out.control_frame},
                       {pfc_frame, out.pfc_frame},
                       {xoff, out.xoff},
                       {xon, out.xon},
                       {request, out.request}});
        return 0;
    });
}

weir_pfc_transmit* weir_pfc_transmit_create(std::uint32_t api_major, const char* options, const char** error) {
    return create<weir_pfc_transmit, pfc_transmit_block>(api_major, options, error);
}

int weir_pfc_transmit_step(weir_pfc_transmit* block, std::uint32_t pfc_enable, std::uint32_t request,
                           std::uint32_t resend, std::uint32_t taken) {
    return use<pfc_transmit_block>(block, [&](pfc_transmit_block& b) {
        pfc_transmit_inputs in;
        in.request = mask_of("request", request);
        in.resend = resend != 0;
        in.pfc_enable = pfc_enable != 0;
        in.taken = taken != 0;
        b.control.clock(in);
        return 0;
    });
}

int weir_pfc_transmit_read(weir_pfc_transmit* block, std::uint32_t* waiting, std::uint32_t* pfc_frame,
                           std::uint32_t* xoff, std::uint32_t* xon, std::uint32_t* paused) {
    return use<pfc_transmit_block>(block, [&](pfc_transmit_block& b) {
        const pfc_transmit_outputs& out = b.control.outputs();
        write_outputs({{waiting, out.waiting},
                       {pfc_frame, out.pfc_frame},
                       {xoff, out.xoff},
                       {xon, out.xon},
                       {paused, out.paused}});
        return 0;
    });
}

int weir_pfc_transmit_frame(weir_pfc_transmit* block, std::uint32_t* class_enable, std::uint16_t* quanta) {
    return use<pfc_transmit_block>(block, [&](pfc_transmit_block& b) {
        check_pointer("quanta", quanta);
        const weir::pause_fields& frame = b.control.frame();
        write_outputs({{class_enable, frame.class_enable}});
        std::copy(frame.quanta.begin(), frame.quanta.end(), quanta);
        return 0;
    });
}
