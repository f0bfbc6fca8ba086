// The model as the scoreboard of a TCAM in RTL: random writes and lookups, also at the same edge, go to tcam.sv and,
// through DPI-C, to weir's TCAM. The model answers at once, so what it says waits here for as many edges as the RTL
// takes. Ends at the first difference, with the cycle, the key, and what came out of both.
module tcam_scoreboard
  import weir_dpi::*;
#(
    parameter int unsigned ENTRIES = 64,
    parameter int unsigned CYCLES = 200_000
);
  localparam int unsigned WORDS = 4;
  localparam int unsigned LATENCY = 3;  // edges from a lookup to its result, both counted
  localparam int unsigned IW = $clog2(ENTRIES);

  logic          clk = 1'b0;
  logic          rst = 1'b1;
  logic          write = 1'b0;
  logic [IW-1:0] write_index;
  logic          write_valid;
  logic [31:0]   write_value;
  logic [31:0]   write_mask;
  logic [63:0]   write_ports [WORDS];
  logic          lookup = 1'b0;
  logic [31:0]   key;
  logic          result;
  logic          hit;
  logic [IW-1:0] index;
  logic [63:0]   ports [WORDS];

  tcam #(.ENTRIES(ENTRIES), .WORDS(WORDS)) dut (.*);

  always #5 clk = ~clk;

  typedef struct packed {
    bit        looked_up;
    bit [31:0] key;
    int        winner;
    ports_t    ports;
  } answer_t;

  chandle      model;
  int unsigned cycle = 0;
  answer_t     expected [LATENCY];  // the oldest last

  function automatic int checked(input int answer);
    if (answer == ERROR) $fatal(1, "weir: %s", weir_error(model));
    return answer;
  endfunction

  // Few different bits, so that many entries match.
  function automatic logic [31:0] draw_key();
    return $urandom & 32'h8010_0403;
  endfunction

  function automatic void draw();
    write = $urandom % 4 == 0;
    write_index = IW'($urandom);
    write_valid = $urandom % 8 != 0;
    write_value = draw_key();
    write_mask = $urandom | 32'h7FE0_0000;
    for (int unsigned w = 0; w < WORDS; w++) write_ports[w] = {$urandom, $urandom};
    lookup = $urandom % 8 != 0;
    key = draw_key();
  endfunction

  // A lookup sees the table as it is before the edge, so the model looks up first.
  function automatic answer_t step_model();
    automatic ports_t found;
    automatic int     winner = checked(weir_tcam_lookup(model, 64'(key), found));
    step_model = '{looked_up: lookup, key: key, winner: winner, ports: found};
    if (write)
      void'(checked(weir_tcam_write(model, 32'(write_index), 32'(write_valid), 64'(write_value), 64'(write_mask), 0,
                                    {write_ports[3], write_ports[2], write_ports[1], write_ports[0]})));
  endfunction

  function automatic void compare(input answer_t was);
    automatic int     winner = hit ? int'(index) : NONE;
    automatic ports_t found = {ports[3], ports[2], ports[1], ports[0]};
    if (result == was.looked_up && (!result || (winner == was.winner && found == was.ports))) return;
    $display("MISMATCH in cycle %0d: lookup %b of key %h in cycle %0d", cycle, was.looked_up, was.key,
             cycle - LATENCY);
    $display("  RTL    result %b, winner %0d, ports %h", result, winner, found);
    $display("  model  result %b, winner %0d, ports %h", was.looked_up, was.winner, was.ports);
    $fatal(1, "the RTL is not what the model is");
  endfunction

  initial begin
    automatic string error;
    model = weir_tcam_create(API_MAJOR, $sformatf("entries=%0d key_bits=32", ENTRIES), error);
    if (model == null) $fatal(1, "weir: %s", error);
  end

  // Between two rising edges: what the last one has made is compared, what the next one samples is set.
  always @(negedge clk) begin
    cycle++;
    rst = cycle <= LATENCY;
    if (!rst) compare(expected[LATENCY-1]);
    if (cycle == CYCLES) begin
      $display("PASSED: %0d cycles, RTL and model agree", cycle);
      weir_free(model);
      $finish;
    end else if (!rst) begin
      draw();
      for (int unsigned i = LATENCY - 1; i > 0; i--) expected[i] = expected[i-1];
      expected[0] = step_model();
    end
  end
endmodule
