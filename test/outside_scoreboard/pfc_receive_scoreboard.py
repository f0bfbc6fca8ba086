"""The model as the scoreboard of PFC's receive side in RTL, under cocotb: the same random frames, enables and acknowledgements go
to pfc_receive.sv and to weir; all outputs are compared in each cycle. Ends at the first difference, with the cycle, what went
in last, and what came out of both. `run_cocotb` builds and starts it."""
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from weir_c import Block

OUTPUTS = ("control_frame", "pfc_frame", "xoff", "xon", "request")
NO_FRAME, PFC_FRAME, PAUSE_FRAME = 0, 1, 2
CYCLES = 5_000


def draw(chance, request):
    """What the next edge samples. Most pauses are short, so that they run out, are replaced and released."""
    return {
        "enable": chance.random() < 0.95,
        "enable_class": 0xFF if chance.random() < 0.9 else chance.randrange(256),
        "acknowledge": request if chance.random() < 0.9 else chance.randrange(256),
        "frame": chance.choices((NO_FRAME, PFC_FRAME, PAUSE_FRAME), (20, 2, 1))[0],
        "frame_enable": chance.randrange(256),
        "frame_quanta": [chance.choice((0, chance.randrange(8), chance.randrange(65536))) for _ in range(8)],
    }


def drive(dut, inputs):
    for name in ("enable", "enable_class", "acknowledge", "frame_enable"):
        getattr(dut, name).value = int(inputs[name])
    dut.frame.value = int(inputs["frame"] != NO_FRAME)
    dut.frame_is_pfc.value = int(inputs["frame"] == PFC_FRAME)
    for c, quanta in enumerate(inputs["frame_quanta"]):
        dut.frame_quanta[c].value = quanta


@cocotb.test()
async def rtl_and_model_agree(dut):
    model = Block("pfc_receive", "data_width_bits=64")
    chance = random.Random(1)
    cocotb.start_soon(Clock(dut.clk, 10, units="ns").start())
    dut.rst.value = 1
    dut.step.value = 32  # 64 bits are 32/256 quantum
    inputs = draw(chance, 0)
    inputs["frame"] = NO_FRAME
    drive(dut, inputs)
    for _ in range(2):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    for cycle in range(CYCLES):
        inputs = draw(chance, model.read()[-1])
        drive(dut, inputs)
        model.step(inputs["enable"], inputs["enable_class"], inputs["acknowledge"], inputs["frame"],
                   inputs["frame_enable"], inputs["frame_quanta"])
        await FallingEdge(dut.clk)
        rtl = {name: int(getattr(dut, name).value) for name in OUTPUTS}
        expected = dict(zip(OUTPUTS, model.read()[1:]))
        assert rtl == expected, f"MISMATCH in cycle {cycle}\n  RTL    {rtl}\n  model  {expected}\n  inputs {inputs}"
