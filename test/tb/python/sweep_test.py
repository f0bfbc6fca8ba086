"""weir.load of sweeps, and weir.sweep."""
import csv
import json
import pathlib
import shutil

from support import RUNS_MADE, InScratch, main, needs
import small_runs

try:
    import pandas
    import weir
except ImportError:
    weir = pandas = None

KEYS = ["switch.scheme", "switch.ingress_buffer", "switch.ingress_buffer_bytes"]


@needs("pandas")
class Loading(InScratch):
    def test_runs_have_their_values_of_the_varied_options_and_their_metrics(self):
        sweep = weir.load(RUNS_MADE.sweep())
        self.assertIsInstance(sweep, weir.Sweep)
        self.assertEqual(sweep.varied, KEYS)
        self.assertEqual(list(sweep.runs["switch.scheme"]), ["fc"] * 4 + ["detail"] * 4)
        self.assertEqual(list(sweep.runs["switch.ingress_buffer_bytes"]), [65536.0, 65536.0, 131072.0, 131072.0] * 2)
        self.assertEqual(list(sweep.runs["seed"]), [3, 7] * 4)
        self.assertEqual(set(sweep.runs["state"]), {"done"})
        for _, row in sweep.runs.iterrows():
            directory = RUNS_MADE.sweep() / "points" / f"{row['point']:04}" / f"seed_{row['seed']}"
            summary = json.loads((directory / "summary.json").read_text())
            self.assertEqual(row["fct_ns.p99"], summary["fct_ns"]["p99"])
            self.assertEqual(row["frames.sent"], summary["frames"]["sent"])

    def test_metrics_have_units(self):
        sweep = weir.load(RUNS_MADE.sweep())
        units = sweep.runs.attrs["units"]
        expected = {"fct_ns.p99": "ns", "fct_ns.count": "1", "fct_ns.variation_percent": "percent", "goodput.bps": "bit/s",
                    "goodput.bytes": "B", "pfc.paused_ns.total": "ns", "pfc.paused_percent.host": "percent",
                    "buffers.egress.watermark_bytes": "B", "frames.sent": "1", "simulated_ns": "ns",
                    "groups.query.2000.7.jct_ns.p50": "ns", "switch.ingress_buffer_bytes": "B"}
        self.assertEqual({key: units.get(key) for key in expected}, expected)
        self.assertEqual(sweep.means.attrs["units"]["mean"], "metric")

    def test_means_are_those_of_the_runs(self):
        sweep = weir.load(RUNS_MADE.sweep())
        means = sweep.means[sweep.means["metric"] == "fct_ns.mean"].set_index("point")["mean"]
        for point, mean in sweep.runs.groupby("point")["fct_ns.mean"].mean().items():
            self.assertAlmostEqual(means[point], mean, places=3)

    def test_a_table_of_all_runs_is_one_frame_with_the_varied_options_first(self):
        sweep = weir.load(RUNS_MADE.sweep())
        flows = sweep.load("flows")
        self.assertEqual(list(flows.columns)[:6], ["point", *KEYS, "seed", "flow"])
        self.assertEqual(flows.attrs["units"]["fct_ns"], "ns")
        self.assertEqual(flows.attrs["units"]["switch.ingress_buffer_bytes"], "B")
        self.assertEqual(str(flows["retransmits"].dtype), "Int64")
        count = 0
        for file in sorted(RUNS_MADE.sweep().glob("points/*/*/flows.csv")):
            with file.open() as text:
                rows = list(csv.DictReader(text))
            here = flows[(flows["point"] == int(file.parts[-3])) & (flows["seed"] == int(file.parts[-2][5:]))]
            self.assertEqual(list(here["fct_ns"]), [float(row["fct_ns"]) for row in rows])
            count += len(rows)
        self.assertEqual(len(flows), count)

    def test_runs_one_by_one(self):
        sweep = weir.load(RUNS_MADE.sweep())
        self.assertEqual(sweep.run(3, 7).options["switch.scheme"], "detail")
        self.assertIs(sweep.run(3, 7), sweep.run(3, 7))
        pairs = [(values, run.options) for values, run in sweep.each()]
        self.assertEqual(len(pairs), 8)
        for values, options in pairs:
            self.assertEqual((values["switch.scheme"], str(values["seed"])), (options["switch.scheme"], options["run.seed"]))
        with self.assertRaisesRegex(weir.WeirError, "has no point 9 with seed 3; expected one of the lines of sweep.csv"):
            sweep.run(9, 3)

    def test_failed_runs_are_a_warning_and_raise_when_they_are_asked_for(self):
        with self.assertWarnsRegex(UserWarning, "failing_sweep: 1 of 2 runs are failed"):
            sweep = weir.load(RUNS_MADE.sweep("failing_sweep"))
        self.assertEqual(list(sweep.runs["state"]), ["failed", "done"])
        self.assertEqual(list(sweep.runs["status"].fillna(0)), [1, 0])
        self.assertEqual([sweep.runs[key][0] for key in ("link.rate_bps", "link.latency_ns", "output.busy_links_share")],
                         [1e10, 1000.0, 0.9])
        with self.assertRaises(weir.RunFailed) as e:
            sweep.run(1, 1)
        self.assertEqual(e.exception.verdict, "deadlock")
        self.assertEqual(len(list(sweep.each())), 1)

    def test_missing_runs(self):
        directory = self.scratch / "copy"
        shutil.copytree(RUNS_MADE.sweep(), directory)
        text = (directory / "sweep.csv").read_text()
        (directory / "sweep.csv").write_text(text.replace(",done,", ",missing,", 1))
        with self.assertWarnsRegex(UserWarning, "1 of 8 runs are missing"):
            sweep = weir.load(directory)
        self.assertEqual(len(list(sweep.each())), 7)
        with self.assertRaisesRegex(weir.WeirError, "seed_3: the run is missing; expected one that is done"):
            sweep.run(1, 3)

    def test_directories_that_are_none(self):
        directory = self.scratch / "copy"
        shutil.copytree(RUNS_MADE.sweep(), directory)
        (directory / "means.csv").write_text("point\n")
        with self.assertRaisesRegex(weir.WeirError, "means.csv:1: has no column metric, n, mean"):
            weir.load(directory).means
        (directory / "sweep.csv").unlink()
        with self.assertRaisesRegex(weir.WeirError, "sweep.csv: is not there: the sweep was killed, or is under way"):
            weir.load(directory)
        (directory / "plan.json").write_text("{}")
        with self.assertRaisesRegex(weir.WeirError, "plan.json: has no axes; expected the plan of a sweep"):
            weir.load(directory)


@needs("pandas")
class Sweeping(InScratch):
    def test_a_sweep_from_python_is_that_of_the_command_line(self):
        options = {key: value for key, value in small_runs.SWEEPS["sweep"].items() if key not in ("vary", "seeds", "keep")}
        sweep = weir.sweep(options, vary={"switch.scheme": ["fc", "detail"], "switch.ingress_buffer": "64KiB,128KiB"},
                           seeds="3,7", out="out")
        self.assertEqual((pathlib.Path("out") / "sweep.csv").read_bytes(), (RUNS_MADE.sweep() / "sweep.csv").read_bytes())
        pandas.testing.assert_frame_equal(sweep.load("jobs"), weir.load(RUNS_MADE.sweep()).load("jobs"))

    def test_values_with_commas_and_summaries_only(self):
        sweep = weir.sweep({"run.duration": "200us", "traffic.kind": "query"}, out="out", keep="summary",
                           vary={"traffic.priorities": ["0,7", 0], "traffic.rate": [10000, 20000]})
        self.assertEqual(list(sweep.runs["traffic.priorities"]), ["0, 7", "0, 7", "0", "0"])
        self.assertEqual(list(sweep.runs["traffic.rate"]), [10000, 20000] * 2)
        with self.assertRaisesRegex(weir.WeirError, "flows.csv: is not there; expected a run that writes it: output.flows, with "
                                                    "all files kept"):
            sweep.load("flows")

    def test_lower_bounds_are_marked_in_runs_and_in_means(self):
        with self.assertWarnsRegex(UserWarning, "transfers of 1 of 2 runs did not complete; columns that end in"):
            sweep = weir.sweep({"fabric.topology": "single", "fabric.hosts": 4, "traffic.kind": "permutation"}, out="out",
                               run={"duration": "15ms"}, vary={"traffic.flow_bytes": ["1MB", "100MB"]})
        self.assertEqual(list(sweep.runs["fct_ns.p50_is_lower_bound"]), [False, True])
        self.assertEqual(list(sweep.runs["flows.unfinished"]), [0, 4])
        means = sweep.means[sweep.means["metric"] == "fct_ns.p50"]
        self.assertEqual(list(means["mean_is_lower_bound"]), [False, True])
        self.assertEqual(list(means["difference_is_lower_bound"]), [False, True])
        self.assertFalse(sweep.means[sweep.means["metric"] == "flows.started"]["mean_is_lower_bound"].any())

    def test_bad_input_raises(self):
        with self.assertRaises(weir.RunFailed) as e:
            weir.sweep(vary={"switch.schem": ["fc"]}, out="out")
        self.assertEqual(e.exception.status, 2)
        self.assertIn("switch.schem", e.exception.messages)
        with self.assertRaisesRegex(weir.WeirError, "traffic.rate: 10000 is not a list of values; expected a list"):
            weir.sweep(vary={"traffic.rate": 10000}, out="out")

    def test_a_failed_run_is_a_warning(self):
        with self.assertWarnsRegex(UserWarning, "out: 1 of 2 runs are failed"):
            sweep = weir.sweep(small_runs.DEADLOCK / "ring.ini", run={"duration": "1ms"}, vary={"pfc.mode": ["pfc", "none"]}, out="out")
        self.assertEqual(list(sweep.runs["state"]), ["failed", "done"])


if __name__ == "__main__":
    main()
