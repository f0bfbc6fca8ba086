"""The examples of docs/python.md run, and print what the page shows.

`page_test.py --renew` writes what they print into the page.
"""
import contextlib
import io
import pathlib
import re
import shutil
import sys

from support import ROOT, InScratch, main, needs

PAGE = ROOT / "docs" / "python.md"
FENCES = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def printed_by(example, names):
    """Without blanks at the ends of lines, which pandas prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(example, str(PAGE), "exec"), names)  # noqa: S102
    return "".join(line.rstrip() + "\n" for line in printed.getvalue().splitlines())


@needs("pandas")
class Page(InScratch):
    def test_examples_print_what_the_page_shows(self):
        shutil.copy(ROOT / "tb" / "experiments" / "tutorial" / "burst.ini", "burst.ini")
        blocks = FENCES.findall(PAGE.read_text())
        self.assertEqual([kind for kind, _ in blocks], ["python", "text"] * (len(blocks) // 2))
        self.assertGreater(len(blocks), 10)
        names = {}
        for (_, example), (_, shown) in zip(blocks[::2], blocks[1::2]):
            with self.subTest(example=example):
                self.assertEqual(printed_by(example, names), shown)

    def test_every_public_name_is_on_the_page(self):
        import weir
        text = PAGE.read_text()
        for name in weir.__all__:
            self.assertIn(f"weir.{name}", text)


def renew():
    text, names = PAGE.read_text(), {}

    def renewed(match):
        if match[1] == "python":
            renewed.printed = printed_by(match[2], names)
            return match[0]
        return f"```text\n{renewed.printed}```"
    shutil.copy(ROOT / "tb" / "experiments" / "tutorial" / "burst.ini", "burst.ini")
    PAGE.write_text(FENCES.sub(renewed, text))


if __name__ == "__main__":
    if sys.argv[1:] == ["--renew"]:
        import os
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            renew()
    else:
        main()
