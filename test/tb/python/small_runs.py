"""Short runs that together write every file of a run's directory and every key of its JSON files, and two sweeps.

Each is a set of options. `STATUS` has the exit status of those that the model ends with a
verdict, `NEEDS_RTL` those that a program without Verilator refuses.
"""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
DEADLOCK = ROOT / "tb" / "experiments" / "deadlock"

RACKS = {"fabric.topology": "racks", "fabric.racks": 2, "fabric.hosts_per_rack": 5, "fabric.roots": 1}

ON_REQUEST = ["tags", "priorities", "sizes", "racks", "offered", "links", "goodput.line_rate_percent",
              "goodput.host_jain_index", "pfc.most_paused_percent"]

RUNS = {
    # PFC in memories of their own; every table of pauses, senders and segments.
    "queries": {
        **RACKS,
        "run.duration": "3ms",
        "fabric.roots": 2,
        "switch.scheme": "detail",
        "switch.classes": 2,
        # 32KiB, in the other family of units: run.json has what was given.
        "switch.ingress_buffer": "32.768KB",
        "switch.egress_buffer": "16KB",
        "pfc.xoff": "8000B",
        "pfc.xon": "4000B",
        "traffic.kind": "query",
        "traffic.rate": 20000,
        "traffic.priorities": "0, 1",
        "output.ideal_jobs": True,
        "output.metrics": ON_REQUEST,
        "output.windows": "h0",
        "output.series": "tor0, h0",
        "output.segments": True,
        "output.fairness_window": "300us",
        "output.busy_links": "90%",
        "trace.pause_causes": True,
    },
    # One memory for all ports with lossless and lossy classes; marks, drops and their causes; paths that change.
    "shared_memory": {
        **RACKS,
        "run.duration": "4ms",
        "run.warmup": "100us",
        "fabric.roots": 2,
        "switch.scheme": "flowbender",
        "switch.buffer": "shared",
        "switch.classes": 2,
        "switch.memory_cell": "208B",
        "shared.memory": "300KB",
        "shared.slices": 2,
        "shared.lossless_classes": 1,
        "shared.lossless_pool": "60KB",
        "shared.lossy_pool": "20KB",
        "pfc.mode": "pfc",
        "marking.threshold": "6KB",
        "tcp.min_rto": "1ms",
        "tcp.initial_rto": "1ms",
        "traffic.kind": "incast",
        "traffic.incast_rounds": 3,
        "traffic.incast_bytes": "200KB",
        "traffic.priorities": "0, 1",
        "traffic.background_flows": 1,
        "output.segments": True,
        "output.series": "tor*",
        "trace.drop_causes": True,
        "trace.pause_causes": True,
    },
    # DIBS: frames go round full ports.
    "detours": {
        "fabric.topology": "fat_tree",
        "fabric.k": 4,
        "switch.scheme": "dibs",
        "switch.egress_buffer": "40KB",
        "marking.threshold_frames": 10,
        "tcp.initial_window": 10,
        "traffic.kind": "incast",
        "traffic.incast_bytes": "300KB",
        "traffic.incast_rounds": 2,
        "output.full_queues": True,
        "trace.frame_path": "most_detours",
        "trace.drop_causes": True,
    },
    # A broken adapter, and the watchdogs that deal with it.
    "storm": {
        "config": DEADLOCK / "storm_watchdog.ini",
        "run.duration": "5ms",
        "host.broken": ["h0 from=1ms to=3ms"],
        "output.segments": True,
        "trace.pause_causes": True,
        "trace.window_start": "0ps",
    },
    # Transfers that are too long for the run: percentiles are lower bounds.
    "unfinished": {
        "fabric.topology": "single",
        "fabric.hosts": 4,
        "run.duration": "1ms",
        "traffic.kind": "permutation",
        "traffic.flow_bytes": "1MB",
        "output.ideal_jobs": True,
        "output.metrics": ON_REQUEST,
    },
    # RoCE with DCQCN beside TCP: rates of queue pairs, frames that switches originate.
    "queue_pairs": {
        "fabric.topology": "single",
        "fabric.hosts": 5,
        "link.rate": "10Gbps",
        "run.duration": "500us",
        "switch.scheme": "dcqcn",
        "traffic.kind": "incast",
        "traffic.transport": "roce",
        "traffic.incast_bytes": "1MB",
        "output.rates": "h*",
        "output.flows": False,
        "output.size_bins": "2KB, 1MB",
    },
    # QCN: limiters of destinations in the adapters.
    "limiters": {
        "fabric.topology": "single",
        "fabric.hosts": 8,
        "link.rate": "10Gbps",
        "run.duration": "2ms",
        "switch.scheme": "qcn",
        "switch.memory_cell": "208B",
        "switch.lookup_interval": "100ns",
        "sram.access_time": "5ns",
        "traffic.kind": "permutation",
        "traffic.sources": "h0, h1, h2",
        "traffic.destinations": "h7",
        "traffic.flow_bytes": "0B",
        "output.rates": "h*",
        "output.occupancy_nodes": "h0, tor0",
    },
    # pFabric: evicted frames, probes; bins of sizes.
    "pfabric": {
        **RACKS,
        "run.duration": "1ms",
        "link.rate": "10Gbps",
        "switch.scheme": "pfabric",
        "switch.egress_buffer": "9KB",
        "traffic.kind": "query",
        "traffic.rate": 20000,
        "traffic.sizes": "2KB, 8KB, 300KB",
        "traffic.priorities": "0",
        "output.size_bins": "2KB, 1MB",
    },
    # RED drops early; a link with errors, a link that is cut.
    "red": {
        **RACKS,
        "run.duration": "3ms",
        "fabric.link": ["tor0-root0 down at=2ms", "h5-tor1 frame_error_rate=0.05"],
        "marking.kind": "red",
        "switch.drop": "egress_tail",
        "marking.k_min": "2KB",
        "marking.k_max": "20KB",
        "marking.p_max": "20%",
        "tcp.congestion": "newreno",
        "traffic.kind": "query",
        "traffic.rate": 20000,
    },
    # A parallel program: its jobs are ranks.
    "program": {
        "fabric.topology": "single",
        "fabric.hosts": 4,
        "link.rate": "10Gbps",
        "traffic.kind": "goal",
        "traffic.program": "ring_all_reduce",
        "output.ideal_jobs": True,
    },
    # Ends when its figures are known.
    "until": {
        "fabric.topology": "single",
        "fabric.hosts": 8,
        "link.rate": "10Gbps",
        "run.duration": "20ms",
        "run.until": "mean of fct within 20% and mean of slowdown within 20%",
        "traffic.kind": "poisson",
        "traffic.transport": "udp",
        "traffic.sizes": "4KB",
        "traffic.load": "30%",
    },
    # PFC goes round a ring until nothing moves.
    "deadlock": {"config": DEADLOCK / "ring.ini", "trace.pause_causes": True},
    # RTL of an arbiter in the loop.
    "rtl": {"fabric.topology": "single", "fabric.hosts": 4, "run.duration": "50us", "switch.crossbar": "cell",
            "switch.arbiter": "rtl", "traffic.kind": "query", "traffic.rate": 20000},
}
SWEEPS = {
    # Two schemes, two sizes of a buffer, two seeds; all files are kept.
    "sweep": {**RACKS, "run.duration": "500us", "traffic.kind": "query", "traffic.rate": 20000,
              "vary": ["switch.scheme=fc,detail", "switch.ingress_buffer=64KiB,128KiB"], "seeds": "3,7", "keep": "all"},
    # The ring with and without PFC: one of them fails. Quantities of all kinds.
    "failing_sweep": {"config": DEADLOCK / "ring.ini", "run.duration": "1ms",
                      "vary": ["pfc.mode=pfc,none", "link.rate,link.latency,output.busy_links=(10Gbps,1us,90%)"]},
}
STATUS = {"deadlock": 1, "failing_sweep": 1}
NEEDS_RTL = {"rtl"}
