"""The ctypes binding of the C interface, in plain Python: the golden of pfc_receive.sv, a TCAM, misuse.

    WEIR_C=build/release/libweir_c.so test/c/python_test.py
"""
import csv
import pathlib
import sys
import unittest

TEST = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TEST / "outside_scoreboard"))

from weir_c import Block, NONE, WeirError  # noqa: E402


class BindingTest(unittest.TestCase):
    def test_pfc_receive_repeats_the_golden(self):
        model = Block("pfc_receive", "data_width_bits=64")
        cycles = 0
        with open(TEST / "golden/rtl/pfc_receive_d64.csv", newline="") as golden:
            for row in csv.DictReader(golden):
                frame = {"-": 0, "pfc": 1, "pause": 2}[row["frame"]]
                enable = int(row["frame_enable"], 16) if frame else 0
                quanta = [int(q) for q in row["frame_quanta"].split()] if frame else [0] * 8
                model.step(int(row["enable"]), int(row["enable_class"], 16), int(row["acknowledge"], 16), frame, enable,
                           quanta)
                expected = [int(row[name], 16) for name in ("control_frame", "pfc_frame", "xoff", "xon", "request")]
                self.assertEqual(list(model.read()), [0] + expected, f"cycle {row['cycle']}")
                cycles += 1
        self.assertEqual(cycles, 1500)

    def test_keys_of_64_bits_and_sets_of_256_ports(self):
        table = Block("tcam", "entries=2 key_bits=64")
        ports = 1 << 255 | 1 << 32 | 1
        table.write(1, 1, 0xFEDC_BA98_7654_3210, (1 << 64) - 1, 0, ports)
        self.assertEqual(table.lookup(0xFEDC_BA98_7654_3210), (1, ports))
        self.assertEqual(table.lookup(0x7654_3210), (NONE, 0))

    def test_misuse_is_an_exception(self):
        with self.assertRaisesRegex(WeirError, "ports: '0' is out of range"):
            Block("islip", "ports=0")
        arbiter = Block("islip", "ports=8")
        with self.assertRaisesRegex(WeirError, "egress_port: 8; expected 0 to 7"):
            arbiter.match(8)
        with self.assertRaisesRegex(WeirError, "-1: is no number of 32 bits"):
            arbiter.match(-1)
        arbiter.request(2, 7, 0x81)
        self.assertEqual(arbiter.step(4, 0xFF, 0xFF), 1)
        self.assertEqual(arbiter.match(2), (0, 7))


if __name__ == "__main__":
    unittest.main()
