"""The traps of models/java as `show` sees them: call graph and facts, compared with golden files in tests/data/java.

    java_facts_test.py PROGRAM SOURCE_DIRECTORY [--update] [unittest arguments]

With --update the golden files are written anew: read the difference before you commit it. Skipped without javac 17, since
other compilers number lambdas and lines in other ways.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(sys.argv[2])
UPDATE = "--update" in sys.argv
PATIENCE = 300


def has_javac_17():
    if shutil.which("javac") is None:
        return False
    version = subprocess.run(["javac", "-version"], capture_output=True, text=True, timeout=PATIENCE, check=False)
    return (version.stdout + version.stderr).startswith("javac 17")


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False)


@unittest.skipUnless(has_javac_17(), "no javac 17")
class Traps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        sources = sorted(glob.glob(os.path.join(SOURCE, "models/java/*.java")))
        subprocess.run(["javac", "-g", "-nowarn", "-d", cls.folder, *sources], check=True, capture_output=True,
                       timeout=PATIENCE)
        cls.traps = [os.path.basename(source)[:-5] for source in sources]

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def classes_of(self, trap):
        names = sorted(os.path.basename(path)[:-6] for path in glob.glob(os.path.join(self.folder, trap + "*.class")))
        return [name for name in names if re.fullmatch(trap + r"(\$.*)?", name)]

    def show(self, trap, *options):
        result = run("show", self.folder, "--main", trap, *options)
        self.assertEqual((result.returncode, result.stderr), (0, ""), trap)
        return result.stdout

    def test_golden_files(self):
        for trap in self.traps:
            with self.subTest(trap):
                text = self.show(trap, "--call-graph", "--facts", trap)
                for inner in self.classes_of(trap)[1:]:
                    shown = self.show(trap, "--facts", inner)
                    text += shown[shown.index("Facts"):]
                path = os.path.join(SOURCE, "tests/data/java", trap + ".txt")
                if UPDATE:
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    with open(path, "w", encoding="utf-8") as golden:
                        golden.write(text)
                with open(path, encoding="utf-8") as golden:
                    self.assertEqual(text, golden.read())

    def test_the_same_on_every_run(self):
        first, second = (self.show("T36", "--call-graph", "--points-to", "T36", "--facts", "T36", "--json")
                         for _ in range(2))
        self.assertEqual(first, second)

    def test_picture_and_json(self):
        picture = self.show("T03", "--call-graph", "--dot")
        self.assertTrue(picture.startswith("digraph calls {"))
        self.assertIn('label="spawn"', picture)
        report = json.loads(self.show("T03", "--call-graph", "--json"))["report"]
        self.assertIn("spawn", [row["kind"] for row in report["calls"]])
        self.assertIn("copies_with_contexts", report["analysis"])

    def test_points_to_and_limits(self):
        text = self.show("T12", "--points-to", "T12.inc")
        self.assertIn("java.lang.Object made in T12.<init>(), T12.java", text)
        few = self.show("T12", "--points-to", "T12.inc", "--max-contexts=1")
        self.assertNotIn("0 methods without contexts", few)

    def test_models_and_bodies(self):
        with tempfile.NamedTemporaryFile("w", suffix=".models", encoding="utf-8") as models:
            models.write("class java.lang.Thread\n  void start(): nothing\n")
            models.flush()
            self.assertNotIn("spawn", self.show("T03", "--call-graph", "--models", models.name))
        with tempfile.NamedTemporaryFile("w", suffix=".models", encoding="utf-8") as models:
            models.write("class java.lang.Thread\n  void start(): wrong\n")
            models.flush()
            result = run("show", self.folder, "--main", "T03", "--call-graph", "--models", models.name)
            self.assertEqual(result.returncode, 2)
            self.assertIn(models.name + ":2", result.stderr)
        text = self.show("T39", "--call-graph", "--jdk-bodies=java.util.ArrayList")
        self.assertIn("java.util.ArrayList.grow", text)

    def test_refusals(self):
        result = run("show", self.folder, "--call-graph")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--main=CLASS", result.stderr)
        result = run("show", os.path.join(SOURCE, "models/fig1.dpn"), "--facts=X")
        self.assertEqual(result.returncode, 2)
        self.assertIn("not a Java program", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *[argument for argument in sys.argv[3:] if argument != "--update"]])
