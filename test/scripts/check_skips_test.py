#!/usr/bin/python3
"""scripts/check_skips on results as ctest writes them: which reasons fail, and how tests are counted."""
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/check_skips"
GTEST = "[ RUN      ] a.b\n/a_test.cpp:7: Skipped\n{}\n\n[  SKIPPED ] a.b (0 ms)\n"


class Skips(unittest.TestCase):
    def checked(self, *outputs):
        """Exit status and text for a test that ran, and one skipped test for each output."""
        cases = "".join(f'<testcase name="t{i}" status="notrun"><system-out>{output}</system-out></testcase>'
                        for i, output in enumerate(outputs))
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(f'<testsuite><testcase name="ran" status="run"/>{cases}</testsuite>')
            file.flush()
            done = subprocess.run([SCRIPT, file.name], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def test_of_a_missing_package_fail(self):
        for output in (GTEST.format("tshark is not installed"), GTEST.format("built without FST (packages verilator, zlib1g-dev)"),
                       "sss\nOK\nskipped: needs Debian's python3-pandas for /usr/bin/python3\n", "no reason"):
            status, text = self.checked(output)
            self.assertEqual(status, 1, text)
            self.assertIn("(not accepted)\n    t0\n1 of 2 tests skipped", text)

    def test_of_a_missing_right_or_of_another_compiler_pass(self):
        status, text = self.checked(GTEST.format("no mounts of one's own here (unshare -rm)"),
                                    "skipped: no value of udp for this build (GNU 14.2.0)\n")
        self.assertEqual(status, 0, text)
        self.assertIn("2 of 3 tests skipped", text)
        self.assertEqual(self.checked()[0], 0)

    def test_one_missing_package_is_enough(self):
        self.assertEqual(self.checked(GTEST.format("not with a sanitizer"), GTEST.format("gnuplot is not installed"))[0], 1)

    def test_results_without_a_test_fail(self):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write("<testsuite/>")
            file.flush()
            self.assertEqual(subprocess.run([SCRIPT, file.name], capture_output=True, check=False).returncode, 1)


unittest.main()
