// One egress port: a memory with a queue for each class, and the line that it feeds, the highest class first.
//
// A frame's bytes are held from `reserve`, when its first cell has come, until its last bytes are read for the line,
// which has them one cycle later. It can be read from the cycle after `enter` on, when its last cell has come; the
// next one follows without a gap.
//
//   enter    ~~~\_______________________
//   read     ____< first >< ... >< last >_____     frame and overhead, LINE bytes in each cycle
//   depart   ____________________________/~~~\
module egress_line #(
    parameter int unsigned CLASSES = 8,
    parameter int unsigned QUEUE = 4096,  // frames of one class; a power of two
    parameter int unsigned LINE = 2,      // bytes in a cycle
    parameter int unsigned ID = 16,       // bits of what a frame is called
    localparam int unsigned CW = $clog2(CLASSES),
    localparam int unsigned QW = $clog2(QUEUE)
) (
    input  logic          clk,
    input  logic          rst,
    input  logic [15:0]   overhead,  // of a frame on the line, bytes

    input  logic          reserve,
    input  logic          enter,
    input  logic [CW-1:0] in_class,
    input  logic [15:0]   in_bytes,  // with the overhead more than LINE
    input  logic [ID-1:0] in_id,

    output logic [31:0]   held,      // bytes
    output logic          overflow,  // a queue was full, and a frame is lost; stays
    output logic          depart,    // a frame's last bytes are on the line
    output logic [ID-1:0] depart_id
);

  typedef struct packed {
    logic [ID-1:0] id;
    logic [15:0]   length;
  } frame_t;

  frame_t             queue [CLASSES][QUEUE];
  logic [QW:0]        first [CLASSES];
  logic [QW:0]        beyond [CLASSES];
  logic [CLASSES-1:0] backlog;

  logic [CW-1:0] chosen;
  always_comb begin
    chosen = '0;
    for (int unsigned c = 0; c < CLASSES; c++) if (backlog[c]) chosen = CW'(c);
  end

  frame_t        sending;
  logic [15:0]   cycles_left;  // of the frame that is read; 0: none
  wire           last_read = cycles_left == 1;
  wire           begins = cycles_left == '0 && backlog != '0;
  wire  [QW:0]   after_first = first[chosen] + 1'b1;
  wire  frame_t  next = queue[chosen][first[chosen][QW-1:0]];
  wire  [15:0]   cycles_of_next = 16'((17'(next.length) + 17'(overhead) + 17'(LINE - 1)) / 17'(LINE));
  wire           full = beyond[in_class] - first[in_class] == (QW + 1)'(QUEUE);

  always_ff @(posedge clk) begin
    depart <= last_read;
    depart_id <= sending.id;
    held <= held + (reserve ? 32'(in_bytes) : '0) - (last_read ? 32'(sending.length) : '0);
    if (cycles_left != '0) cycles_left <= cycles_left - 1'b1;
    if (begins) begin
      sending <= next;
      cycles_left <= cycles_of_next - 1'b1;
      first[chosen] <= after_first;
      backlog[chosen] <= after_first != beyond[chosen];
    end
    // A frame that comes as the last one before it begins keeps its class waiting.
    if (enter && full) overflow <= 1'b1;
    if (enter && !full) begin
      queue[in_class][beyond[in_class][QW-1:0]] <= '{id: in_id, length: in_bytes};
      beyond[in_class] <= beyond[in_class] + 1'b1;
      backlog[in_class] <= 1'b1;
    end
    if (rst) begin
      depart <= 1'b0;
      overflow <= 1'b0;
      held <= '0;
      backlog <= '0;
      cycles_left <= '0;
      for (int unsigned c = 0; c < CLASSES; c++) begin
        first[c] <= '0;
        beyond[c] <= '0;
      end
    end
  end

endmodule
