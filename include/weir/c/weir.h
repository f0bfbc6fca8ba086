// Single blocks of the model as C functions, for a testbench of RTL: the model is the scoreboard inside your
// own simulator. For C99, C++, DPI-C (weir_dpi.sv beside this file) and ctypes; examples: docs/c-interface.md.
//
//   const char* error;
//   weir_islip* arbiter = weir_islip_create(WEIR_C_MAJOR, "ports=8", &error);
//   const uint32_t asking[WEIR_PORT_WORDS] = {0x81};
//   weir_islip_request(arbiter, 2, 7, asking);    // ingress ports 0 and 7 ask egress port 2 in class 7
//   weir_islip_step(arbiter, 4, NULL, NULL);      // 1: one match
//   weir_islip_match(arbiter, 2, NULL);           // 0: with ingress port 0
//   weir_free(arbiter);
//
// Create: `options` are `name=value`, with blanks between; docs/c-interface.md lists them. `api_major` is
// WEIR_C_MAJOR of this header. What is wrong gives NULL, and in `*error` a line for each option at fault: its
// name, what is wrong, what is expected. The text stays until the thread's next create. It is empty on success;
// `error` may be NULL.
//
// All other functions return 0 or more, or WEIR_NONE where nothing was found. WEIR_ERROR means that an argument
// is out of its range: nothing has changed, and `weir_error` says what is wrong. A NULL block and a block of
// another kind are errors like these; a block that was freed is undefined.
//
// Sets of ports are WEIR_PORT_WORDS words of 32 bits, port 0 in the lowest bit of the first word: `bit [255:0]`
// in SystemVerilog. Sets of classes are masks, class 0 in the lowest bit. Pointers are not NULL where nothing
// else is said.
//
// Blocks share no state. Threads may use different blocks at the same time, and one block one after the other.
#ifndef WEIR_C_WEIR_H
#define WEIR_C_WEIR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Another major version: functions have changed. A higher minor version: there are more of them.
#define WEIR_C_MAJOR 1
#define WEIR_C_MINOR 0

#define WEIR_NONE (-1)
#define WEIR_ERROR (-2)
#define WEIR_PORT_WORDS 8

/// Of the library: WEIR_C_MAJOR << 16 | WEIR_C_MINOR.
uint32_t weir_c_version(void);
/// What was wrong at the last WEIR_ERROR of this block, as `name: value; expected ...`; empty if nothing was.
/// It stays until the next one, or until the block is freed.
const char* weir_error(const void* block);
/// A block of any kind; NULL is allowed.
void weir_free(void* block);

// --- iSLIP crossbar arbiter with strict priority classes ---

typedef struct weir_islip weir_islip;

/// No requests; all pointers at 0.
weir_islip* weir_islip_create(uint32_t api_major, const char* options, const char** error);
/// The ingress ports that ask this egress port in this class, from now on.
int weir_islip_request(weir_islip* block, uint32_t egress_port, uint32_t frame_class,
                       const uint32_t* ingress_ports);
/// One run of at most `iterations` (0: until no eligible pair is left) over the ports that are free (NULL:
/// all). Returns the number of matches. Requests stay.
int weir_islip_step(weir_islip* block, uint32_t iterations, const uint32_t* free_ingress,
                    const uint32_t* free_egress);

// Of the last run. Class outputs may be NULL.

/// The ingress port that the egress port is matched with, or WEIR_NONE.
int weir_islip_match(weir_islip* block, uint32_t egress_port, uint32_t* frame_class);
/// Iterations that hardware makes: the first without a refused grant is the last. 1 or more; 0 before the first
/// run.
int weir_islip_iterations(weir_islip* block);
/// The ingress port that the egress port has granted in an iteration, or WEIR_NONE. Range of `iteration`: below
/// weir_islip_iterations. `*accepted`: 1 if the ingress port took it.
int weir_islip_grant(weir_islip* block, uint32_t iteration, uint32_t egress_port, uint32_t* frame_class,
                     uint32_t* accepted);

// Ports preferred next.
int weir_islip_grant_pointer(weir_islip* block, uint32_t egress_port, uint32_t frame_class);
int weir_islip_accept_pointer(weir_islip* block, uint32_t ingress_port, uint32_t frame_class);

// --- ternary memory with a RAM of acceptable ports ---

typedef struct weir_tcam weir_tcam;

/// All lines are vacant.
weir_tcam* weir_tcam_create(uint32_t api_major, const char* options, const char** error);
/// Writes a line, vacant or not. `mask`: 1 = this bit is compared. The highest priority wins, of equals the
/// lowest index. `valid` 0: it matches nothing.
int weir_tcam_write(weir_tcam* block, uint32_t index, uint32_t valid, uint64_t value, uint64_t mask,
                    uint32_t priority, const uint32_t* acceptable_ports);
/// Vacates a line; a vacant one is an error.
int weir_tcam_erase(weir_tcam* block, uint32_t index);
/// Index of the winner, and its ports (NULL: not wanted); WEIR_NONE and the empty set without one. Takes no
/// time: the pipeline around it is the testbench's.
int weir_tcam_lookup(weir_tcam* block, uint64_t key, uint32_t* acceptable_ports);

// --- PFC, receive side: cycle by cycle ---

typedef struct weir_pfc_receive weir_pfc_receive;

enum { WEIR_NO_FRAME = 0, WEIR_PFC_FRAME = 1, WEIR_PAUSE_FRAME = 2 };

/// No pause under way.
weir_pfc_receive* weir_pfc_receive_create(uint32_t api_major, const char* options, const char** error);
/// One rising edge, which samples all of these. `frame`: the last beat of a good control frame of that kind is
/// there (WEIR_NO_FRAME: none). `class_enable` and `quanta` (8 times in units of 512 bit times) are those of
/// the frame. `enabled_classes`: classes whose pauses the transmitter is told. `acknowledge`: classes that the
/// transmitter has stopped.
int weir_pfc_receive_step(weir_pfc_receive* block, uint32_t pfc_enable, uint32_t enabled_classes,
                          uint32_t acknowledge, uint32_t frame, uint32_t class_enable, const uint16_t* quanta);
/// Registered outputs after that edge. `control_frame`, `pfc_frame`: pulses of one cycle; `xoff`, `xon`:
/// classes of the latter; `request`: classes that the transmitter has to stop.
int weir_pfc_receive_read(weir_pfc_receive* block, uint32_t* control_frame, uint32_t* pfc_frame, uint32_t* xoff,
                          uint32_t* xon, uint32_t* request);

// --- PFC, transmit side: cycle by cycle ---

typedef struct weir_pfc_transmit weir_pfc_transmit;

/// Nothing paused, no frame waits.
weir_pfc_transmit* weir_pfc_transmit_create(uint32_t api_major, const char* options, const char** error);
/// One rising edge. `request`: classes that the link partner shall stop. `resend`: announce what holds once
/// more. `taken`: the last beat of the frame that waits is taken at this edge.
int weir_pfc_transmit_step(weir_pfc_transmit* block, uint32_t pfc_enable, uint32_t request, uint32_t resend,
                           uint32_t taken);
/// Registered outputs after that edge. `waiting`: a frame wants to be sent; `pfc_frame`: a pulse at its launch;
/// `xoff`, `xon`: classes that it announces as paused and as released; `paused`: classes held as paused.
int weir_pfc_transmit_read(weir_pfc_transmit* block, uint32_t* waiting, uint32_t* pfc_frame, uint32_t* xoff,
                           uint32_t* xon, uint32_t* paused);
/// The frame launched last: its class-enable vector, and 8 times in units of 512 bit times.
int weir_pfc_transmit_frame(weir_pfc_transmit* block, uint32_t* class_enable, uint16_t* quanta);

// --- packet memory that all ports share ---

typedef struct weir_shared_buffer weir_shared_buffer;

enum { WEIR_STORED = 0, WEIR_INGRESS_FULL = 1, WEIR_EGRESS_FULL = 2 };

/// Empty. Of an option that has no effect beside the others (`weir run` warns of it) nothing is said.
weir_shared_buffer* weir_shared_buffer_create(uint32_t api_major, const char* options, const char** error);
/// A frame comes: WEIR_STORED; or nothing is stored, because its group (ingress port and class) or its queue
/// (egress port and class) may have no more. Range of `frame_bytes`: 1 to 65,535.
int weir_shared_buffer_admit(weir_shared_buffer* block, uint32_t ingress_port, uint32_t frame_class,
                             uint32_t egress_port, uint32_t frame_bytes);
/// A stored frame leaves. More than its group or its queue holds is an error.
int weir_shared_buffer_release(weir_shared_buffer* block, uint32_t ingress_port, uint32_t frame_class,
                               uint32_t egress_port, uint32_t frame_bytes);
/// 1 while the group is to be paused (XOFF sent), else 0.
int weir_shared_buffer_paused(weir_shared_buffer* block, uint32_t ingress_port, uint32_t frame_class);
/// The slice that such frames are stored in; 0 where there is one.
int weir_shared_buffer_slice(weir_shared_buffer* block, uint32_t ingress_port, uint32_t egress_port);
/// What a group holds of a slice, and its threshold now. Unit: cells.
int weir_shared_buffer_group(weir_shared_buffer* block, uint32_t slice, uint32_t ingress_port,
                             uint32_t frame_class, uint32_t* minimum, uint32_t* shared, uint32_t* headroom,
                             uint64_t* threshold);
/// What a queue holds of a slice. Unit: cells.
int weir_shared_buffer_queue(weir_shared_buffer* block, uint32_t slice, uint32_t egress_port,
                             uint32_t frame_class, uint32_t* cells);
/// Free cells of a slice's shared pool of the lossless groups (`lossless` 1) or of the lossy ones (0).
int weir_shared_buffer_pool(weir_shared_buffer* block, uint32_t slice, uint32_t lossless, uint32_t* free_cells);

#ifdef __cplusplus
}
#endif

#endif
