// A whole switch of cells, behind its lookup: VOQs, arbiter and crossbar (voq_crossbar.sv), and at each egress port a
// memory with queues by class and a line. It has a clock of its own, and takes nothing from outside but frames.
//
// A slot, in which each match moves one cell, is SLOT clock cycles: one that takes what came, one per iteration of the
// arbiter, one to move the last of the cells. With speedup S a line moves CELL bytes in S slots, LINE bytes in a cycle:
// CELL = S x SLOT x LINE.
//
//   edge     0     1     2     3     4     5     6     7     0     1
//   in       | cells of the last slot are at egress          | and those of this one
//            |     | the slot begins: who asks               |     | the next one
//            |     |     matching, iteration by iteration    |
//
// A frame has room at its egress port from its first cell on: `capacity` bytes, and a class is asked for while one more
// of `largest` fits. It can leave when its last cell is there, the highest class first. Memory is free again when the
// last bytes are read, one cycle before the line has them.
module cell_switch #(
    parameter int unsigned PORTS = 4,
    parameter int unsigned CLASSES = 8,
    parameter int unsigned DEPTH = 64,    // frames of one VOQ; a power of two
    parameter int unsigned QUEUE = 4096,  // frames of one class at one egress port; a power of two
    parameter int unsigned SLOT = 8,      // cycles; 3 or more, a power of two
    parameter int unsigned CELL = 64,     // bytes; a power of two
    parameter int unsigned LINE = 2,      // bytes in a cycle
    parameter int unsigned ID = 16,       // bits of what a frame is called
    localparam int unsigned PW = $clog2(PORTS),
    localparam int unsigned CW = $clog2(CLASSES),
    localparam int unsigned SW = $clog2(SLOT),
    localparam int unsigned LENGTH = 16 - $clog2(CELL)
) (
    input  logic             clk,
    input  logic             rst,  // the edge after it is edge 0 of a slot

    // Constant between resets.
    input  logic [8:0]       iterations,  // 1 to SLOT - 2
    input  logic [31:0]      capacity,    // of an egress memory, bytes
    input  logic [15:0]      largest,     // frame, bytes; at most `capacity`
    input  logic [15:0]      overhead,    // preamble, delimiter and gap of a frame on the line, bytes

    input  logic [PORTS-1:0] arrive,  // by ingress port: a frame is looked up, and enters its VOQ
    input  logic [PW-1:0]    arrive_egress [PORTS],
    input  logic [CW-1:0]    arrive_class [PORTS],
    input  logic [15:0]      arrive_bytes [PORTS],  // 1 or more; CELL less than 2^16 at most
    input  logic [ID-1:0]    arrive_id [PORTS],

    output logic             overflow,  // a VOQ or a queue was full, and a frame is lost; stays
    output logic [PORTS-1:0] depart,    // by egress port: a frame's last bytes, gap included, are on the line
    output logic [ID-1:0]    depart_id [PORTS]
);

  typedef struct packed {
    logic [ID-1:0] id;
    logic [15:0]   length;
  } frame_t;

  logic [SW-1:0] phase;
  always_ff @(posedge clk) phase <= rst ? '0 : phase + 1'b1;
  wire           landing = phase == '0;
  wire           slot = phase == SW'(1);

  // --- from ingress to egress -------------------------------------------------------------------------------------
  logic [LENGTH-1:0] arrive_cells [PORTS];
  frame_t            arrive_frame [PORTS];
  always_comb
    for (int unsigned i = 0; i < PORTS; i++) begin
      arrive_frame[i] = '{id: arrive_id[i], length: arrive_bytes[i]};
      arrive_cells[i] = LENGTH'((arrive_bytes[i] + 16'(CELL - 1)) / 16'(CELL));
    end

  logic [31:0]      held [PORTS];  // by egress port: bytes that are there or on their way
  logic [PORTS-1:0] has_room;
  logic [PORTS-1:0] room [CLASSES];
  always_comb begin
    for (int unsigned e = 0; e < PORTS; e++) has_room[e] = held[e] + 32'(largest) <= capacity;
    for (int unsigned c = 0; c < CLASSES; c++) room[c] = has_room;
  end

  logic             voq_overflow;
  logic [PORTS-1:0] moved;
  logic [PORTS-1:0] moved_first;
  logic [PORTS-1:0] moved_last;
  logic [CW-1:0]    moved_class [PORTS];
  frame_t           moved_frame [PORTS];
  // verilator lint_off PINCONNECTEMPTY
  voq_crossbar #(.PORTS(PORTS), .CLASSES(CLASSES), .DEPTH(DEPTH), .LENGTH(LENGTH), .TAG($bits(frame_t))) crossbar (
      .clk, .rst, .arrive, .arrive_egress, .arrive_class, .arrive_cells, .arrive_tag(arrive_frame),
      .overflow(voq_overflow), .slot, .iterations, .room, .slot_done(),
      .moved, .moved_first, .moved_last, .moved_ingress(), .moved_class, .moved_tag(moved_frame)
  );
  // verilator lint_on PINCONNECTEMPTY

  // --- egress -----------------------------------------------------------------------------------------------------
  logic [PORTS-1:0] queue_overflow;
  for (genvar e = 0; e < PORTS; e++) begin : g_egress
    egress_line #(.CLASSES(CLASSES), .QUEUE(QUEUE), .LINE(LINE), .ID(ID)) egress (
        .clk, .rst, .overhead,
        .reserve(landing & moved[e] & moved_first[e]), .enter(landing & moved[e] & moved_last[e]),
        .in_class(moved_class[e]), .in_bytes(moved_frame[e].length), .in_id(moved_frame[e].id),
        .held(held[e]), .overflow(queue_overflow[e]), .depart(depart[e]), .depart_id(depart_id[e])
    );
  end
  assign overflow = voq_overflow | queue_overflow != '0;

endmodule
