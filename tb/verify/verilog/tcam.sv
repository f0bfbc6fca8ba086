// TCAM with bitmap RAM: which ports lead to a key. The entry of the lowest index that matches wins; its word in the
// RAM is the set of acceptable ports.
//
// A lookup may start in every cycle. Its result is there after the third edge, the one that samples `lookup`
// included: match lines; priority encoder; RAM. An entry is written in one cycle. A lookup sees the table as it is
// before the edge that samples it, and its RAM word with it: writes to the RAM wait for the lookups before them.
//
//   clk      _/~\_/~\_/~\_/~\_
//   lookup   ~~~\_____________
//   result   __________/~~~\__    hit, index, ports
module tcam #(
    parameter int unsigned ENTRIES = 64,  // 2 or more
    parameter int unsigned KEY = 32,
    parameter int unsigned WORDS = 4,     // of 64 ports each
    localparam int unsigned IW = $clog2(ENTRIES)
) (
    input  logic           clk,
    input  logic           rst,  // no entry is valid, no lookup under way

    input  logic           write,
    input  logic [IW-1:0]  write_index,
    input  logic           write_valid,
    input  logic [KEY-1:0] write_value,
    input  logic [KEY-1:0] write_mask,  // bits that are compared
    input  logic [63:0]    write_ports [WORDS],

    input  logic           lookup,
    input  logic [KEY-1:0] key,

    output logic           result,
    output logic           hit,
    output logic [IW-1:0]  index,          // 0 without a hit
    output logic [63:0]    ports [WORDS]   // empty without a hit
);

  logic [ENTRIES-1:0] valid;
  logic [KEY-1:0]     value [ENTRIES];
  logic [KEY-1:0]     mask [ENTRIES];
  logic [63:0]        ram [ENTRIES][WORDS];

  // Match lines.
  logic               looked_up;
  logic [ENTRIES-1:0] match;
  always_ff @(posedge clk) begin
    looked_up <= lookup & ~rst;
    if (lookup)
      for (int unsigned e = 0; e < ENTRIES; e++) match[e] <= valid[e] && ((key ^ value[e]) & mask[e]) == '0;
  end

  // Priority encoder.
  function automatic logic [ENTRIES-1:0] entries_with_bit(input logic [4:0] b);
    for (int unsigned e = 0; e < ENTRIES; e++) entries_with_bit[e] = e[b];
  endfunction
  wire  [ENTRIES-1:0] winner = match & (~match + 1'b1);
  logic [IW-1:0]      winner_index;
  for (genvar b = 0; b < IW; b++) begin : g_index
    localparam logic [ENTRIES-1:0] SET = entries_with_bit(5'(b));
    assign winner_index[b] = (winner & SET) != '0;
  end

  logic               encoded;
  logic               any;
  logic [IW-1:0]      at;
  always_ff @(posedge clk) begin
    encoded <= looked_up & ~rst;
    if (looked_up) begin
      any <= match != '0;
      at <= winner_index;
    end
  end

  // RAM.
  always_ff @(posedge clk) begin
    result <= encoded & ~rst;
    if (encoded) begin
      hit <= any;
      index <= at;
      for (int unsigned w = 0; w < WORDS; w++) ports[w] <= any ? ram[at][w] : '0;
    end
  end

  // Writes: entries at once, the RAM when the lookups of earlier edges have read it.
  logic [1:0]    ram_write;
  logic [IW-1:0] ram_index [2];
  logic [63:0]   ram_ports [2][WORDS];
  always_ff @(posedge clk) begin
    if (write) begin
      valid[write_index] <= write_valid;
      value[write_index] <= write_value;
      mask[write_index] <= write_mask;
    end
    ram_write <= {ram_write[0], write};
    ram_index[0] <= write_index;
    ram_index[1] <= ram_index[0];
    ram_ports[0] <= write_ports;
    ram_ports[1] <= ram_ports[0];
    if (ram_write[1]) ram[ram_index[1]] <= ram_ports[1];
    if (rst) begin
      valid <= '0;
      ram_write <= '0;
    end
  end

endmodule
