// The most bytes that can arrive after XOFF has been decided: found by attack, against the closed form.
#include <cstdio>

#include "system/pfc_adversary.h"
#include "weir/base/unit_text.h"

using namespace weir;
using namespace weir::test;

namespace {
pfc_setting detail_1g() {
    pfc_setting s;
    s.name = "1 Gb/s";
    s.link = {1_Gbps, 6600ns};
    s.parameters.wire_overhead = 20_B;
    s.parameters.device.max_frame = 1510_B;
    s.parameters.device.classes = 1;
    s.parameters.device.egress_buffer = 4 * 1510_B;
    s.parameters.device.share = egress_share::whole;
    s.parameters.flow_control.mode = flow_control_mode::pfc;
    s.parameters.flow_control.xoff = 6000_B;
    s.parameters.device.ingress_buffer = 6000_B+ 1509_B + s.thresholds().reserve;
    return s;
}
TEST(pfc_worst_case, a) {
    pfc_setting s = detail_1g();
    std::printf("reserve %ld xoff %u cap %u\n", s.thresholds().reserve.count(), s.thresholds().limits.xoff, s.thresholds().limits.capacity);
    for (bool sp : {false,true}) {
    s.switch_partner=sp;
    auto c = compute_attack(s, 1);
    auto r = run_attacks(s, {c.script}, c.end);
    auto& o=r.outcomes[0].classes[0];
    std::printf("want %ld got %ld (%u B) in %u; xoff at %ld want %ld at fill %u; %s\n", c.wire_bytes_after.count(), r.outcomes[0].wire_bytes_after(0,20_B).count(), o.bytes_after,
      o.frames_after, o.xoff_at.count(), c.xoff_at[0].count(), o.bytes_at_xoff, r.violation.c_str());
    }
    s.switch_partner=false;
    attack_search q(s, 1);
    auto g=q.grid(64,64); 
    std::printf("grid %ld noxoff %zu wm %u %s\n", g.most.count(), g.without_xoff, g.watermark, g.violation.c_str());
    auto x=q.random(4096);
    std::printf("random %ld noxoff %zu wm %u %s\n", x.most.count(), x.without_xoff, x.watermark, x.violation.c_str());
    g.merge(x);
    g=q.climb(g, 12, 256);
    std::printf("climb %ld noxoff %zu wm %u %s\n", g.most.count(), g.without_xoff, g.watermark, g.violation.c_str());
}
}
