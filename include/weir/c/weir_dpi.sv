// weir.h for SystemVerilog: compile this package with your testbench, and link the library (-lweir_c). What the
// functions do is said there. `error` of a create function is empty on success; the others return 0 or more, NONE, or
// ERROR, of which weir_error has the text.
//
//   import weir_dpi::*;
//   chandle arbiter = weir_islip_create(API_MAJOR, "ports=8", error);
//   matches = weir_islip_step(arbiter, 4, ports_t'(free_ingress), ports_t'(free_egress));
package weir_dpi;

  localparam int unsigned API_MAJOR = 1;
  localparam int NONE = -1;
  localparam int ERROR = -2;

  typedef bit [255:0] ports_t;            // a set of ports
  typedef shortint unsigned quanta_t [8]; // of PFC's classes, in units of 512 bit times

  import "DPI-C" function int unsigned weir_c_version();
  import "DPI-C" function string weir_error(input chandle block);
  import "DPI-C" function void weir_free(input chandle block);

  import "DPI-C" function chandle weir_islip_create(input int unsigned api_major, input string options,
                                                    output string error);
  import "DPI-C" function int weir_islip_request(input chandle block, input int unsigned egress_port,
                                                 input int unsigned frame_class, input bit [255:0] ingress_ports);
  import "DPI-C" function int weir_islip_step(input chandle block, input int unsigned iterations,
                                              input bit [255:0] free_ingress, input bit [255:0] free_egress);
  import "DPI-C" function int weir_islip_match(input chandle block, input int unsigned egress_port,
                                               output int unsigned frame_class);
  import "DPI-C" function int weir_islip_iterations(input chandle block);
  import "DPI-C" function int weir_islip_grant(input chandle block, input int unsigned iteration,
                                               input int unsigned egress_port, output int unsigned frame_class,
                                               output int unsigned accepted);
  import "DPI-C" function int weir_islip_grant_pointer(input chandle block, input int unsigned egress_port,
                                                       input int unsigned frame_class);
  import "DPI-C" function int weir_islip_accept_pointer(input chandle block, input int unsigned ingress_port,
                                                        input int unsigned frame_class);

  import "DPI-C" function chandle weir_tcam_create(input int unsigned api_major, input string options,
                                                   output string error);
  import "DPI-C" function int weir_tcam_write(input chandle block, input int unsigned index,
                                              input int unsigned valid, input longint unsigned value,
                                              input longint unsigned mask, input int unsigned priority_level,
                                              input bit [255:0] acceptable_ports);
  import "DPI-C" function int weir_tcam_erase(input chandle block, input int unsigned index);
  import "DPI-C" function int weir_tcam_lookup(input chandle block, input longint unsigned key,
                                               output bit [255:0] acceptable_ports);

  import "DPI-C" function chandle weir_pfc_receive_create(input int unsigned api_major, input string options,
                                                          output string error);
  import "DPI-C" function int weir_pfc_receive_step(input chandle block, input int unsigned pfc_enable,
                                                    input int unsigned enabled_classes,
                                                    input int unsigned acknowledge, input int unsigned frame,
                                                    input int unsigned class_enable,
                                                    input shortint unsigned quanta [8]);
  import "DPI-C" function int weir_pfc_receive_read(input chandle block, output int unsigned control_frame,
                                                    output int unsigned pfc_frame, output int unsigned xoff,
                                                    output int unsigned xon, output int unsigned request);

  import "DPI-C" function chandle weir_pfc_transmit_create(input int unsigned api_major, input string options,
                                                           output string error);
  import "DPI-C" function int weir_pfc_transmit_step(input chandle block, input int unsigned pfc_enable,
                                                     input int unsigned request, input int unsigned resend,
                                                     input int unsigned taken);
  import "DPI-C" function int weir_pfc_transmit_read(input chandle block, output int unsigned waiting,
                                                     output int unsigned pfc_frame, output int unsigned xoff,
                                                     output int unsigned xon, output int unsigned paused);
  import "DPI-C" function int weir_pfc_transmit_frame(input chandle block, output int unsigned class_enable,
                                                      output shortint unsigned quanta [8]);

  import "DPI-C" function chandle weir_shared_buffer_create(input int unsigned api_major, input string options,
                                                            output string error);
  import "DPI-C" function int weir_shared_buffer_admit(input chandle block, input int unsigned ingress_port,
                                                       input int unsigned frame_class,
                                                       input int unsigned egress_port,
                                                       input int unsigned frame_bytes);
  import "DPI-C" function int weir_shared_buffer_release(input chandle block, input int unsigned ingress_port,
                                                         input int unsigned frame_class,
                                                         input int unsigned egress_port,
                                                         input int unsigned frame_bytes);
  import "DPI-C" function int weir_shared_buffer_paused(input chandle block, input int unsigned ingress_port,
                                                        input int unsigned frame_class);
  import "DPI-C" function int weir_shared_buffer_slice(input chandle block, input int unsigned ingress_port,
                                                       input int unsigned egress_port);
  import "DPI-C" function int weir_shared_buffer_group(input chandle block, input int unsigned slice,
                                                       input int unsigned ingress_port,
                                                       input int unsigned frame_class,
                                                       output int unsigned minimum, output int unsigned shared,
                                                       output int unsigned headroom,
                                                       output longint unsigned threshold);
  import "DPI-C" function int weir_shared_buffer_queue(input chandle block, input int unsigned slice,
                                                       input int unsigned egress_port,
                                                       input int unsigned frame_class, output int unsigned cells);
  import "DPI-C" function int weir_shared_buffer_pool(input chandle block, input int unsigned slice,
                                                      input int unsigned lossless,
                                                      output int unsigned free_cells);

endpackage
