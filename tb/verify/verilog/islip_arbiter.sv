// iSLIP crossbar arbiter with strict priority classes (McKeown 1999), one request-grant-accept iteration per
// clock cycle.
//
// The edge that samples `start` is the run's first iteration: it takes the ports that are free. The request
// matrix has to stay until `done`, one cycle after the edge of the last iteration. A run ends when no grant
// was refused, or after `iterations` cycles. Results are those of the iteration that the last edge made.
//
//   clk         _/~\_/~\_/~\_/~\_
//   start       ~~~\_____________
//   accepted    -----< 1 >< 2 >--     a match: accepted[e], grant_ingress[e], grant_class[e]
//   done        __________/~~~\__
module islip_arbiter #(
    parameter int unsigned PORTS = 8,    // 2 or more
    parameter int unsigned CLASSES = 8,  // 2 or more; a higher number goes first
    localparam int unsigned PW = $clog2(PORTS),
    localparam int unsigned CW = $clog2(CLASSES)
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             start,
    input  logic [8:0]       iterations,    // most cycles of the run; 0: no limit
    input  logic [PORTS-1:0] free_ingress,  // sampled with `start`
    input  logic [PORTS-1:0] free_egress,
    input  logic [PORTS-1:0] eligible [CLASSES][PORTS],  // [class][egress port]: ingress ports that ask

    output logic             done,
    output logic [PORTS-1:0] granted,   // egress ports that granted, and those of them whose grant was accepted
    output logic [PORTS-1:0] accepted,
    output logic [PW-1:0]    grant_ingress [PORTS],
    output logic [CW-1:0]    grant_class [PORTS],
    output logic [PW-1:0]    grant_pointer [CLASSES][PORTS],  // of each egress port: the ingress port preferred
    output logic [PW-1:0]    accept_pointer [CLASSES][PORTS]  // of each ingress port: the egress port preferred
);

  // The first port of the set at or after the pointer, wrapping, as a set of one. Empty for an empty set.
  function automatic logic [PORTS-1:0] first_from(input logic [PORTS-1:0] set, input logic [PW-1:0] pointer);
    logic [PORTS-1:0] at_or_after;
    logic [PORTS-1:0] from;
    at_or_after = set & ({PORTS{1'b1}} << pointer);
    from = at_or_after != '0 ? at_or_after : set;
    return from & (~from + 1'b1);
  endfunction

  // For each bit of a port's number: the ports that have it set.
  function automatic logic [PW-1:0][PORTS-1:0] ports_with_bit();
    logic [PW-1:0][PORTS-1:0] sets;
    sets = '0;
    for (int unsigned b = 0; b < PW; b++)
      for (int unsigned p = 0; p < PORTS; p++) sets[b][p] = p[b];
    return sets;
  endfunction
  localparam logic [PW-1:0][PORTS-1:0] WITH_BIT = ports_with_bit();

  // Number of the only port of the set.
  function automatic logic [PW-1:0] number_of(input logic [PORTS-1:0] one);
    for (int unsigned b = 0; b < PW; b++) number_of[b] = (one & WITH_BIT[b]) != '0;
  endfunction

  function automatic logic [PW-1:0] beyond(input logic [PW-1:0] port);
    return port == PW'(PORTS - 1) ? '0 : port + 1'b1;
  endfunction

  logic             busy;
  logic [8:0]       done_iterations;
  logic [PORTS-1:0] ingress_kept;  // not matched in this run yet
  logic [PORTS-1:0] egress_kept;   // granted and refused so far

  wire              active = start | busy;
  wire [8:0]        iteration = start ? 9'd1 : done_iterations + 9'd1;
  wire [PORTS-1:0]  ingress_left = start ? free_ingress : ingress_kept;
  wire [PORTS-1:0]  egress_left = start ? free_egress : egress_kept;

  // Grant: each egress port that is left takes the highest class asked for, and in it the first ingress port.
  logic [PORTS-1:0] grants;
  logic [PW-1:0]    to_ingress [PORTS];
  logic [CW-1:0]    in_class [PORTS];
  always_comb begin
    for (int unsigned e = 0; e < PORTS; e++) begin
      logic [PORTS-1:0] asking;
      asking = '0;
      in_class[e] = '0;
      for (int unsigned c = 0; c < CLASSES; c++)
        if ((eligible[c][e] & ingress_left) != '0) begin
          asking = eligible[c][e] & ingress_left;
          in_class[e] = CW'(c);
        end
      grants[e] = egress_left[e] && asking != '0;
      to_ingress[e] = number_of(first_from(asking, grant_pointer[in_class[e]][e]));
    end
  end

  // Accept: each ingress port takes its highest granted class, and in it the first egress port.
  logic [PORTS-1:0] accepts;  // by egress port
  logic [PORTS-1:0] taken;    // by ingress port
  logic [PW-1:0]    by_ingress [PORTS];
  always_comb begin
    logic [PORTS-1:0] offers [PORTS];
    logic [CW-1:0]    best [PORTS];
    accepts = '0;
    taken = '0;
    for (int unsigned i = 0; i < PORTS; i++) begin
      offers[i] = '0;
      best[i] = '0;
    end
    for (int unsigned e = 0; e < PORTS; e++)
      if (grants[e]) begin
        if (in_class[e] > best[to_ingress[e]]) offers[to_ingress[e]] = '0;
        if (in_class[e] >= best[to_ingress[e]]) begin
          best[to_ingress[e]] = in_class[e];
          offers[to_ingress[e]][e] = 1'b1;
        end
      end
    for (int unsigned i = 0; i < PORTS; i++) begin
      logic [PORTS-1:0] one;
      one = first_from(offers[i], accept_pointer[best[i]][i]);
      accepts |= one;
      taken[i] = one != '0;
      by_ingress[i] = number_of(one);
    end
  end

  wire [PORTS-1:0] refused = grants & ~accepts;
  wire             last = refused == '0 || iteration == iterations;

  always_ff @(posedge clk) begin
    done <= active & last;
    busy <= active & ~last;
    done_iterations <= iteration;
    ingress_kept <= ingress_left & ~taken;
    egress_kept <= refused;
    granted <= active ? grants : '0;
    accepted <= active ? accepts : '0;
    for (int unsigned e = 0; e < PORTS; e++) begin
      grant_ingress[e] <= to_ingress[e];
      grant_class[e] <= in_class[e];
    end
    // Only what was accepted in the first iteration moves the pointers: they spread, and no VOQ starves.
    if (start)
      for (int unsigned p = 0; p < PORTS; p++) begin
        if (accepts[p]) grant_pointer[in_class[p]][p] <= beyond(to_ingress[p]);
        if (taken[p]) accept_pointer[in_class[by_ingress[p]]][p] <= beyond(by_ingress[p]);
      end
    if (rst) begin
      done <= 1'b0;
      busy <= 1'b0;
      granted <= '0;
      accepted <= '0;
      for (int unsigned c = 0; c < CLASSES; c++)
        for (int unsigned p = 0; p < PORTS; p++) begin
          grant_pointer[c][p] <= '0;
          accept_pointer[c][p] <= '0;
        end
    end
  end

endmodule
