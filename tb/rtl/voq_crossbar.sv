// VOQ ingress with a crossbar of cells: frames wait per ingress port, egress port and class; in each slot the arbiter
// matches ports, and each match moves one cell of its VOQ's first frame. A speedup of S is S slots per cell time of a
// line: whoever drives `slot` decides it.
//
// A VOQ asks while it has a frame and the egress port has room for a whole one, or while its first frame is on its way:
// a frame that was begun is never stopped half way. Frames of one VOQ cross one after another, those of several VOQs
// interleaved. A slot takes a clock cycle per iteration of the arbiter, and one more; frames that arrive meanwhile
// ask from the next slot on.
module voq_crossbar #(
    parameter int unsigned PORTS = 4,
    parameter int unsigned CLASSES = 8,
    parameter int unsigned DEPTH = 64,   // frames of one VOQ; a power of two
    parameter int unsigned LENGTH = 8,   // bits of a frame's length in cells
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
    output logic              overflow,  // a frame came for a VOQ that was full, and is lost; stays

    input  logic              slot,  // a slot begins; not before the last one is done
    input  logic [8:0]        iterations,
    input  logic [PORTS-1:0]  room [CLASSES],  // egress ports that can take a whole frame of the class

    output logic              slot_done,  // what the slot moved, by egress port:
    output logic [PORTS-1:0]  moved,
    output logic [PORTS-1:0]  moved_last,  // the frame's last cell
    output logic [PW-1:0]     moved_ingress [PORTS],
    output logic [CW-1:0]     moved_class [PORTS]
);

  // Of each VOQ, [ingress][egress][class]: a ring of lengths, and the cells that its first frame has left once begun.
  logic [LENGTH-1:0] lengths [PORTS][PORTS][CLASSES][DEPTH];
  logic [DW:0]       first [PORTS][PORTS][CLASSES];
  logic [DW:0]       beyond [PORTS][PORTS][CLASSES];
  logic [LENGTH-1:0] left [PORTS][PORTS][CLASSES];

  logic [PORTS-1:0] asks [CLASSES][PORTS];
  always_comb
    for (int unsigned c = 0; c < CLASSES; c++)
      for (int unsigned e = 0; e < PORTS; e++)
        for (int unsigned i = 0; i < PORTS; i++)
          asks[c][e][i] = first[i][e][c] != beyond[i][e][c] && (room[c][e] || left[i][e][c] != '0);

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

  // Cells of the matches that the last edge has made.
  logic [LENGTH-1:0] to_go [PORTS];  // cells of the frame that have not crossed
  always_comb
    for (int unsigned e = 0; e < PORTS; e++) begin
      automatic logic [PW-1:0] i = grant_ingress[e];
      automatic logic [CW-1:0] c = grant_class[e];
      to_go[e] = left[i][e][c] != '0 ? left[i][e][c] : lengths[i][e][c][first[i][e][c][DW-1:0]];
    end

  always_ff @(posedge clk) begin
    slot_done <= done;
    moved <= slot ? '0 : moved | accepted;
    for (int unsigned e = 0; e < PORTS; e++)
      if (accepted[e]) begin
        moved_ingress[e] <= grant_ingress[e];
        moved_class[e] <= grant_class[e];
        moved_last[e] <= to_go[e] == 1;
        left[grant_ingress[e]][e][grant_class[e]] <= to_go[e] - 1'b1;
        if (to_go[e] == 1)
          first[grant_ingress[e]][e][grant_class[e]] <= first[grant_ingress[e]][e][grant_class[e]] + 1'b1;
      end
    for (int unsigned i = 0; i < PORTS; i++)
      if (arrive[i]) begin
        automatic logic [PW-1:0] e = arrive_egress[i];
        automatic logic [CW-1:0] c = arrive_class[i];
        if (beyond[i][e][c] - first[i][e][c] == (DW + 1)'(DEPTH)) begin
          overflow <= 1'b1;
        end else begin
          lengths[i][e][c][beyond[i][e][c][DW-1:0]] <= arrive_cells[i];
          beyond[i][e][c] <= beyond[i][e][c] + 1'b1;
        end
      end
    if (rst) begin
      slot_done <= 1'b0;
      moved <= '0;
      overflow <= 1'b0;
      for (int unsigned i = 0; i < PORTS; i++)
        for (int unsigned e = 0; e < PORTS; e++)
          for (int unsigned c = 0; c < CLASSES; c++) begin
            first[i][e][c] <= '0;
            beyond[i][e][c] <= '0;
            left[i][e][c] <= '0;
          end
    end
  end

endmodule
