"""weir.load and weir.run: frames against the files, options as they reach the program, and every error."""
import csv
import json
import os
import pathlib
import re
import stat
import subprocess
import unittest
import unittest.mock
import warnings

from support import PROGRAM, ROOT, RUNS_MADE, InScratch, main, needs
import small_runs

try:
    import pandas
    import weir
except ImportError:
    weir = pandas = None

QUICK = {"run.duration": "500us", "traffic.kind": "query", "traffic.rate": 20000}


def rows_of(file):
    with file.open(newline="") as text:
        return list(csv.DictReader(text))


@needs("pandas")
class Loading(InScratch):
    def test_every_table_of_every_run_has_the_values_of_its_file(self):
        for name, directory in RUNS_MADE.all().items():
            try:
                run = weir.load(directory)
            except weir.RunFailed as failure:
                run = failure.run
            self.assertEqual(set(run.tables), {file.stem for file in directory.glob("*.csv")})
            for table in run.tables:
                rows = rows_of(directory / f"{table}.csv")
                frame = run[table]
                self.assertEqual(len(frame), len(rows), f"{name}/{table}")
                for column in frame.columns:
                    for row, value in zip(rows, frame[column]):
                        self.assertTrue(same(row[column], value), f"{name}/{table}: {column}: '{row[column]}' is {value!r}")

    def test_types_are_those_of_the_schema(self):
        flows = weir.load(RUNS_MADE["queries"]).flows
        self.assertEqual([str(flows[c].dtype) for c in ("bytes", "flow", "fct_ns", "tag", "retransmits")],
                         ["int64", "Int64", "float64", "object", "Int64"])
        self.assertEqual(str(weir.load(RUNS_MADE["queries"]).limits["binds"].dtype), "bool")
        causes = weir.load(RUNS_MADE["shared_memory"]).pause_causes
        self.assertEqual([str(causes[c].dtype) for c in ("egress_paused", "own_bytes", "from_class")],
                         ["boolean", "Int64", "Int64"])

    def test_tables_join_by_what_their_columns_name(self):
        run = weir.load(RUNS_MADE["queries"])
        sent = run.flows.merge(run.nodes, left_on="src", right_on="host")
        self.assertEqual(len(sent), len(run.flows))
        self.assertEqual(len(run.flows.merge(run.windows, on="flow")["src"].unique()), 1)
        caused = run.pause_flows.merge(run.flows, on=["flow", "src", "dst"])
        self.assertGreater(len(caused), 0)
        # As docs/python.md does it: of classes `all` is a text.
        ports = run.ports[run.ports["class"] != "all"].astype({"class": "Int64"})
        timed = run.port_series.merge(ports, on=["node", "port", "class"])
        self.assertEqual(len(timed), len(run.port_series))

    def test_an_empty_field_is_missing_and_an_empty_text_is_a_text(self):
        nodes = weir.load(RUNS_MADE["queries"]).nodes
        switches = nodes[nodes["kind"] == "switch"]
        self.assertTrue(switches["host"].isna().all())
        self.assertTrue((switches["address"] == "").all())
        self.assertTrue((weir.load(RUNS_MADE["storm"]).flows["tag"] == "").all())

    def test_tables_of_what_has_completed_warn_of_what_has_not(self):
        with self.assertWarnsRegex(UserWarning, "4 of 4 transfers did not complete: flows and jobs have completed ones only"):
            run = weir.load(RUNS_MADE["unfinished"])
        self.assertEqual(len(run.unfinished), run.summary["flows"]["unfinished"])
        self.assertEqual(len(run.unfinished_jobs), run.summary["jct_ns"]["unfinished"])
        for name in ("fct_ns.p50", "groups.permutation.1000000.7.jct_ns.max", "tags.permutation.fct_ns.p99"):
            self.assertIn(name, run.lower_bounds)
        self.assertNotIn("fct_ns.mean", run.lower_bounds)

    def test_units_stand_beside_each_frame(self):
        run = weir.load(RUNS_MADE["queries"])
        units = run.ports.attrs["units"]
        self.assertEqual([units[c] for c in ("rx_bytes", "egress_full_frames", "paused_ns", "utilisation_percent")],
                         ["B", "frames", "ns", "percent"])
        self.assertNotIn("node", units)
        self.assertEqual(run["flows"].attrs["units"]["fct_ns"], "ns")

    def test_a_table_is_read_once_and_when_it_is_asked_for(self):
        directory = self.copy_of(RUNS_MADE["queries"])
        run = weir.load(directory)
        (directory / "flows.csv").unlink()
        self.assertIs(run.jobs, run["jobs"])
        with self.assertRaises(weir.WeirError):
            run.flows

    def test_summary_provenance_and_options_are_those_of_the_files(self):
        directory = RUNS_MADE["red"]
        run = weir.load(str(directory))
        self.assertEqual(run.summary, json.loads((directory / "summary.json").read_text()))
        self.assertEqual(run.provenance, json.loads((directory / "run.json").read_text()))
        self.assertEqual(run.options["fabric.link"], small_runs.RUNS["red"]["fabric.link"])
        self.assertEqual([run.options[key] for key in ("run.duration", "fabric.route", "switch.drop", "run.until")],
                         ["3ms", [], "egress_tail", ""])
        count = len(re.findall(r"(?m)^[a-z0-9_]+ =", (directory / "effective.ini").read_text()))
        self.assertEqual(sum(len(v) if isinstance(v, list) else 1 for v in run.options.values()), count)

    def test_options_that_may_be_given_several_times_are_those_of_the_program(self):
        from weir.run_directory import REPEATABLE
        options = subprocess.run([PROGRAM, "options", "--format=md"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(re.findall(r"(?m)^\| `([a-z_.]+)` \|[^|]*\| text, may be given several times \|", options), [*REPEATABLE])

    def test_names_of_tables_complete(self):
        run = weir.load(RUNS_MADE["queries"])
        self.assertIn("flows", dir(run))
        self.assertIn("flows", run)
        self.assertNotIn("buffers", run)
        self.assertFalse(hasattr(run, "buffers"))
        self.assertIn("flows", repr(run))

    def test_a_run_that_was_ended_early_is_a_warning(self):
        directory = self.copy_of(RUNS_MADE["queries"])
        change(directory / "summary.json", '"complete": true', '"complete": false')
        with self.assertWarnsRegex(UserWarning, "copy_of_queries: the run was stopped before its end"):
            run = weir.load(directory)
        self.assertGreater(len(run.flows), 0)

    def test_a_failed_run_raises_with_its_verdict_and_what_it_left(self):
        with self.assertRaisesRegex(weir.RunFailed, "deadlock: the run failed: deadlock: /weir/deadlock: deadlock, found at") as e:
            weir.load(RUNS_MADE["deadlock"])
        self.assertEqual((e.exception.status, e.exception.verdict), (1, "deadlock"))
        self.assertGreater(len(e.exception.run.pause_causes), 0)
        with self.assertRaisesRegex(weir.WeirError, "flows.csv.partial: is not whole"):
            e.exception.run.flows
        with self.assertRaisesRegex(weir.WeirError, "summary.json: cannot be read: No such file"):
            e.exception.run.summary


def same(text, value):
    if text == "":
        return value is pandas.NA or value == "" or value != value
    if value in (True, False) and text in ("yes", "no"):
        return value == (text == "yes")
    if isinstance(value, str):
        return value == text
    return float(text) == float(value)


def change(file, old, new):
    text = file.read_text()
    assert old in text, f"{file} has no {old}"
    file.write_text(text.replace(old, new, 1))


@needs("pandas")
class DamagedRuns(InScratch):
    def setUp(self):
        super().setUp()
        self.directory = self.copy_of(RUNS_MADE["queries"])

    def lines(self, name):
        return (self.directory / name).read_text().splitlines(keepends=True)

    def expect(self, message, table=None):
        with self.assertRaisesRegex(weir.WeirError, message):
            run = weir.load(self.directory)
            if table:
                run[table]

    def test_a_path_that_is_none(self):
        for path, message in (("nowhere", "nowhere: does not exist; expected the directory of a run or a sweep"),
                              (str(self.directory / "flows.csv"), "flows.csv: is not a directory; expected the directory"),
                              (".", "is not the directory of a run or a sweep; expected summary.json or plan.json")):
            with self.assertRaisesRegex(weir.WeirError, message):
                weir.load(path)

    def test_a_run_that_was_killed(self):
        (self.directory / "summary.json").unlink()
        (self.directory / "flows.csv").rename(self.directory / "flows.csv.partial")
        self.expect(r"holds flows.csv.partial: the run was killed, or is under way; expected one that has ended")

    def test_a_table_that_no_run_has_and_one_that_this_run_has_not(self):
        self.expect("'flow' is not a table; expected one of .*flows, ", "flow")
        self.expect(r"buffers.csv: is not there; expected a run that writes it: switch.buffer = shared", "buffers")
        with self.assertRaises(AttributeError):
            weir.load(self.directory).nothing

    def test_a_table_that_was_cut_in_a_line(self):
        whole = (self.directory / "pauses.csv").read_bytes()
        lines = whole[:-8].count(b"\n")
        (self.directory / "pauses.csv").write_bytes(whole[:-8])
        self.expect(rf"pauses.csv:{lines + 1}: is cut; expected a line feed at its end", "pauses")

    def test_a_table_that_was_cut_between_lines(self):
        for name in ("flows", "jobs"):
            lines = self.lines(f"{name}.csv")
            (self.directory / f"{name}.csv").write_text("".join(lines[:-1]))
            self.expect(rf"{name}.csv:{len(lines) - 1}: is cut; expected {len(lines) - 1} lines below the header", name)

    def test_a_table_without_a_column(self):
        change(self.directory / "flows.csv", "fct_ns", "fct_us")
        self.expect("flows.csv:1: has no column fct_ns; expected the columns of flows.csv", "flows")

    def test_an_empty_table_and_a_directory_in_the_place_of_one(self):
        (self.directory / "nodes.csv").write_text("")
        self.expect("nodes.csv:1: is empty; expected the columns of nodes.csv", "nodes")
        (self.directory / "nodes.csv").unlink()
        (self.directory / "nodes.csv").mkdir()
        self.expect("nodes.csv: cannot be read: Is a directory; expected a file with the columns of nodes.csv", "nodes")

    def test_a_directory_that_may_not_be_read(self):
        with unittest.mock.patch("os.access", return_value=False):
            self.expect("copy_of_queries: cannot be read: Permission denied; expected the directory of a run or a sweep")

    def test_a_column_of_another_version_is_a_warning(self):
        lines = self.lines("nodes.csv")
        (self.directory / "nodes.csv").write_text("".join(line[:-1] + (",rack\n" if i == 0 else ",7\n") for i, line in enumerate(lines)))
        with self.assertWarnsRegex(UserWarning, "nodes.csv: column rack is of another version of weir"):
            nodes = weir.load(self.directory).nodes
        self.assertEqual(set(nodes["rack"]), {7})

    def test_a_value_of_another_type(self):
        for table, column, value, message in (
                ("flows", "fct_ns", "soon", "fct_ns: is 'soon'; expected a number in ns"),
                ("flows", "flow", "1.5", "flow: is '1.5'; expected an integer"),
                ("flows", "flow", "", "flow: is an empty field; expected an integer"),
                ("flows", "retransmits", "few", "retransmits: is 'few'; expected an integer in segments"),
                ("flows", "start_ns", "", "start_ns: is an empty field; expected a number in ns"),
                ("limits", "binds", "maybe", "binds: is 'maybe'; expected yes or no")):
            with self.subTest(column=column, value=value):
                self.directory = self.copy_of(RUNS_MADE["queries"]) if not self.directory.exists() else self.directory
                file = self.directory / f"{table}.csv"
                whole = file.read_text()
                rows = [line.split(",") for line in whole.splitlines()]
                rows[4][rows[0].index(column)] = value
                file.write_text("\n".join(",".join(row) for row in rows) + "\n")
                self.expect(rf"{table}.csv:5: {message}", table)
                file.write_text(whole)

    def test_a_line_with_too_few_or_too_many_fields(self):
        whole = self.lines("flows.csv")
        for line, count in ((",".join(whole[3].split(",")[:-2]) + "\n", 10), (whole[3][:-1] + ",7\n", 13)):
            (self.directory / "flows.csv").write_text("".join([*whole[:3], line, *whole[4:]]))
            self.expect(rf"flows.csv:4: has {count} fields; expected 12", "flows")

    def test_texts_in_quotes(self):
        lines = self.lines("flows.csv")
        quoted = [lines[0], *[line.replace(",query,", ',"a ""tag"", so to say",') for line in lines[1:]]]
        (self.directory / "flows.csv").write_text("".join(quoted))
        self.assertEqual(set(weir.load(self.directory).flows["tag"]), {'a "tag", so to say'})
        quoted[5] = quoted[5][:-1] + ",1\n"
        (self.directory / "flows.csv").write_text("".join(quoted))
        self.expect("flows.csv:6: has 13 fields; expected 12", "flows")

    def test_a_json_file_that_was_cut(self):
        text = (self.directory / "summary.json").read_text()
        (self.directory / "summary.json").write_text(text[:300])
        self.expect(r"summary.json:[0-9]+: is cut or damaged: column [0-9]+: .*; expected the summary of a run")
        (self.directory / "summary.json").write_text("")
        self.expect("summary.json:1: is empty; expected the summary of a run")
        (self.directory / "summary.json").write_bytes(b"\xff")
        self.expect("summary.json: is damaged: .*; expected the summary of a run")
        (self.directory / "summary.json").write_text('{"complete": false, "simulated_ns": 1, "fct_ns": {"count": 0}, "jct_ns": {}}')
        self.expect("summary.json: jct_ns: has no count; expected the summary of a run")
        (self.directory / "summary.json").write_text("[]")
        self.expect("summary.json: is not an object; expected the summary of a run")
        (self.directory / "summary.json").write_text("{}")
        self.expect("summary.json: has no key complete; expected the summary of a run")

    def test_options_that_were_cut(self):
        lines = self.lines("effective.ini")
        (self.directory / "effective.ini").write_text("".join(lines[:50]))
        with self.assertRaisesRegex(weir.WeirError, "effective.ini:50: is cut; expected '# end' as its last line"):
            weir.load(self.directory).options
        (self.directory / "effective.ini").write_text("[run]\nseed 1\n# end\n")
        with self.assertRaisesRegex(weir.WeirError, "effective.ini:2: 'seed 1' is not an option; expected key = value"):
            weir.load(self.directory).options
        (self.directory / "effective.ini").unlink()
        with self.assertRaisesRegex(weir.WeirError, "effective.ini: cannot be read: No such file or directory"):
            weir.load(self.directory).options


@needs("pandas")
class Running(InScratch):
    def test_options_reach_the_program_in_every_form(self):
        pathlib.Path("a.ini").write_text("[run]\nseed = 3\n[switch]\nscheme = fc\n")
        run = weir.run("a.ini", out="out/a", fabric={"link": ["h0-tor0 down at=100us", "h0-tor0 up at=200us"]},
                       switch={"scheme": "detail"}, output={"segments": True, "flows": False, "occupancy_interval": "50us"},
                       **QUICK)
        self.assertEqual([run.options[key] for key in ("run.seed", "switch.scheme", "traffic.rate", "output.segments",
                                                       "output.flows", "output.occupancy_interval")],
                         ["3", "detail", "20000", "true", "false", "50us"])
        self.assertEqual(run.options["fabric.link"], ["h0-tor0 down at=100us", "h0-tor0 up at=200us"])
        self.assertEqual(run.path, pathlib.Path("out/a"))
        self.assertNotIn("flows", run)
        self.assertIn("segments", run)

    def test_a_configuration_may_be_a_dict_or_none(self):
        one = weir.run({"run": {"duration": "500us", "seed": 5}, "traffic.kind": "query"}, traffic={"rate": 20000})
        other = weir.run(**{"run.seed": 5}, **QUICK)
        self.assertEqual(one.options, other.options)
        pandas.testing.assert_frame_equal(one.flows, other.flows)

    def test_what_is_no_configuration(self):
        with self.assertRaisesRegex(weir.WeirError, "^5: is not a configuration; expected an INI file, "):
            weir.run(5)

    def test_lines_are_added_to_those_of_a_file(self):
        pathlib.Path("c.ini").write_text("[fabric]\ntopology = racks\nracks = 2\nhosts_per_rack = 2\nroots = 2\n"
                                         "link = tor0-root0 rate=200Mbps\n")
        more = ["tor0-root1 rate=300Mbps", "tor1-root1 rate=400Mbps"]
        run = weir.run("c.ini", **{"fabric.link+": more}, **QUICK)
        self.assertEqual(run.options["fabric.link"], ["tor0-root0 rate=200Mbps", *more])

    def test_configurations_may_be_several_files(self):
        pathlib.Path("a.ini").write_text("[run]\nduration = 500us\n")
        pathlib.Path("b.ini").write_text("[traffic]\nkind = query\n")
        self.assertEqual(weir.run([pathlib.Path("a.ini")], traffic={"kind": "query"}).options["run.duration"], "500us")
        try:
            run = weir.run(["a.ini", pathlib.Path("b.ini")])
        except weir.RunFailed as refused:
            self.assertIn("b.ini", refused.messages)
            self.skipTest("this program takes one INI file")
        self.assertEqual([run.options["run.duration"], run.options["traffic.kind"]], ["500us", "query"])

    def test_without_a_directory_results_live_as_long_as_the_run(self):
        run = weir.run(**QUICK)
        path = run.path
        self.assertTrue((path / "summary.json").exists())
        del run
        self.assertFalse(path.exists())

    def test_the_program_is_the_argument_then_the_environment_then_on_the_path(self):
        self.addCleanup(os.environ.update, WEIR=PROGRAM, PATH=os.environ["PATH"])
        for name in ("argument", "environment", "path"):
            pathlib.Path(name).mkdir()
            program = pathlib.Path(name) / "weir"
            program.write_text(f"#!/bin/sh\necho weir of {name} >&2\nexit 2\n")
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
        os.environ["PATH"] = f"{self.scratch}/path:{os.environ['PATH']}"
        for there, program in (("argument", "argument/weir"), ("environment", None)):
            os.environ["WEIR"] = "environment/weir"
            with self.assertRaisesRegex(weir.RunFailed, f"exit status 2: weir of {there}"):
                weir.run(program=program)
        pathlib.Path("argument/weir").write_text("neither a script nor a program")
        with self.assertRaisesRegex(weir.WeirError, "argument/weir: cannot be run: Exec format error; expected the program weir"):
            weir.run(program="argument/weir")
        del os.environ["WEIR"]
        with self.assertRaisesRegex(weir.RunFailed, "exit status 2: weir of path"):
            weir.run()
        os.environ["PATH"] = "/nowhere"
        with self.assertRaisesRegex(weir.WeirError, "weir: is not a program that can be run; expected program=, the environment"):
            weir.run()

    def test_bad_input_raises_with_what_the_program_says_and_leaves_nothing(self):
        with self.assertRaises(weir.RunFailed) as e:
            weir.run(out="out", switch={"schem": "fc"})
        self.assertEqual(e.exception.status, 2)
        self.assertIn("--switch.schem: unknown option", e.exception.messages)
        self.assertIsNone(e.exception.verdict)
        self.assertIsNone(e.exception.run)
        self.assertFalse(pathlib.Path("out").exists())

    def test_bad_input_does_not_show_an_earlier_run(self):
        weir.run(out="out", **QUICK)
        with self.assertRaises(weir.RunFailed) as e:
            weir.run(out="out", switch={"schem": "fc"})
        self.assertIsNone(e.exception.run)

    def test_a_verdict_raises_with_what_the_run_has_left(self):
        for out in ("out", None):
            with self.assertRaisesRegex(weir.RunFailed, "exit status 1: .*3 paused queues wait for each other") as e:
                weir.run(small_runs.DEADLOCK / "ring.ini", out=out, trace={"pause_causes": True})
            self.assertEqual((e.exception.status, e.exception.verdict), (1, "deadlock"))
            self.assertGreater(len(e.exception.run.pause_causes), 0)

    def test_what_the_program_warns_of_is_a_warning(self):
        with self.assertWarnsRegex(UserWarning, "marking.threshold: has no effect"):
            weir.run(marking={"threshold": "10KB"}, **QUICK)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", ".* transfers did not complete")
            weir.run(**QUICK)

    def test_a_signal_is_its_status(self):
        pathlib.Path("killed").write_text("#!/bin/sh\nkill -9 $$\n")
        pathlib.Path("killed").chmod(0o700)
        with self.assertRaises(weir.RunFailed) as e:
            weir.run(out="out", program="./killed")
        self.assertEqual(e.exception.status, 137)

    def test_options_without_form(self):
        for options, message in (({"switch": "detail"}, 'switch: is not an option; expected a block, switch={"name": value}'),
                                 ({"switch": {"scheme": None}}, "None: is not a value of an option"),
                                 ({"switch": {"scheme": "a\0"}}, "'a\\x00': has a character NUL"),
                                 ({"switch": {"scheme": {"a": 1}}}, "{'a': 1}: is not a value of an option")):
            with self.assertRaisesRegex(weir.WeirError, re.escape(message)):
                weir.run(**options)


@needs()
class Package(unittest.TestCase):
    def test_its_version_is_the_programs(self):
        version = re.search(r'(?m)^version = "(.*)"$', (ROOT / "tb" / "python" / "pyproject.toml").read_text()).group(1)
        self.assertRegex((ROOT / "CMakeLists.txt").read_text(), rf"(?s)project\(\s*weir\b[^)]*VERSION {re.escape(version)}\b")


if __name__ == "__main__":
    main()
