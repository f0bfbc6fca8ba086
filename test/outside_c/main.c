/* A frame's decisions, one block after the other: which ports lead to its destination, whether memory takes it, which
   egress port is matched; and a pause that a frame of PFC asks for. */
#include <inttypes.h>
#include <stdio.h>
#include <weir/c/weir.h>

/* Says what is wrong with the options of a block. */
static int refused(const void* block, const char* error) {
    if (block == NULL) {
        fprintf(stderr, "%s\n", error);
    }
    return block == NULL;
}

int main(void) {
    const char* error;
    weir_tcam* const table = weir_tcam_create(WEIR_C_MAJOR, "entries=64 key_bits=32", &error);
    if (refused(table, error)) return 1;
    weir_shared_buffer* const memory = weir_shared_buffer_create(
        WEIR_C_MAJOR, "ports=8 cell=208B memory=1MiB lossless_classes=3 alpha=0.125 headroom=40KiB", &error);
    if (refused(memory, error)) return 1;
    weir_islip* const arbiter = weir_islip_create(WEIR_C_MAJOR, "ports=8", &error);
    if (refused(arbiter, error)) return 1;
    weir_pfc_receive* const pauses = weir_pfc_receive_create(WEIR_C_MAJOR, "data_width_bits=64", &error);
    if (refused(pauses, error)) return 1;

    /* 10.0.1.0/24 is reached by ports 2 and 5. */
    const uint32_t uplinks[WEIR_PORT_WORDS] = {1u << 2 | 1u << 5};
    uint32_t ports[WEIR_PORT_WORDS];
    weir_tcam_write(table, 0, 1, 0x0A000100, 0xFFFFFF00, 24, uplinks);
    printf("10.0.1.7: line %d", weir_tcam_lookup(table, 0x0A000107, ports));
    printf(", ports 0x%" PRIx32 "\n", ports[0]);

    /* Frames from port 0 in class 3 for port 2, until port 0 is to be paused. */
    int frames = 0;
    while (weir_shared_buffer_paused(memory, 0, 3) == 0 && weir_shared_buffer_admit(memory, 0, 3, 2, 1500) == WEIR_STORED) {
        frames++;
    }
    printf("XOFF after %d frames\n", frames);

    const uint32_t port_0[WEIR_PORT_WORDS] = {1u << 0};
    weir_islip_request(arbiter, 2, 3, port_0);
    const int matches = weir_islip_step(arbiter, 4, NULL, NULL);
    const int ingress = weir_islip_match(arbiter, 2, NULL);
    printf("%d match: egress port 2 with ingress port %d\n", matches, ingress);

    /* Class 3 shall stop for 10 quanta: 80 cycles of 64 bits. */
    const uint16_t quanta[8] = {0, 0, 0, 10, 0, 0, 0, 0};
    int paused_cycles = 0;
    for (int cycle = 0; cycle < 200; cycle++) {
        uint32_t control_frame, pfc_frame, xoff, xon, request;
        weir_pfc_receive_step(pauses, 1, 0xFF, 0xFF, cycle == 0 ? WEIR_PFC_FRAME : WEIR_NO_FRAME, 1u << 3, quanta);
        weir_pfc_receive_read(pauses, &control_frame, &pfc_frame, &xoff, &xon, &request);
        paused_cycles += request >> 3 & 1;
    }
    printf("paused for %d cycles\n", paused_cycles);

    /* What cannot be is told, and changes nothing. */
    if (weir_islip_request(arbiter, 8, 3, port_0) == WEIR_ERROR) {
        printf("%s\n", weir_error(arbiter));
    }
    weir_free(table);
    weir_free(memory);
    weir_free(arbiter);
    weir_free(pauses);
    return ports[0] == uplinks[0] && matches == 1 && ingress == 0 && paused_cycles == 80 ? 0 : 1;
}
