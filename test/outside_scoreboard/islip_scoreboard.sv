// The model as the scoreboard of an arbiter in RTL: random requests go to islip_arbiter.sv and, through DPI-C, to
// weir's iSLIP; after every clock cycle both have to have granted and accepted the same, and after every run all
// pointers are compared. Ends at the first difference, with the cycle, what went in, and what came out of both.
module islip_scoreboard
  import weir_dpi::*;
#(
    parameter int unsigned PORTS = 8,
    parameter int unsigned CLASSES = 8,
    parameter int unsigned RUNS = 20_000
);
  localparam int unsigned PW = $clog2(PORTS);
  localparam int unsigned CW = $clog2(CLASSES);

  logic             clk = 1'b0;
  logic             rst = 1'b1;
  logic             start = 1'b0;
  logic [8:0]       iterations;
  logic [PORTS-1:0] free_ingress;
  logic [PORTS-1:0] free_egress;
  logic [PORTS-1:0] eligible [CLASSES][PORTS];
  logic             done;
  logic [PORTS-1:0] granted;
  logic [PORTS-1:0] accepted;
  logic [PW-1:0]    grant_ingress [PORTS];
  logic [CW-1:0]    grant_class [PORTS];
  logic [PW-1:0]    grant_pointer [CLASSES][PORTS];
  logic [PW-1:0]    accept_pointer [CLASSES][PORTS];

  islip_arbiter #(.PORTS(PORTS), .CLASSES(CLASSES)) dut (.*);

  always #5 clk = ~clk;

  chandle      model;
  int unsigned cycle = 0;
  int unsigned run = 0;
  int unsigned iteration = 0;  // of the run
  int unsigned most = 0;       // the model makes so many in this run; 0: none is under way

  // What the model says no to is a mistake of this testbench.
  function automatic int checked(input int answer);
    if (answer == ERROR) $fatal(1, "weir: %s", weir_error(model));
    return answer;
  endfunction

  function automatic void mismatch(input string what, input string rtl, input string expected);
    $display("MISMATCH in cycle %0d, run %0d, iteration %0d: %s", cycle, run, iteration, what);
    $display("  RTL    %s", rtl);
    $display("  model  %s", expected);
    $display("  inputs iterations %0d, free ingress %b, free egress %b", iterations, free_ingress, free_egress);
    for (int unsigned c = 0; c < CLASSES; c++)
      for (int unsigned e = 0; e < PORTS; e++)
        if (eligible[c][e] != '0) $display("         class %0d: egress %0d is asked by ingress %b", c, e, eligible[c][e]);
    $fatal(1, "the RTL is not what the model is");
  endfunction

  function automatic void draw();
    automatic int unsigned classes = 1 + $urandom % CLASSES;
    iterations = 9'($urandom % 5);  // 0: no limit
    free_ingress = PORTS'($urandom) | PORTS'($urandom);
    free_egress = PORTS'($urandom) | PORTS'($urandom);
    for (int unsigned c = 0; c < CLASSES; c++)
      for (int unsigned e = 0; e < PORTS; e++) begin
        eligible[c][e] = c < classes ? PORTS'($urandom & $urandom) : '0;
        void'(checked(weir_islip_request(model, e, c, 256'(eligible[c][e]))));
      end
  endfunction

  // One iteration: what the last clock edge has made.
  function automatic void compare_iteration();
    for (int unsigned e = 0; e < PORTS; e++) begin
      int unsigned in_class;
      int unsigned taken;
      automatic int ingress = checked(weir_islip_grant(model, iteration, e, in_class, taken));
      automatic string rtl = granted[e] ? $sformatf("grants ingress %0d in class %0d, accepted %b", grant_ingress[e],
                                                    grant_class[e], accepted[e]) : "grants nobody";
      automatic string expected = ingress == NONE ? "grants nobody" :
          $sformatf("grants ingress %0d in class %0d, accepted %0d", ingress, in_class, taken);
      if (rtl != expected) mismatch($sformatf("egress %0d", e), rtl, expected);
    end
  endfunction

  function automatic void compare_pointers();
    for (int unsigned c = 0; c < CLASSES; c++)
      for (int unsigned p = 0; p < PORTS; p++) begin
        automatic int grant = checked(weir_islip_grant_pointer(model, p, c));
        automatic int accept = checked(weir_islip_accept_pointer(model, p, c));
        if (int'(grant_pointer[c][p]) != grant)
          mismatch($sformatf("grant pointer of egress %0d, class %0d", p, c), $sformatf("%0d", grant_pointer[c][p]),
                   $sformatf("%0d", grant));
        if (int'(accept_pointer[c][p]) != accept)
          mismatch($sformatf("accept pointer of ingress %0d, class %0d", p, c),
                   $sformatf("%0d", accept_pointer[c][p]), $sformatf("%0d", accept));
      end
  endfunction

  initial begin
    automatic string error;
    model = weir_islip_create(API_MAJOR, $sformatf("ports=%0d", PORTS), error);
    if (model == null) $fatal(1, "weir: %s", error);
  end

  // Between two rising edges: what the last one has made is compared, what the next one samples is set.
  always @(negedge clk) begin
    cycle++;
    rst = cycle < 3;
    start = 1'b0;
    if (most != 0) begin
      automatic bit last = iteration + 1 == most;
      compare_iteration();
      if (done != last) mismatch("end of the run", $sformatf("done %b", done), $sformatf("done %b", last));
      iteration++;
      if (last) begin
        compare_pointers();
        most = 0;
        run++;
      end
    end
    if (run == RUNS) begin
      $display("PASSED: %0d runs in %0d cycles, RTL and model agree", run, cycle);
      weir_free(model);
      $finish;
    end else if (!rst && most == 0) begin
      draw();
      start = 1'b1;
      void'(checked(weir_islip_step(model, 32'(iterations), 256'(free_ingress), 256'(free_egress))));
      most = checked(weir_islip_iterations(model));
      iteration = 0;
    end
  end
endmodule
