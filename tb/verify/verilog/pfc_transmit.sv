// The transmit side of PFC at one port (IEEE 802.1Qbb; 802.3 Annex 31D): requests to stop classes become frames.
//
// The edge R samples a changed request; `paused` follows for R + 1, and the frame is launched then: its statistics and
// `waiting` are there for R + 2. A frame names every class that is paused, was paused by the frame before, or was
// asked for since; a released class has time 0. While a frame waits to be taken, requests merge. A paused class is
// announced again when its refresh time is over, and all others with it. A class whose request comes in the very
// cycle of a launch is named by a frame of its own right after it.
module pfc_transmit (
    input  logic        clk,
    input  logic        rst,

    input  logic [23:0] step,        // what a refresh counter loses per cycle, 1/256 quantum
    input  logic        enable,      // PFC at all; off, it holds what it was told last
    input  logic [15:0] quanta [8],  // what a pause carries, per class
    input  logic [15:0] refresh [8], // after which it is announced again

    input  logic [7:0]  request,     // classes that the link partner shall stop
    input  logic        resend,      // announce what holds once more
    input  logic        taken,       // the waiting frame's last beat has gone

    output logic        waiting,
    output logic [7:0]  frame_enable,
    output logic [15:0] frame_quanta [8],

    output logic        pfc_frame,   // one cycle for each frame launched, with its classes
    output logic [7:0]  xoff,
    output logic [7:0]  xon,
    output logic [7:0]  paused
);

  logic        due;    // a frame has to be launched
  logic [7:0]  named;  // what it has to name
  logic [23:0] left [8];

  logic [7:0] run_out;
  always_comb for (int unsigned c = 0; c < 8; c++) run_out[c] = paused[c] && left[c] <= step;

  wire       free = enable & ~waiting;
  wire       launch = due & free;
  wire       changed = free && request != paused;
  wire [7:0] next_paused = changed ? request : paused;

  always_ff @(posedge clk) begin
    due <= ~launch & (due | resend | changed | run_out != '0);
    paused <= next_paused;
    pfc_frame <= launch && named != '0;
    xoff <= launch ? named & next_paused : '0;
    xon <= launch ? named & ~next_paused : '0;
    if (launch) begin
      waiting <= named != '0;
      frame_enable <= named;
      named <= paused | next_paused;
    end else begin
      if (taken) waiting <= 1'b0;
      if (changed) named <= named | next_paused;
    end
    for (int unsigned c = 0; c < 8; c++) begin
      left[c] <= left[c] > step ? left[c] - step : '0;
      if (launch) begin
        frame_quanta[c] <= named[c] && next_paused[c] ? quanta[c] : '0;
        left[c] <= paused[c] ? {refresh[c], 8'd0} : '0;
      end
    end
    if (rst) begin
      due <= 1'b0;
      paused <= '0;
      named <= '0;
      waiting <= 1'b0;
      pfc_frame <= 1'b0;
      xoff <= '0;
      xon <= '0;
      for (int unsigned c = 0; c < 8; c++) left[c] <= '0;
    end
  end

endmodule
