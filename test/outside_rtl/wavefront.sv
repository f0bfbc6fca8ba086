// A wavefront arbiter for one class: diagonal by diagonal, each cell of the request matrix takes its pair if its
// row and its column are still free. Which diagonal goes first moves on by one with each run.
module wavefront #(
    parameter int unsigned PORTS = 4,  // a power of two
    localparam int unsigned PW = $clog2(PORTS)
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             run,
    input  logic [PORTS-1:0] request [PORTS],  // by egress port: ingress ports that ask
    output logic [PORTS-1:0] match [PORTS]     // by egress port: the ingress port matched, or none
);
  logic [PW-1:0] first;  // diagonal

  logic [PORTS-1:0] next_match [PORTS];
  always_comb begin
    logic [PORTS-1:0] row_taken;
    row_taken = '0;
    for (int unsigned e = 0; e < PORTS; e++) next_match[e] = '0;
    for (int unsigned step = 0; step < PORTS; step++)
      for (int unsigned e = 0; e < PORTS; e++) begin
        automatic logic [PW-1:0] i = first + PW'(step + e);
        if (request[e][i] && !row_taken[i] && next_match[e] == '0) begin
          next_match[e][i] = 1'b1;
          row_taken[i] = 1'b1;
        end
      end
  end

  always_ff @(posedge clk) begin
    match <= next_match;
    if (rst) first <= '0;
    else if (run) first <= first + 1'b1;
  end
endmodule
