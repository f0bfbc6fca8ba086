"""The schemas against what the program writes: the same columns, keys and types, nothing undescribed, nothing unused.

Tables are checked with a reader of this file's own, JSON files with Debian's jsonschema.
"""
import csv
import json
import re
import unittest

from support import ROOT, RUNS_MADE, main, needs
import small_runs

SCHEMAS = ROOT / "tb" / "python" / "weir" / "schema"
TYPES = {"integer": r"[0-9]+", "number": r"-?[0-9]+(\.[0-9]+)?", "string": r"[^\x00]*", "any": r"[^\x00]*"}
OTHER_FILES = {"effective.ini"}


def tables():
    return {table["file"]: table for file in sorted(SCHEMAS.glob("*_tables.json")) for table in json.loads(file.read_text())}


def all_fields():
    return [(table["file"], field) for table in tables().values() for field in table["fields"]]


def schema_of(file):
    return tables()[file] if file.endswith(".csv") else json.loads((SCHEMAS / f"{file.split('.')[0]}.schema.json").read_text())


def rows_of(file):
    with file.open(newline="") as text:
        return list(csv.reader(text))


def fields_of(columns, fields):
    """Which field each column is: columns and fields in order, a pattern for any number of columns."""
    found, at = [], 0
    for place, column in enumerate(columns):
        before = columns[place - 1] if place else ""
        while at < len(fields):
            field = fields[at]
            if field.get("name") == column:
                at += 1
                break
            if "name_pattern" in field:
                patterns = [each for each in fields[at:next_name(fields, at)]
                            if re.fullmatch(each["name_pattern"].replace("<previous>", re.escape(before)), column)]
                if patterns:
                    field = patterns[0]
                    break
                at = next_name(fields, at)
                continue
            if "only_with" not in field:
                return found, f"column '{column}', expected '{field['name']}'"
            at += 1
        else:
            return found, f"column '{column}' has no field"
        found.append(field)
    left = [field["name"] for field in fields[at:] if "name" in field and "only_with" not in field]
    return found, f"no column {left}" if left else ""


def next_name(fields, at):
    while at < len(fields) and "name" not in fields[at]:
        at += 1
    return at


def what_is_wrong(value, field):
    limits = field.get("constraints", {})
    if value == "":
        return "is empty" if limits.get("required") and field["type"] != "string" else ""
    if field["type"] == "boolean":
        return "" if value in field["trueValues"] + field["falseValues"] else "is neither true nor false"
    if not re.fullmatch(TYPES[field["type"]], value):
        return f"is no {field['type']}"
    if "enum" in limits and value not in limits["enum"]:
        return f"is none of {limits['enum']}"
    if "pattern" in limits and not re.fullmatch(limits["pattern"], value):
        return f"does not match {limits['pattern']}"
    if "maximum" in limits and int(value) > limits["maximum"]:
        return "is too large"
    return ""


def tables_written():
    """(run, file, name) of all tables of all runs and sweeps."""
    for run, directory in {**RUNS_MADE.all(), **RUNS_MADE.sweeps()}.items():
        for file in sorted(directory.glob("*.csv")):
            yield run, file, file.name


def parts_of(schema, root=None):
    """All objects and values of a JSON Schema that have a place in the document: (path, schema)."""
    root = root or schema
    todo, seen = [("", schema)], []
    while todo:
        path, part = todo.pop()
        if "$ref" in part:
            name = part["$ref"].rpartition("/")[2]
            part = {**root["$defs"][name], "description": part["description"]}
            if path.count("/pauses/") > 1:
                continue
        seen.append((path, part))
        for key, inner in part.get("properties", {}).items():
            todo.append((f"{path}/{key}", inner))
        for key, inner in part.get("patternProperties", {}).items():
            todo.append((f"{path}/*", inner))
        if isinstance(part.get("additionalProperties"), dict):
            todo.append((f"{path}/*", part["additionalProperties"]))
        if "items" in part:
            todo.append((f"{path}/*", part["items"]))
    return seen


@needs()
class Tables(unittest.TestCase):
    def test_every_table_has_the_columns_types_and_values_of_its_schema(self):
        for run, file, name in tables_written():
            with self.subTest(run=run, file=name):
                rows = rows_of(file)
                fields, wrong = fields_of(rows[0], schema_of(name)["fields"])
                self.assertEqual(wrong, "", f"{run}/{name}")
                for number, row in enumerate(rows[1:], 2):
                    self.assertEqual(len(row), len(fields), f"{run}/{name}:{number}")
                    for column, value, field in zip(rows[0], row, fields):
                        self.assertEqual(what_is_wrong(value, field), "", f"{run}/{name}:{number}: {column}: '{value}'")

    def test_every_field_of_every_schema_has_a_value_in_some_run(self):
        unused = {(file, field.get("name", field.get("name_pattern"))) for file, field in all_fields()}
        for _, file, name in tables_written():
            rows = rows_of(file)
            fields, _ = fields_of(rows[0], schema_of(name)["fields"])
            for place, field in enumerate(fields):
                if any(row[place] for row in rows[1:]):
                    unused.discard((name, field.get("name", field.get("name_pattern"))))
        self.assertEqual(unused, set())

    def test_an_empty_field_is_described_where_it_may_be_empty(self):
        for file, field in all_fields():
            required = field.get("constraints", {}).get("required", False)
            self.assertNotEqual(required, "empty" in field, f"{file}: {field}")

    def test_every_field_has_a_description_and_every_number_a_unit(self):
        for file, field in all_fields():
            self.assertTrue(field["description"].endswith("."), f"{file}: {field}")
            if field["type"] in ("integer", "number"):
                self.assertEqual(bool(field.get("unit")) + bool(field.get("identifies")), 1, f"{file}: {field}")

    def test_names_of_columns_end_in_their_units(self):
        ends = {"_ns": "ns", "_bytes": "B", "_percent": "percent", "_bps": "bit/s", "_frames": "frames", "_segments": "segments"}
        for file, field in all_fields():
            for end, unit in ends.items():
                if field.get("name", "").endswith(end):
                    self.assertEqual(field["unit"], unit, f"{file}: {field}")

    def test_every_file_of_a_run_has_a_schema(self):
        for run, directory in RUNS_MADE.all().items():
            for file in directory.iterdir():
                if file.name not in OTHER_FILES and file.suffix != ".partial":
                    self.assertTrue(schema_of(file.name), f"{run}/{file.name}")

    def test_the_page_of_files_names_every_table_and_when_it_is_written(self):
        page = (ROOT / "docs" / "output-files.md").read_text()
        for table in tables().values():
            if table["name"] not in ("sweep", "means"):
                row = re.search(rf"^\| `{re.escape(table['file'])}` \|.*\| (.*) \|$", page, re.MULTILINE)
                self.assertIsNotNone(row, table["file"])
                self.assertEqual(row.group(1).replace("`", ""), table["written"], table["file"])


@needs("jsonschema")
class JsonFiles(unittest.TestCase):
    def files(self):
        for run, directory in RUNS_MADE.all().items():
            for file in sorted(directory.glob("*.json")):
                yield run, file
        for run, directory in RUNS_MADE.sweeps().items():
            for file in [directory / "plan.json", *sorted(directory.glob("points/*/*/*.json"))]:
                yield run, file

    def test_every_file_is_valid(self):
        import jsonschema
        for run, file in self.files():
            with self.subTest(run=run, file=file.name):
                check = jsonschema.Draft202012Validator(schema_of(file.name))
                wrong = [f"{run}/{file.name}: {error.json_path}: {error.message}" for error in
                         check.iter_errors(json.loads(file.read_text()))]
                self.assertEqual(wrong, [])

    def test_the_schemas_are_schemas_and_refuse_other_keys(self):
        import jsonschema
        for file in SCHEMAS.glob("*.schema.json"):
            schema = json.loads(file.read_text())
            jsonschema.Draft202012Validator.check_schema(schema)
            for path, part in parts_of(schema):
                if part.get("type") == "object":
                    self.assertIn("additionalProperties", part, f"{file.name}: {path}")
        summary = json.loads((RUNS_MADE["queries"] / "summary.json").read_text())
        check = jsonschema.Draft202012Validator(schema_of("summary.json"))
        self.assertTrue(check.is_valid(summary))
        for place in (summary, summary["frames"], summary["drops"], summary["pfc"], summary["fct_ns"], summary["resources"],
                      summary["groups"][0], summary["buffers"]["egress"]):
            place["another"] = 1
            self.assertFalse(check.is_valid(summary), place)
            del place["another"]

    def test_every_key_has_a_description_and_every_number_a_unit(self):
        for file in SCHEMAS.glob("*.schema.json"):
            for path, part in parts_of(json.loads(file.read_text())):
                kinds = part.get("type", [])
                kinds = [kinds] if isinstance(kinds, str) else kinds
                if not path.endswith("/*"):
                    self.assertTrue(part.get("description", "").endswith("."), f"{file.name}: {path}")
                if {"number", "integer"} & set(kinds) and not path.endswith("seeds/*"):
                    self.assertEqual(("unit" in part) + ("identifies" in part), 1, f"{file.name}: {path}")

    def test_every_key_of_a_runs_files_is_in_some_run(self):
        for name in ("summary", "run", "failure", "pause_tree"):
            paths = {path for path, _ in parts_of(schema_of(f"{name}.json"))}
            for directory in RUNS_MADE.all().values():
                if (directory / f"{name}.json").exists():
                    mark(json.loads((directory / f"{name}.json").read_text()), "", paths)
            # Of runs under mpirun, which not every machine has.
            paths = {path for path in paths if not path.startswith("/ranks")}
            if RUNS_MADE["rtl"] is None:
                paths = {path for path in paths if not path.startswith("/rtl_cycles")}
            self.assertEqual(paths, set(), name)


def mark(value, path, paths):
    """Takes what is in a document out of `paths`."""
    paths.discard(path)
    if isinstance(value, list):
        for inner in value:
            mark(inner, f"{path}/*", paths)
    elif isinstance(value, dict):
        for key, inner in value.items():
            mark(inner, f"{path}/{key}", paths)
            mark(inner, f"{path}/*", paths)


class SmallRuns(unittest.TestCase):
    def test_all_end_as_expected(self):
        without_rtl = set(small_runs.RUNS) - set(RUNS_MADE.all())
        self.assertLessEqual(without_rtl, small_runs.NEEDS_RTL)
        if without_rtl:
            self.skipTest(f"the program was built without Verilator: {', '.join(without_rtl)} left out")


if __name__ == "__main__":
    main()
