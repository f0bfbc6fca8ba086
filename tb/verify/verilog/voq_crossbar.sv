// VOQ ingress with a crossbar of cells: frames wait per ingress port, egress port and class; in each slot the arbiter
// matches ports, and each match moves one cell of its VOQ's first frame. A speedup of S is S slots per cell time of a
// line: whoever drives `slot` decides it.
//
// A VOQ asks while it has a frame and the egress port has room for a whole one, or while its first frame is on its way:
// a frame that was begun is never stopped half way. Frames of one VOQ cross one after another, those of several VOQs
// interleaved. A slot takes a clock cycle per iteration of the arbiter, and one more; frames that arrive meanwhile
// ask from the next slot on. A frame's tag goes along with its cells: whoever drives it decides what it says.
module voq_crossbar #(
    parameter int unsigned PORTS = 4,
    parameter int unsigned CLASSES = 8,
    parameter int unsigned DEPTH = 64,   // frames of one VOQ; a power of two
    parameter int unsigned LENGTH = 8,   // bits of a frame's length in cells
    parameter int unsigned TAG = 1,      // bits of a frame's tag
    localparam int unsigned PW = $clog2(PORTS),
    localparam int unsigned CW = $clog2(CLASSES),
    localparam int unsigned DW = $clog2(DEPTH)
) (
    input  logic              clk,
    input  logic              rst,

    input  logic [PORTS-1:0]  arrive,  // by ingress port: a frame enters its VOQ
    input  logic [PW-1:0]     arrive_egress [PORTS],
    input  logic [CW-1:0]     arrive_class [PORTS],
    input  logic [LENGTH-1:0] arrive_cells [PORTS],  // 1 or more
    input  logic [TAG-1:0]    arrive_tag [PORTS],
    output logic              overflow,  // a frame came for a VOQ that was full, and is lost; stays

    input  logic              slot,  // a slot begins; not before the last one is done
    input  logic [8:0]        iterations,
    input  logic [PORTS-1:0]  room [CLASSES],  // egress ports that can take a whole frame of the class

    output logic              slot_done,  // what the slot moved, by egress port:
    output logic [PORTS-1:0]  moved,
    output logic [PORTS-1:0]  moved_first,  // the frame's first cell
    output logic [PORTS-1:0]  moved_last,   // and its last one
    output logic [PW-1:0]     moved_ingress [PORTS],
    output logic [CW-1:0]     moved_class [PORTS],
    output logic [TAG-1:0]    moved_tag [PORTS]
);

  // Of each VOQ, [ingress][egress][class]: a ring of frames, and the cells that its first frame has left once begun. A
  // frame that finds its ring empty begins it anew: only the sets below need a reset.
  logic [LENGTH+TAG-1:0] frames [PORTS][PORTS][CLASSES][DEPTH];
  logic [DW:0]           first [PORTS][PORTS][CLASSES];
  logic [DW:0]           beyond [PORTS][PORTS][CLASSES];
  logic [LENGTH-1:0]     left [PORTS][PORTS][CLASSES];

  // Sets of ingress ports: whose VOQ has a frame, and whose first frame is on its way.
  logic [PORTS-1:0] waiting [CLASSES][PORTS];
  logic [PORTS-1:0] begun [CLASSES][PORTS];
  logic [PORTS-1:0] asks [CLASSES][PORTS];
  always_comb
    for (int unsigned c = 0; c < CLASSES; c++)
      for (int unsigned e = 0; e < PORTS; e++) asks[c][e] = room[c][e] ? waiting[c][e] : begun[c][e];

  // The arbiter's run sees what its first cycle has seen.
  logic [PORTS-1:0] asked [CLASSES][PORTS];
  logic [PORTS-1:0] eligible [CLASSES][PORTS];
  always_ff @(posedge clk) if (slot) asked <= asks;
  always_comb eligible = slot ? asks : asked;

  logic             done;
  logic [PORTS-1:0] accepted;
  logic [PW-1:0]    grant_ingress [PORTS];
  logic [CW-1:0]    grant_class [PORTS];
  // verilator lint_off PINCONNECTEMPTY
  islip_arbiter #(.PORTS(PORTS), .CLASSES(CLASSES)) arbiter (
      .clk, .rst, .start(slot), .iterations, .free_ingress('1), .free_egress('1), .eligible,
      .done, .granted(), .accepted, .grant_ingress, .grant_class, .grant_pointer(), .accept_pointer()
  );
  // verilator lint_on PINCONNECTEMPTY

  // The frames whose cells the last edge has matched.
  logic [PORTS-1:0]      is_begun;
  logic [LENGTH+TAG-1:0] head [PORTS];
  logic [LENGTH-1:0]     to_go [PORTS];  // cells of the frame that have not crossed
  always_comb
    for (int unsigned e = 0; e < PORTS; e++) begin
      automatic logic [PW-1:0] i = grant_ingress[e];
      automatic logic [CW-1:0] c = grant_class[e];
      is_begun[e] = begun[c][e][i];
      head[e] = '0;
      to_go[e] = '0;
      if (accepted[e]) begin
        head[e] = frames[i][e][c][first[i][e][c][DW-1:0]];
        to_go[e] = is_begun[e] ? left[i][e][c] : head[e][LENGTH-1:0];
      end
    end

  always_ff @(posedge clk) begin
    slot_done <= done;
    moved <= slot ? '0 : moved | accepted;
    for (int unsigned e = 0; e < PORTS; e++)
      if (accepted[e]) begin
        automatic logic [PW-1:0] i = grant_ingress[e];
        automatic logic [CW-1:0] c = grant_class[e];
        moved_ingress[e] <= i;
        moved_class[e] <= c;
        moved_tag[e] <= head[e][LENGTH+:TAG];
        moved_first[e] <= !is_begun[e];
        moved_last[e] <= to_go[e] == 1;
        left[i][e][c] <= to_go[e] - 1'b1;
        begun[c][e][i] <= to_go[e] != 1;
        if (to_go[e] == 1) begin
          first[i][e][c] <= first[i][e][c] + 1'b1;
          waiting[c][e][i] <= first[i][e][c] + 1'b1 != beyond[i][e][c];
        end
      end
    // A frame that comes as the last one before it leaves keeps its VOQ waiting.
    for (int unsigned i = 0; i < PORTS; i++)
      if (arrive[i]) begin
        automatic logic [PW-1:0] e = arrive_egress[i];
        automatic logic [CW-1:0] c = arrive_class[i];
        if (!waiting[c][e][i]) begin
          frames[i][e][c][0] <= {arrive_tag[i], arrive_cells[i]};
          first[i][e][c] <= '0;
          beyond[i][e][c] <= 1;
          waiting[c][e][i] <= 1'b1;
        end else if (beyond[i][e][c] - first[i][e][c] == (DW + 1)'(DEPTH)) begin
          overflow <= 1'b1;
        end else begin
          frames[i][e][c][beyond[i][e][c][DW-1:0]] <= {arrive_tag[i], arrive_cells[i]};
          beyond[i][e][c] <= beyond[i][e][c] + 1'b1;
          waiting[c][e][i] <= 1'b1;
        end
      end
    if (rst) begin
      slot_done <= 1'b0;
      moved <= '0;
      overflow <= 1'b0;
      for (int unsigned c = 0; c < CLASSES; c++)
        for (int unsigned e = 0; e < PORTS; e++) begin
          waiting[c][e] <= '0;
          begun[c][e] <= '0;
        end
    end
  end

endmodule
