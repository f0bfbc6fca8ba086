#include "weir/model/memory/shared_buffer.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "model/c/block.h"

namespace weir::model {

namespace {

/// Longest frame. Unit: B.
constexpr std::uint32_t most_frame_bytes = 65'535;

class shared_buffer_block final : public c_block {
 public:
    static constexpr const char* its_kind = "weir_shared_buffer";

    explicit shared_buffer_block(option_text& options) : memory(read(options)) {}

    const char* kind() const override { return its_kind; }

    buffer_flow flow(std::uint32_t ingress_port, std::uint32_t frame_class, std::uint32_t egress_port) const {
        check_below("ingress_port", ingress_port, memory.ports());
        check_below("egress_port", egress_port, memory.ports());
        return {ingress_port, class_of(frame_class, memory.classes()), egress_port};
    }
    std::uint32_t cells(std::uint32_t frame_bytes) const {
        if (frame_bytes < 1 || frame_bytes > most_frame_bytes) {
            throw misuse("frame_bytes: " + std::to_string(frame_bytes) + "; expected 1 to " +
                         std::to_string(most_frame_bytes));
        }
        return memory.cells_of(bytes{frame_bytes});
    }

    shared_buffer memory;

 private:
    static shared_buffer read(option_text& options) {
        std::uint32_t ports = 0;
        std::uint32_t classes = pfc_classes;
        bytes cell{0};
        shared_buffer_config config;
        options.read_required("ports", ports);
        options.read("classes", classes);
        options.read("cell", cell);
        for_each_field(config, [&](const auto& described, auto& value) {
            // A switch's organisation is chosen already, and marking is the queue's.
            if (std::strchr(described.name, '.') == nullptr &&
                std::strcmp(described.name, "ecn_threshold") != 0) {
                options.read(described.name, value);
            }
        });
        range_check check("shared");
        check.within("ports", ports, field_range{1U, max_ports});
        check.within("classes", classes, field_range{1U, pfc_classes});
        check.within("cell", cell, field_range{0_B, 64_KiB});
        check.add(config.validate());
        unsigned lossless = 0;
        for (unsigned c = 0; c < std::min(classes, pfc_classes); ++c) {
            lossless |= config.is_lossless(c) ? 1U << c : 0;
        }
        // A switch computes it for its links.
        check.refuse_missing(lossless != 0 && !config.headroom, "headroom",
                             "is missing; expected that of each lossless group, such as 40KiB");
        options.finish(check.take());

        shared_buffer memory(config, ports, classes, static_cast<class_mask>(lossless), cell,
                             std::vector<bytes>(ports, config.headroom.value_or(0_B)));
        options.finish(memory.errors());
        return memory;
    }
};

}  // namespace

}  // namespace weir::model

using namespace weir::model;

weir_shared_buffer* weir_shared_buffer_create(std::uint32_t api_major, const char* options,
                                              const char** error) {
    return create<weir_shared_buffer, shared_buffer_block>(api_major, options, error);
}

int weir_shared_buffer_admit(weir_shared_buffer* block, std::uint32_t ingress_port, std::uint32_t frame_class,
                             std::uint32_t egress_port, std::uint32_t frame_bytes) {
    return use<shared_buffer_block>(block, [&](shared_buffer_block& b) -> int {
        switch (b.memory.admit(b.flow(ingress_port, frame_class, egress_port), b.cells(frame_bytes))) {
            case admission::ingress_full:
                return WEIR_INGRESS_FULL;
            case admission::egress_full:
                return WEIR_EGRESS_FULL;
            case admission::stored:
                break;
        }
        return WEIR_STORED;
    });
}

int weir_shared_buffer_release(weir_shared_buffer* block, std::uint32_t ingress_port, std::uint32_t frame_class,
                               std::uint32_t egress_port, std::uint32_t frame_bytes) {
    return use<shared_buffer_block>(block, [&](shared_buffer_block& b) {
        const buffer_flow flow = b.flow(ingress_port, frame_class, egress_port);
        const std::uint32_t cells = b.cells(frame_bytes);
        const unsigned slice = b.memory.slice_of(flow);
        const std::uint32_t held = std::min(b.memory.group_usage(slice, ingress_port, flow.frame_class).total(),
                                            b.memory.queue_usage(slice, egress_port, flow.frame_class));
        if (cells > held) {
            throw misuse("frame_bytes: " + std::to_string(frame_bytes) + ", " + std::to_string(cells) +
                         " cells; expected at most the " + std::to_string(held) +
                         " cells that the group and the queue hold");
        }
        b.memory.release(flow, cells);
        return 0;
    });
}

int weir_shared_buffer_paused(weir_shared_buffer* block, std::uint32_t ingress_port,
                              std::uint32_t frame_class) {
    return use<shared_buffer_block>(block, [&](shared_buffer_block& b) {
        const buffer_flow flow = b.flow(ingress_port, frame_class, 0);
        return b.memory.paused(ingress_port, flow.frame_class) ? 1 : 0;
    });
}

int weir_shared_buffer_slice(weir_shared_buffer* block, std::uint32_t ingress_port, std::uint32_t egress_port) {
    return use<shared_buffer_block>(block, [&](shared_buffer_block& b) {
        return static_cast<int>(b.memory.slice_of(b.flow(ingress_port, 0, egress_port)));
    });
}

int weir_shared_buffer_group(weir_shared_buffer* block, std::uint32_t slice, std::uint32_t ingress_port,
                             std::uint32_t frame_class, std::uint32_t* minimum, std::uint32_t* shared,
                             std::uint32_t* headroom, std::uint64_t* threshold) {
    return use<shared_buffer_block>(block, [&](shared_buffer_block& b) {
        check_below("slice", slice, b.memory.slices());
        const weir::pfc_class c = b.flow(ingress_port, frame_class, 0).frame_class;
        for (const void* place : {static_cast<void*>(minimum), static_cast<void*>(shared),
                                  static_cast<void*>(headroom), static_cast<void*>(threshold)}) {
            check_pointer("outputs", place);
        }
        const group_cells& held = b.memory.group_usage(slice, ingress_port, c);
        *minimum = held.minimum;
        *shared = held.shared;
        *headroom = held.headroom;
        *threshold =
            b.memory.threshold_with(ingress_port, c, b.memory.free_shared(slice, b.memory.is_lossless(c)));
        return 0;
    });
}

int weir_shared_buffer_queue(weir_shared_buffer* block, std::uint32_t slice, std::uint32_t egress_port,
                             std::uint32_t frame_class, std::uint32_t* cells) {
    return use<shared_buffer_block>(block, [&](shared_buffer_block& b) {
        check_below("slice", slice, b.memory.slices());
        check_pointer("cells", cells);
        *cells = b.memory.queue_usage(slice, egress_port, b.flow(0, frame_class, egress_port).frame_class);
        return 0;
    });
}

int weir_shared_buffer_pool(weir_shared_buffer* block, std::uint32_t slice, std::uint32_t lossless,
                            std::uint32_t* free_cells) {
    return use<shared_buffer_block>(block, [&](shared_buffer_block& b) {
        check_below("slice", slice, b.memory.slices());
        check_pointer("free_cells", free_cells);
        *free_cells = b.memory.free_shared(slice, lossless != 0);
        return 0;
    });
}
