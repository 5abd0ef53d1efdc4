"""Options that are not on the command line: of LOCKWOOD_OPTIONS, and of lockwood.json.

    config_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import jsonschema

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from processor_time import PATIENCE  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(sys.argv[2])

with open(os.path.join(SOURCE, "docs/config.schema.json"), encoding="utf-8") as schema_file:
    SCHEMA = json.load(schema_file)


class Configuration(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = os.path.realpath(temporary.name)
        self.model = os.path.join(self.folder, "inner/deep/bank.lw")
        self.file = os.path.join(self.folder, "lockwood.json")
        os.makedirs(os.path.dirname(self.model))
        shutil.copy(os.path.join(SOURCE, "models/bank-racy.lw"), self.model)

    def configure(self, **members):
        with open(self.file, "w", encoding="utf-8") as file:
            json.dump(members, file)

    def run_program(self, *arguments, variable=None):
        environment = {key: value for key, value in os.environ.items() if key != "LOCKWOOD_OPTIONS"}
        if variable is not None:
            environment["LOCKWOOD_OPTIONS"] = variable
        return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False,
                              cwd="/", env=environment)

    def settings(self, *arguments, **options):
        """What --print-config shows: [(option, source)]."""
        result = self.run_program("race", self.model, "--print-config", *arguments, **options)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return [tuple(line.split("  # from ")) for line in result.stdout.splitlines()]

    def assert_refused(self, result, *words):
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        for word in words:
            self.assertIn(word, result.stderr)

    def test_without_any_nothing_is_in_force(self):
        self.assertEqual(self.settings(), [])
        self.assertEqual(self.run_program("race", self.model).returncode, 1)

    def test_the_nearest_file_above_the_input_counts(self):
        self.configure(options={"exit-zero": True})
        self.assertEqual(self.run_program("race", self.model).returncode, 0)
        self.assertEqual(self.settings(), [("--exit-zero", self.file)])
        with open(os.path.join(self.folder, "inner/lockwood.json"), "w", encoding="utf-8") as nearer:
            nearer.write("{}")
        self.assertEqual(self.run_program("race", self.model).returncode, 1)
        self.assertEqual(self.run_program("race", self.model, "--config", self.file).returncode, 0)
        os.remove(nearer.name)
        self.assertEqual(self.run_program("race", self.model, "--config=none").returncode, 1)

    def test_the_command_line_wins_over_the_variable_and_that_over_the_file(self):
        self.configure(options={"timeout": "1m", "color": "never", "no-warn": ["unused-lock", "unused-local"]},
                       commands={"race": {"timeout": "2m", "brief": True}, "deadlock": {"all": True}})
        self.assertEqual(self.settings(), [("--color=never", self.file),
                                           ("--no-warn=unused-lock --no-warn=unused-local", self.file),
                                           ("--timeout=2m", self.file), ("--brief", self.file)])
        found = self.settings("--timeout=4m", variable="--timeout=3m --color='always' --no-warn=all")
        self.assertEqual(found, [("--timeout=4m", "the command line"), ("--brief", self.file),
                                 ("--color=always", "LOCKWOOD_OPTIONS"), ("--no-warn=all", "LOCKWOOD_OPTIONS")])
        # What does not go with an option of the command line is left out, too.
        self.configure()
        self.assertEqual(self.settings("-v", variable="--quiet"), [("--verbose", "the command line")])

    def test_a_flag_can_be_unset(self):
        self.configure(options={"exit-zero": True})
        self.assertEqual(self.run_program("race", self.model, "--exit-zero=false").returncode, 1)
        self.assertEqual(self.run_program("race", self.model, variable="--exit-zero=false").returncode, 1)

    def test_values_that_may_be_left_out(self):
        report = self.run_program("race", self.model, variable="--json")
        self.assertEqual(json.loads(report.stdout)["schema"], "lockwood/results/1")
        self.configure(commands={"race": {"json": True}})
        self.assertEqual(self.run_program("race", self.model).stdout, report.stdout)

    def test_options_of_other_commands_do_no_harm_but_those_of_none_do(self):
        self.assertEqual(self.run_program("race", self.model, variable="--max-depth=3 --exit-zero").returncode, 0)
        self.assert_refused(self.run_program("race", self.model, variable="--timeuot=3s"),
                            "LOCKWOOD_OPTIONS: error: no command has an option '--timeuot'", "--timeout")
        self.assert_refused(self.run_program("race", self.model, variable="model.dpn"), "'model.dpn' is no option")
        self.assert_refused(self.run_program("race", self.model, variable="--timeout"), "needs a value")
        self.assert_refused(self.run_program("race", self.model, variable="--color='always"), "not closed")
        self.assert_refused(self.run_program("race", self.model, variable="--config=x"), "cannot be set here")
        self.assert_refused(self.run_program("race", self.model, variable="--timeout=soon"),
                            "LOCKWOOD_OPTIONS: --timeout", "'soon' is no time")

    def test_what_is_wrong_with_the_file_is_told(self):
        for members, words in (
                ({"option": {}}, ("unknown member 'option'",)),
                ({"options": []}, ("'options' is no object",)),
                ({"options": {"timeuot": "3s"}}, ("no command has an option '--timeuot'", "--timeout")),
                ({"options": {"quiet": "yes"}}, ("'quiet' is either true or false",)),
                ({"options": {"timeout": {}}}, ("neither a text nor a number",)),
                ({"options": {"timeout": "soon"}}, ("'soon' is no time",)),
                ({"options": {"help": True}}, ("'--help' cannot be set here",)),
                ({"commands": {"rase": {}}}, ("there is no command 'rase'", "race")),
                ({"commands": {"deadlock": {"brief": True}}}, ("'deadlock' has no option 'brief'",))):
            with self.subTest(members):
                self.configure(**members)
                self.assert_refused(self.run_program("race", self.model), self.file, *words)
        with open(self.file, "w", encoding="utf-8") as file:
            file.write('{"options": \n  nothing}')
        self.assert_refused(self.run_program("race", self.model), f"{self.file}:2:", "malformed JSON")
        self.assert_refused(self.run_program("race", self.model, "--config=/absent.json"), "/absent.json")

    def test_the_schema_and_the_example_of_the_manual(self):
        with open(os.path.join(SOURCE, "docs/command-line.md"), encoding="utf-8") as manual:
            example = json.loads(re.search(r"```json\n(.*?)```", manual.read(), re.DOTALL).group(1))
        jsonschema.validate(example, SCHEMA)
        self.configure(**example)
        self.assertNotEqual(self.settings(), [])
        for wrong in ({"option": {}}, {"options": {"quiet": "yes"}}, {"options": {"config": "x"}}):
            with self.assertRaises(jsonschema.ValidationError):
                jsonschema.validate(wrong, SCHEMA)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
