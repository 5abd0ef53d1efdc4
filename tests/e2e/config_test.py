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

    def run_program(self, *arguments, variable=None, home="/nowhere", **changes):
        environment = {key: value for key, value in os.environ.items()
                       if key not in ("LOCKWOOD_OPTIONS", "XDG_CONFIG_HOME")}
        environment.update(HOME=home, **changes)
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
        self.assert_refused(self.run_program("race", self.model, variable="model.dpn"), "'model.dpn' is not an option")
        self.assert_refused(self.run_program("race", self.model, variable="--timeout"), "needs a value")
        self.assert_refused(self.run_program("race", self.model, variable="--color='always"), "not closed")
        self.assert_refused(self.run_program("race", self.model, variable="--config=x"), "cannot be set here")
        self.assert_refused(self.run_program("race", self.model, variable="--timeout=soon"),
                            "LOCKWOOD_OPTIONS: --timeout", "'soon' is not a time")

    def test_what_is_wrong_with_the_file_is_told(self):
        for members, words in (
                ({"option": {}}, ("unknown member 'option'",)),
                ({"options": []}, ("'options' is not an object",)),
                ({"options": {"timeuot": "3s"}}, ("no command has an option '--timeuot'", "--timeout")),
                ({"options": {"quiet": "yes"}}, ("'quiet' is either true or false",)),
                ({"options": {"timeout": {}}}, ("neither a text nor a number",)),
                ({"options": {"timeout": "soon"}}, ("'soon' is not a time",)),
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

    def test_a_file_that_was_found_runs_no_program_and_writes_no_file(self):
        owned = os.path.join(self.folder, "owned")
        precious = os.path.join(self.folder, "notes.txt")
        with open(precious, "w", encoding="utf-8") as file:
            file.write("precious")
        shutil.copy(os.path.join(SOURCE, "models/fig1.dpn"), os.path.join(self.folder, "inner/fig1.dpn"))
        model = os.path.join(self.folder, "inner/fig1.dpn")
        attacks = ((["cross", model], "cross", {"external": [f"x=touch {owned}; echo unknown #"]}, "external"),
                   (["race", self.model], "race", {"html": precious}, "html"),
                   (["race", self.model], "race", {"sarif": precious}, "sarif"),
                   (["race", self.model], "race", {"json": precious}, "json"),
                   (["race", self.model], "race", {"output": precious}, "output"),
                   (["race", self.model], "race", {"baseline": "/etc/hostname"}, "baseline"),
                   (["check", model], "check", {"proofs": self.folder}, "proofs"),
                   (["check", model], "check", {"dot": precious}, "dot"),
                   (["check", model], "check", {"observer": precious}, "observer"),
                   (["check", model], "check", {"witness-limit": 100_000_000}, "witness-limit"),
                   (["show", model], "show", {"svg": True}, "svg"))
        for arguments, command, options, word in attacks:
            for members in ({"commands": {command: options}}, {"options": options}):
                with self.subTest(members):
                    self.configure(**members)
                    self.assert_refused(self.run_program(*arguments), "was found, not named, so it may not", f"'{word}'",
                                        f"--config={self.file}", "--config=none")
                    self.assertFalse(os.path.exists(owned))
                    with open(precious, encoding="utf-8") as file:
                        self.assertEqual(file.read(), "precious")
                    # Whoever wants to look at the folder can, and whoever trusts it says so.
                    self.assertIn(self.run_program(*arguments, "--config=none").returncode, (0, 1))
        self.configure(commands={"cross": {"external": [f"x=touch {owned}; echo unknown #"]}})
        self.assertEqual(self.run_program("cross", model, f"--config={self.file}").returncode, 0)
        self.assertTrue(os.path.exists(owned))
        # What is said about other commands, or overridden, does no harm.
        self.configure(commands={"cross": {"external": ["x=false"]}, "race": {"html": precious}})
        self.assertEqual(self.run_program("deadlock", self.model).returncode, 0)
        self.assertEqual(self.run_program("race", self.model, "--html=/dev/null").returncode, 1)

    def test_the_editor_takes_no_more_from_a_file_that_was_found(self):
        inner = os.path.dirname(self.model)
        for options, status in (({"timeout": "10s"}, 1), ({"timeout": "31s"}, 2), ({"max-memory": "5G"}, 2),
                                ({"no-warn": "all"}, 1), ({"pause": "1ms"}, 2)):
            self.configure(commands={"lsp": options})
            result = subprocess.run([PROGRAM, "lsp"], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=inner,
                                    timeout=PATIENCE, check=False)
            self.assertEqual(result.returncode, status, (options, result.stderr))  # 1: the conversation just ends

    def test_the_file_of_the_user_may_say_everything_and_yields_to_all_others(self):
        home = os.path.join(self.folder, "home")
        report = os.path.join(self.folder, "report.html")
        for environment in ({"home": home}, {"XDG_CONFIG_HOME": os.path.join(home, ".config")}):
            own = os.path.join(home, ".config/lockwood/lockwood.json")
            os.makedirs(os.path.dirname(own), exist_ok=True)
            with open(own, "w", encoding="utf-8") as file:
                json.dump({"options": {"exit-zero": True, "color": "never"}, "commands": {"race": {"html": report}}}, file)
            self.assertEqual(self.run_program("race", self.model, **environment).returncode, 0)
            self.assertTrue(os.path.exists(report))
            os.remove(report)
            self.configure(options={"color": "always"})
            self.assertEqual(self.settings(**environment),
                             [("--exit-zero", own), (f"--html={report}", own), ("--color=always", self.file)])
            self.assertEqual(self.run_program("race", self.model, "--config=none", **environment).returncode, 1)
            os.remove(self.file)
            shutil.rmtree(home)
        # A relative folder would be one that is found, not the user's own.
        self.assertEqual(self.run_program("race", self.model, XDG_CONFIG_HOME="home/.config").returncode, 1)

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
