// The receive side of PFC at one port (IEEE 802.1Qbb; 802.3 Annex 31D): parsed control frames become pauses of
// classes.
//
// The edge L samples a good MAC control frame's last beat. Then `control_frame` is there for the edge L + 1,
// statistics for L + 2, when the timers are loaded, and `request` follows the timers for L + 3. A frame replaces the
// timers of the classes that it enables, by 0 too, and leaves the others. A timer counts while the transmitter
// acknowledges the pause: a frame under way is finished first.
module pfc_receive (
    input  logic        clk,
    input  logic        rst,

    input  logic [23:0] step,         // what a timer loses per cycle, 1/256 quantum; a quantum is 512 bit times
    input  logic        enable,       // PFC at all
    input  logic [7:0]  enable_class, // classes whose pauses the transmitter is told

    input  logic        frame,        // a MAC control frame ...
    input  logic        frame_is_pfc, // ... of opcode 01-01
    input  logic [7:0]  frame_enable,
    input  logic [15:0] frame_quanta [8],

    input  logic [7:0]  acknowledge,  // classes that the transmitter has stopped

    output logic        control_frame,
    output logic        pfc_frame,    // one cycle for each PFC frame taken, with its classes
    output logic [7:0]  xoff,
    output logic [7:0]  xon,
    output logic [7:0]  request       // classes that the transmitter has to stop
);

  logic        is_pfc;
  logic [7:0]  enable_vector;
  logic [15:0] quanta [8];
  always_ff @(posedge clk) begin
    control_frame <= frame & ~rst;
    is_pfc <= frame_is_pfc;
    enable_vector <= frame_enable;
    quanta <= frame_quanta;
  end

  wire         take = control_frame & is_pfc & enable;
  logic [23:0] timer [8];
  always_ff @(posedge clk) begin
    pfc_frame <= take & ~rst;
    for (int unsigned c = 0; c < 8; c++) begin
      xoff[c] <= take && enable_vector[c] && quanta[c] != '0;
      xon[c] <= take && enable_vector[c] && quanta[c] == '0;
      request[c] <= enable && enable_class[c] && timer[c] != '0;
      if (take && enable_vector[c]) timer[c] <= {quanta[c], 8'd0};
      else if (acknowledge[c]) timer[c] <= timer[c] > step ? timer[c] - step : '0;
      if (rst) begin
        xoff[c] <= 1'b0;
        xon[c] <= 1'b0;
        request[c] <= 1'b0;
        timer[c] <= '0;
      end
    end
  end

endmodule
