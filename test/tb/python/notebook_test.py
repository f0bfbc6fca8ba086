"""The notebook of Fig. 7: it runs as it stands, draws every query, and tells the program's percentiles."""
import csv
import json
import os

from support import ROOT, InScratch, main, needs

NOTEBOOK = ROOT / "tb" / "python" / "notebooks" / "fig7.ipynb"
STOP = "20ms"
DRAWN = """
import json
print(json.dumps({line.get_label(): [len(line.get_xdata()), len(line.get_ydata()), list(line.get_xdata())]
                  for line in axes.get_lines()}))
"""


@needs("pandas", "matplotlib", "nbformat", "nbclient", "ipykernel")
class Fig7(InScratch):
    def test_is_committed_without_output(self):
        for cell in json.loads(NOTEBOOK.read_text())["cells"]:
            self.assertEqual(cell.get("outputs", []), [])
            self.assertIsNone(cell.get("execution_count"))

    def test_draws_as_many_points_as_there_are_queries(self):
        import nbformat
        first = self.executed()
        curves = {label: [] for label in ("Baseline", "FC", "DeTail")}
        for axes in ("body", "tail"):
            drawn = json.loads(first[axes])
            self.assertEqual(list(drawn), list(curves))
            for label, scheme in (("Baseline", "baseline"), ("FC", "fc"), ("DeTail", "detail")):
                with (self.scratch / "runs" / scheme / "jobs.csv").open() as text:
                    times = sorted(float(row["jct_ns"]) for row in csv.DictReader(text) if row["bytes"] == "8000")
                self.assertGreater(len(times), 1000)
                self.assertEqual(drawn[label][:2], [len(times)] * 2, f"{axes}: {label}")
                self.assertEqual(drawn[label][2], [ns / 1e6 for ns in times], f"{axes}: {label}")
        for label, scheme in (("Baseline", "baseline"), ("FC", "fc"), ("DeTail", "detail")):
            summary = json.loads((self.scratch / "runs" / scheme / "summary.json").read_text())
            group = next(g for g in summary["groups"] if g["bytes"] == 8000)["jct_ns"]
            self.assertEqual([round(ms * 1e6, 3) for ms in json.loads(first["table"])[label]],
                             [group[key] for key in ("p50", "p90", "p99", "p99_9")])
        # The runs are there now: they are loaded.
        dates = [(file, file.stat().st_mtime_ns) for file in sorted(self.scratch.glob("runs/*/run.json"))]
        self.assertEqual(len(dates), 3)
        self.assertEqual(self.executed(), first)
        self.assertEqual([(file, file.stat().st_mtime_ns) for file, _ in dates], dates)
        self.assertIsNotNone(nbformat)

    def executed(self):
        """What the notebook has drawn on each pair of axes, and its table, as JSON."""
        import nbclient
        import nbformat
        os.environ["WEIR_FIG7_STOP"] = STOP
        os.environ["WEIR_FIG7_RUNS"] = str(self.scratch / "runs")
        os.environ["MPLBACKEND"] = "agg"
        notebook = nbformat.read(NOTEBOOK, as_version=4)
        last = notebook.cells[-1].source.splitlines()[-1]
        for axes in ("body", "tail"):
            notebook.cells.append(nbformat.v4.new_code_cell(DRAWN.replace("axes.get", f"{axes}.get")))
        notebook.cells.append(nbformat.v4.new_code_cell(f"print(({last}).T.to_json(orient='columns', double_precision=15))"))
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3",
                                resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
        texts = ["".join(output.text for output in cell.outputs if output.output_type == "stream") for cell in notebook.cells[-3:]]
        table = {label: list(values.values()) for label, values in json.loads(texts[2]).items()}
        return {"body": texts[0], "tail": texts[1], "table": json.dumps(table)}


if __name__ == "__main__":
    main()
