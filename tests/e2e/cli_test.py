"""End-to-end tests of the program `lockwood`: what it prints where, and how it ends.

    cli_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]
"""

import fcntl
import hashlib
import json
import os
import pty
import re
import resource
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
import xml.etree.ElementTree

import jsonschema

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from processor_time import PATIENCE, wait_until_it_works, with_a_limit  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
SANITIZED = "asan" in PROGRAM or "tsan" in PROGRAM
SOURCE = os.path.abspath(sys.argv[2])
FIG1 = "models/fig1.dpn"


def model_names():
    """The models in models/, with those about joins."""
    folder = os.path.join(SOURCE, "models")
    return sorted(name for name in os.listdir(folder) + [f"joins/{name}" for name in os.listdir(f"{folder}/joins")]
                  if name.endswith(".dpn"))


COMMANDS = ["race", "defuse", "flow", "guards", "explore", "show", "replay", "simulate", "diff", "lower", "convert",
            "repro",
            "completions", "cross", "gen", "help", "lsp", "manual"]

# No bound of these is ever reached: only a limit or a signal ends the exploration.
ENDLESS = ["explore", "models/unbounded-spawn.dpn", "--max-threads=1000", "--max-configurations=1000000000"]

with open(os.path.join(SOURCE, "docs/results.schema.json"), encoding="utf-8") as schema_file:
    SCHEMA = json.load(schema_file)


def environment(**changes):
    """What the tests run in: nothing of the caller's settings for terminals."""
    result = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM", "COLUMNS")}
    result["TERM"] = "xterm"
    result.update(changes)
    return result


def run(*arguments, stdin="", **options):
    """Runs the program in the source directory, without a terminal."""
    options.setdefault("env", environment())
    return subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True, text=True, cwd=SOURCE,
                          timeout=PATIENCE, check=False, **options)


# About models/twenty-locks.lw: 21 sets of places, all different, one thread in each; there are 20 threads. The engine has
# to keep an enormous number of sets of goals before it knows that. In lines, as they are typed.
PLACES = [f'"transfer{i}:{21 + 9 * i}"' for i in range(1, 20)]
ENGINE_SLOW = ["check empty(post*(init) & stand(",
               *("{" + ", ".join(PLACES[(i * (2 * j + 1) + 3 * j) % 19] for j in range(7)) + "}" + ("," if i < 20 else "")
                 for i in range(21)), "))"]


def start(*arguments, **options):
    return subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, cwd=SOURCE, env=environment(), **options)


def wait_until_it_listens(process):
    """Until the program has taken the signals that end it into its own hands: before, they would just kill it. Whoever
    starts it may for a moment have all signals blocked."""
    listening = 1 << (signal.SIGINT - 1) | 1 << (signal.SIGTERM - 1)
    others = 1 << (signal.SIGQUIT - 1)
    while process.poll() is None:
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
            blocked = next((line.split()[1] for line in file if line.startswith("SigBlk:")), "0")
        if int(blocked, 16) & (listening | others) == listening:
            return
        time.sleep(0.01)


def run_on_terminal(*arguments, typed="", env=None, stdout_too=True, columns=80):
    """Runs the program with a terminal as its streams; returns (exit status, what is on the screen)."""
    main, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([PROGRAM, *arguments], stdin=terminal, stderr=terminal, cwd=SOURCE,
                               stdout=terminal if stdout_too else subprocess.PIPE, env=env or environment(),
                               start_new_session=True)
    os.close(terminal)
    os.write(main, typed.encode())
    screen = b""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if not select.select([main], [], [], 0.1)[0]:
            continue
        try:
            chunk = os.read(main, 4096)
        except OSError:  # all of the other side is closed
            break
        if not chunk:
            break
        screen += chunk
    if not stdout_too:
        process.stdout.read()
        process.stdout.close()
    status = process.wait(timeout=PATIENCE)
    os.close(main)
    return status, screen.decode()


class Case(unittest.TestCase):
    maxDiff = None

    def assert_refused(self, result, *words):
        """Exit status 2, nothing on standard output, and the words on standard error."""
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        for word in words:
            self.assertIn(word, result.stderr)

    def assert_valid(self, text):
        """The text is a report of the published format; returns it."""
        report = json.loads(text)
        jsonschema.validate(report, SCHEMA)
        return report


class Help(Case):
    def test_program_help_names_all_commands_the_exit_status_and_two_examples(self):
        result = run("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for command in COMMANDS:
            self.assertRegex(result.stdout, rf"(?m)^  {command}  +\w")
        for status in ("0 ", "1 ", "2 ", "3 ", "4 ", "128+n"):
            self.assertRegex(result.stdout, rf"(?m)^  {re.escape(status)} +\w")
        examples = result.stdout.split("Examples:\n")[1]
        self.assertEqual(len(re.findall(r"(?m)^  lockwood", examples)), 2)
        self.assertEqual(run("help").stdout, result.stdout)

    def test_command_help_has_its_sections_in_order(self):
        order = ["Input", "Parameters", "Model reductions", "Analysis", "Limits", "Output", "General", "Exit status", "Examples"]
        for command in COMMANDS:
            with self.subTest(command):
                result = run(command, "--help")
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertTrue(result.stdout.startswith(f"Usage: lockwood {command} [OPTIONS]"))
                titles = re.findall(r"(?m)^(\w[\w ]*):$", result.stdout)
                self.assertEqual(titles, [title for title in order if title in titles])
                self.assertIn("Exit status", titles)
                self.assertLess(max(map(len, result.stdout.splitlines())), 121)
                self.assertEqual(run("help", command).stdout, result.stdout)

    def test_version_is_one_line(self):
        result = run("--version")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"^lockwood \d+\.\d+\.\d+( \([0-9a-f]+\))?\n$")


class Usage(Case):
    def test_no_command_is_an_error(self):
        self.assert_refused(run(), "no command", "--help")

    def test_an_option_takes_no_word_that_is_not_its_own(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "answers.jsonl")
            text = '{"id":1,"query":"reach {t}","locks":true,"verdict":"reachable"}\n'
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            self.assert_refused(run("merge", "--output=", path, path), "--output=: there is no value")
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), text)
        self.assert_refused(run("check", "--timeout=", FIG1), "--timeout=: there is no value")
        self.assertEqual(run("check", "--query=3", FIG1, "--schedule").returncode, 1)
        self.assertEqual(run("dataflow", "--generate", "v42", "--kill=v0", FIG1, "--json").returncode, 0)
        self.assertEqual(run("race", "--no-warn=unused-lock", "models/bank-racy.lw", "--explain").returncode, 1)

    def test_the_nearest_command_is_suggested(self):
        self.assert_refused(run("exlore", FIG1), "unknown command 'exlore'", "did you mean 'explore'?")

    def test_the_nearest_option_is_suggested(self):
        self.assert_refused(run("explore", "--max-depht=3", FIG1), "unknown option '--max-depht'",
                            "did you mean '--max-depth'?")

    def test_an_unknown_option_is_named_even_if_the_input_is_missing_too(self):
        self.assert_refused(run("explore", "--shcedule"), "did you mean '--schedule'?")

    def test_the_nearest_value_is_suggested(self):
        self.assert_refused(run("show", "--color=alwys", FIG1), "'alwys'", "did you mean 'always'?")

    def test_a_missing_input_is_named(self):
        self.assert_refused(run("show"), "FILE")

    def test_too_many_inputs_are_refused(self):
        self.assert_refused(run("show", FIG1, FIG1), "unexpected argument")

    def test_bad_values_of_limits_are_refused(self):
        for option in ("--timeout=soon", "--timeout=0", "--max-memory=lots", "--max-memory=-1", "--max-depth=x",
                       "--max-depth=-1", "--max-configurations=99999999999999999999999"):
            with self.subTest(option):
                self.assert_refused(run("explore", option, FIG1), option.split("=", maxsplit=1)[0])

    def test_bad_values_of_fail_on_are_refused(self):
        self.assert_refused(run("explore", "--fail-on=reachable,unkown", FIG1), "did you mean 'unknown'?")

    def test_errors_of_the_command_line_are_in_our_words(self):
        for arguments, message in (
                (["reach", FIG1], "lockwood reach: SYMBOL is missing: "),
                (["batch"], "lockwood batch: QUERIES is missing: the queries: a JSON array, or one JSON query a line"),
                (["race"], "lockwood race: no input: FILE is missing\n"),
                (["conflict", FIG1, "p2"], "lockwood conflict: SET: at least 2 are needed, not 1\n"),
                (["ta", "union", "a"], "lockwood ta union: FILE...: at least 2 are needed, not 1\n"),
                (["check", FIG1, "--timeout"], "lockwood check: --timeout needs a value: --timeout=TIME\n"),
                (["check", FIG1, "-o"], "lockwood check: --output needs a value: --output=FILE\n"),
                (["check", FIG1, "--jobs=1", "--jobs=2"], "lockwood check: --jobs is given more than once\n"),
                (["check", FIG1, "--quiet", "--verbose"], "lockwood check: --quiet and --verbose exclude each other\n"),
                (["gen", "--json", "ring"], "lockwood gen: --json needs --list\n"),
                (["check", FIG1, "--verify=maybe"], "lockwood check: --verify takes no value, but 'maybe' is given\n"),
                (["check", FIG1, "--jobs=many"], "lockwood check: --jobs: 'many' is not a number\n"),
                (["race", "docs/examples/counter.lw", "--without=waiting"], "lockwood race: --without: 'waiting' is none of isolation, joins, "
                                                         "merging, waits\n"),
                (["race", "docs/examples/counter.lw", "--max-contexts=0"], "lockwood race: --max-contexts: at least 1 is needed\n"),
                (["check", FIG1, "--ouput=x"], "lockwood check: unknown option '--ouput'; did you mean '--output'?\n"),
                (["chekc", FIG1], "lockwood: unknown command 'chekc'; did you mean 'check'?\n")):
            with self.subTest(arguments):
                result = run(*arguments)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertTrue(result.stderr.startswith(message), result.stderr)
                self.assertRegex(result.stderr, r"\nTry 'lockwood[a-z ]* --help'\.\n$")
        self.assert_refused(run("check", FIG1, env=environment(LOCKWOOD_OPTIONS="--jobs=1 --verify=maybe")),
                            "LOCKWOOD_OPTIONS", "--verify takes no value")

    def test_no_command_says_what_is_missing_in_words_of_the_library(self):
        for command in COMMANDS:
            for arguments in ([], ["--timeout"], ["--config"], ["--output"], ["--color"], ["a", "b", "c", "d", "e"]):
                result = run(command, *arguments)
                for words in ("required", "Required", "received", "Could not", "excludes", "requires", "subcommand"):
                    self.assertNotIn(words, result.stderr, f"{command} {arguments}")

    def test_standard_input_has_one_name(self):
        program = "var x;\nproc main() { spawn t(); x = 1; }\nproc t() { x = 2; }\n"
        wrong = run("race", "-", stdin=program + "proc f() { y = 1; }\n")
        self.assert_refused(wrong, "<stdin>:4:12: error: unknown name 'y'")
        race = run("race", "-", stdin=program)
        self.assertTrue(race.stdout.startswith("<stdin>:2:26: error: race on x: write at <stdin>:2 and write at <stdin>:3"),
                        race.stdout)
        self.assertEqual(run("race", "-", "--json", stdin=program).stdout.count('"file": "-"'), 0)
        self.assert_refused(run("show", "-", stdin="dpn {"), "<stdin>:1:")
        self.assert_refused(run("query", "-", stdin="check"), "<stdin>:1:")
        self.assert_refused(run("batch", "-", FIG1, stdin="[1,"), "<stdin>:1:")
        self.assert_refused(run("ta", "info", "-", stdin="Ops"), "<stdin>")

    def test_contradicting_options_are_refused(self):
        self.assert_refused(run("explore", FIG1, "--json", "--jsonl"), "--jsonl")
        self.assert_refused(run("explore", FIG1, "--quiet", "--verbose"), "--quiet")
        self.assert_refused(run("explore", FIG1, "--nolocks", "--expect"), "--nolocks")


class Input(Case):
    def test_what_cannot_be_read_is_named(self):
        for command in ("show", "explore", "simulate", "convert"):
            with self.subTest(command):
                self.assert_refused(run(command, "models/absent.dpn"), "models/absent.dpn", "No such file")
                self.assert_refused(run(command, "solver"), "solver", "is a directory")

    def test_a_file_without_permission_is_named(self):
        if os.geteuid() == 0:
            self.skipTest("root may read everything")
        with tempfile.NamedTemporaryFile(suffix=".dpn") as file:
            os.chmod(file.name, 0)
            self.assert_refused(run("show", file.name), file.name, "Permission denied")

    def test_garbage_is_refused_with_a_place(self):
        for name, content in {"bytes": bytes(range(256)) * 40, "zeros": bytes(100_000), "empty": b"",
                              "parentheses": b"(" * 1_000_000, "one line": b"x" * 1_000_000}.items():
            with self.subTest(name), tempfile.NamedTemporaryFile(suffix=".dpn") as file:
                file.write(content)
                file.flush()
                result = run("show", file.name)
                self.assert_refused(result, f"{file.name}:1:", "error:")
                self.assertLess(len(result.stderr), 20_000)

    def test_all_errors_are_shown_with_line_and_caret(self):
        result = run("show", "-", stdin="dpn { initial (a)\n rules {\n (a) -- x -> (b)\n (b) -- y --> (c d e f)\n } }\n")
        self.assert_refused(result, "<stdin>:3:", "<stdin>:4:", "^")

    def test_a_member_of_a_model_in_json_that_is_there_twice_is_refused(self):
        text = run("convert", FIG1, "--to=json").stdout.rstrip()
        self.assert_refused(run("convert", "-", stdin=text[:-1] + ', "rules": []}'), "<stdin>:", "'rules' already", "^")
        facts = '{"facts": [], "facts": []}'
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
            file.write(facts)
            file.flush()
            self.assert_refused(run("dataflow", FIG1, f"--facts={file.name}"), f"{file.name}:1:15:", "'facts' already")
        result = run("batch", "-", FIG1, stdin='{"query": "reach {r1}", "query": "reach {s1}"}\n')
        self.assertIn("'query' already", json.loads(result.stdout)["error"])

    def test_names_cannot_do_anything_to_a_terminal(self):
        model = ("dpn { stacks { 'a\\u001b[31m' : \"red\\u001b[31m\\nline2\" '\\u0007' : \"x\" } locks { 'l\\u009b' }\n"
                 "initial ('a\\u001b[31m') rules { ('a\\u001b[31m') -- 'x\\u0007' - 'l\\u009b' --> ('a\\u001b[31m', b) } }\n"
                 "reach {b} reach {'a\\u001b[31m'}\n")
        for command in (["show", "-"], ["show", "-", "--dot"], ["explore", "-", "--schedule", "--max-depth=3"],
                        ["simulate", "-", "--steps=3", "--tree"], ["convert", "-"], ["check", "-", "--explain"],
                        ["show", "-", "--alphabet"], ["show", "-", "--dot", "--lock-order"]):
            with self.subTest(command):
                result = run(*command, stdin=model)
                self.assertIn(result.returncode, (0, 1, 3), result.stderr)
                self.assertNotRegex(result.stdout + result.stderr, "[\x00-\x08\x0b-\x1f\x7f-\x9f]")
        schedule = run("explore", "-", "--schedule", "--query=2", stdin=model).stdout
        self.assertIn("is at red?[31m?line2\n", schedule)
        report = json.loads(run("show", "-", "--json", stdin=model).stdout)
        self.assertIn("a\x1b[31m", [row["entry"] for row in report["report"]["procedures"]])

    def test_a_hundred_thousand_rules_take_little_memory(self):
        if SANITIZED:
            self.skipTest("sanitizers take memory of their own")
        with tempfile.TemporaryDirectory() as folder:
            for name in ("model.dpn", "model.json"):
                path = os.path.join(folder, name)
                self.assertEqual(run("gen", "program", "--rules=100000", "-o", path).returncode, 0)
                loaded = subprocess.run(
                    [sys.executable, "-c", "import resource, subprocess, sys\n"
                     "subprocess.run(sys.argv[1:], check=True)\n"
                     "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)",
                     PROGRAM, "convert", path, "--to=dpn", "-o", "/dev/null"],
                    capture_output=True, text=True, cwd=SOURCE, check=True)
                self.assertLess(int(loaded.stdout) * 1024 / 100_000, 600, name)  # bytes a rule, the text and all

    def test_a_model_can_come_from_standard_input(self):
        with open(os.path.join(SOURCE, FIG1), encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(run("explore", "-", stdin=text).stdout, run("explore", FIG1).stdout)


class Verdicts(Case):
    def test_each_query_is_answered_on_a_line_that_ends_in_its_verdict(self):
        result = run("explore", FIG1)
        self.assertEqual(result.stderr, "")
        lines = result.stdout.splitlines()
        with open(os.path.join(SOURCE, FIG1), encoding="utf-8") as file:
            expected = re.findall(r"// expect: (\w+)", file.read())
        self.assertEqual([line.split()[-1] for line in lines], expected)

    def test_single_queries_can_be_chosen(self):
        lines = run("explore", FIG1).stdout.splitlines(keepends=True)
        self.assertEqual(run("explore", FIG1, "--query=3").stdout, lines[2])
        self.assertEqual(run("explore", "--query=4", "--query", "1", FIG1).stdout, lines[3] + lines[0])
        self.assertEqual(run("explore", FIG1, "--query=4").returncode, 0)
        self.assert_refused(run("explore", FIG1, "--query=0"), "no query 0")
        self.assert_refused(run("explore", FIG1, "--query=99"), "no query 99")

    def test_reachable_is_a_finding(self):
        self.assertEqual(run("explore", FIG1).returncode, 1)
        self.assertEqual(run("explore", FIG1, "--exit-zero").returncode, 0)
        self.assertEqual(run("explore", FIG1, "--fail-on=none").returncode, 0)

    def test_verdicts_as_expected_are_no_finding(self):
        self.assertEqual(run("explore", FIG1, "--expect").returncode, 0)

    def test_an_unexpected_verdict_is_a_finding_and_is_shown(self):
        with open(os.path.join(SOURCE, "models/sdpn.dpn"), encoding="utf-8") as file:
            text = file.read()
        wrong = text.replace("// expect: unreachable", "// expect: reachable", 1)
        self.assertNotEqual(wrong, text)
        result = run("explore", "-", "--expect", stdin=wrong)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)^.*: expected reachable, but is unreachable$")

    def test_a_bound_gives_unknown_and_exit_status_3(self):
        result = run("explore", FIG1, "--max-configurations=1", "--fail-on=none")
        self.assertEqual(result.returncode, 3)
        self.assertRegex(result.stdout, r"(?m): unknown \(bound\)\n    note: .*--max-configurations$")
        self.assertNotIn("unreachable", result.stdout)
        self.assertEqual(run("explore", FIG1, "--max-configurations=1", "--fail-on=unknown").returncode, 1)
        self.assertEqual(run("explore", FIG1, "--max-configurations=1", "--exit-zero").returncode, 0)

    def test_the_models_get_every_verdict_that_they_expect(self):
        for name in model_names():
            with self.subTest(name):
                result = run("explore", f"models/{name}", "--expect", "--jsonl")
                answers = [json.loads(line) for line in result.stdout.splitlines()]
                self.assertTrue(all("expected" in answer for answer in answers))
                unexpected = [answer for answer in answers if answer["verdict"] not in ("unknown", answer["expected"])]
                self.assertEqual(unexpected, [])
                unknown = any(answer["verdict"] == "unknown" for answer in answers)
                self.assertEqual(result.returncode, 3 if unknown else 0)
                if name not in ("recursion.dpn", "unbounded-spawn.dpn", "joins/recursion.dpn"):  # the others have finitely many configurations
                    self.assertFalse(unknown)

    def test_ignoring_locks_makes_more_reachable(self):
        self.assertNotIn("conflict {r1} and {s1}: reachable", run("explore", FIG1).stdout)
        self.assertRegex(run("explore", FIG1, "--nolocks").stdout,
                         r"(?m)^conflict nolocks \{r1\} and \{s1\}: reachable$")

    def test_schedules_are_indented_below_their_answer(self):
        lines = run("explore", FIG1, "--schedule").stdout.splitlines()
        self.assertEqual([line for line in lines if not line.startswith(" ")], run("explore", FIG1).stdout.splitlines())
        self.assertTrue(any("acquires x" in line for line in lines))

    def test_the_state_space_can_be_counted(self):
        report = self.assert_valid(run("explore", "models/fig2-deadlock.dpn", "--states", "--schedule", "--json").stdout)
        self.assertTrue(report["report"]["states"]["exhaustive"])
        self.assertGreater(report["report"]["states"]["deadlocked"], 0)
        self.assertTrue(report["report"]["deadlock"]["steps"])
        self.assertEqual(run("explore", FIG1, "--states", "--max-configurations=2").returncode, 3)


class MachineOutput(Case):
    def test_json_is_valid_and_alone_on_standard_output(self):
        for command in (["explore", FIG1], ["explore", FIG1, "--states"], ["explore", FIG1, "--max-configurations=1"],
                        ["show", FIG1], ["show", "models/recursion.dpn"], ["show", "models/unbounded-spawn.dpn"],
                        ["simulate", FIG1], ["simulate", FIG1, "--tree"], ["gen", "--list"]):
            with self.subTest(command):
                result = run(*command, "--json")
                self.assertEqual(result.stderr, "")
                report = self.assert_valid(result.stdout)
                self.assertEqual(report["command"], command[0])
                self.assertNotIn("timing", report)

    def test_json_is_the_same_in_each_run(self):
        for command in (["explore", FIG1], ["show", FIG1], ["simulate", FIG1, "--seed=3"]):
            self.assertEqual(run(*command, "--json").stdout, run(*command, "--json").stdout)

    def test_timing_is_one_member_more(self):
        report = self.assert_valid(run("explore", FIG1, "--json", "--timing").stdout)
        del report["timing"]
        self.assertEqual(report, json.loads(run("explore", FIG1, "--json").stdout))

    def test_the_model_is_identified(self):
        report = self.assert_valid(run("show", FIG1, "--json").stdout)
        digest = subprocess.run(["sha256sum", FIG1], cwd=SOURCE, capture_output=True, text=True, check=True).stdout
        self.assertEqual(report["model"]["sha256"], digest.split()[0])
        self.assertEqual((report["model"]["path"], report["model"]["locks"]), (FIG1, 1))

    def test_json_into_a_file_leaves_the_text_where_it_is(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.json")
            result = run("explore", FIG1, f"--json={path}")
            self.assertEqual(result.stdout, run("explore", FIG1).stdout)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), run("explore", FIG1, "--json").stdout)

    def test_output_goes_into_a_file_on_request(self):
        with tempfile.TemporaryDirectory() as folder:
            for options in ([], ["--json"], ["--jsonl"]):
                path = os.path.join(folder, "out")
                result = run("explore", FIG1, "-o", path, *options)
                self.assertEqual(result.stdout, "")
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(file.read(), run("explore", FIG1, *options).stdout)

    def test_json_does_not_swallow_the_input(self):
        self.assertEqual(run("explore", "--json", FIG1).stdout, run("explore", FIG1, "--json").stdout)

    def test_json_lines_are_the_queries(self):
        result = run("explore", FIG1, "--jsonl")
        queries = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(queries, json.loads(run("explore", FIG1, "--json").stdout)["queries"])


class Streams(Case):
    def test_no_colours_without_a_terminal_unless_asked(self):
        self.assertNotIn("\x1b", run("explore", FIG1).stdout)
        self.assertIn("\x1b[31mreachable", run("explore", FIG1, "--color=always").stdout)

    def test_colours_on_a_terminal_unless_refused(self):
        self.assertIn("\x1b[31mreachable", run_on_terminal("explore", FIG1)[1])
        self.assertNotIn("\x1b", run_on_terminal("explore", FIG1, "--color=never")[1])
        self.assertNotIn("\x1b", run_on_terminal("explore", FIG1, env=environment(NO_COLOR="1"))[1])
        self.assertNotIn("\x1b", run_on_terminal("explore", FIG1, env=environment(TERM="dumb"))[1])
        self.assertIn("\x1b", run_on_terminal("explore", FIG1, env=environment(NO_COLOR=""))[1])

    def test_a_status_line_on_a_terminal_disappears_at_the_end(self):
        rest = r"about (\d+ min \d+ s|[\d.]+ s) left"
        pattern = rf"\r\x1b\[Kquery (\d+) of (\d+), [\d.]+ s, {rest}, \d"
        status, screen = with_a_limit(
            lambda limit: run_on_terminal(*ENDLESS, f"--timeout={limit}", "--color=never"),
            lambda result: re.search(pattern, result[1]), first=1.5)
        self.assertEqual(status, 1)
        lines = re.findall(pattern, screen)
        self.assertTrue(lines, screen)
        self.assertTrue(all(1 < int(number) <= int(total) for number, total, *_ in lines), lines)
        self.assertNotIn("query", screen.split("\r\x1b[K")[-1])
        self.assertNotIn("\x1b", run_on_terminal(*ENDLESS, "--timeout=1s", "--color=never", "--progress=none")[1])
        self.assertNotIn("\x1b", run_on_terminal(*ENDLESS, "--timeout=1s", "--color=never", "--quiet")[1])

    def test_no_status_without_a_terminal(self):
        self.assertRegex(run(*ENDLESS, "--timeout=1s").stderr,
                         r"\A(lockwood: \d+ of 10 queries were not begun\n)?"
                         r"lockwood: time limit reached: there may be more to say\n\Z")

    def test_a_reader_that_goes_away_ends_the_program_quietly(self):
        reading, writing = os.pipe()
        os.close(reading)
        result = subprocess.run([PROGRAM, "help", "explore"], stdout=writing, stderr=subprocess.PIPE, text=True,
                                check=False)
        os.close(writing)
        self.assertEqual((result.returncode, result.stderr), (-signal.SIGPIPE, ""))
        result = subprocess.run(f"'{PROGRAM}' explore {FIG1} --schedule | head -n 1", shell=True, cwd=SOURCE,
                                capture_output=True, text=True, check=True)
        self.assertEqual((result.stdout.count("\n"), result.stderr), (1, ""))

    def test_a_full_disk_is_an_error(self):
        for command in (["explore", FIG1], ["explore", FIG1, "--json"], ["show", FIG1], ["show", FIG1, "--dot"],
                        ["convert", FIG1], ["simulate", FIG1], ["completions", "bash"], ["--help"], ["--version"]):
            with self.subTest(command), open("/dev/full", "w", encoding="utf-8") as full:
                result = subprocess.run([PROGRAM, *command], stdout=full, stderr=subprocess.PIPE, text=True, cwd=SOURCE,
                                        check=False)
                self.assertEqual(result.returncode, 2)
                self.assertIn("No space left on device", result.stderr)

    def test_an_output_that_cannot_be_written_is_an_error(self):
        for option in ("-o", "--json"):
            argument = ["-o", "/absent/out"] if option == "-o" else ["--json=/absent/out"]
            result = run("show", FIG1, *argument)
            self.assertEqual(result.returncode, 2)
            self.assertIn("/absent/out: No such file or directory", result.stderr)

    def test_an_output_that_others_may_not_read_stays_so(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.dpn")
            link = os.path.join(folder, "link.dpn")
            os.symlink(path, link)
            for command in (["convert", FIG1, "-o", path], ["convert", FIG1, "-o", link],
                            ["show", FIG1, "-o", path], ["show", FIG1, f"--json={path}"], ["gen", "ring", "-o", path]):
                with self.subTest(command), open(path, "a", encoding="utf-8"):
                    os.chmod(path, 0o600)
                    self.assertEqual(run(*command).returncode, 0)
                    self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
                    self.assertTrue(os.path.islink(link))

    def test_a_device_as_output_is_written_not_replaced(self):
        self.assertEqual(run("convert", FIG1, "-o", "/dev/null").returncode, 0)
        self.assertFalse(os.path.isfile("/dev/null"))
        self.assertEqual(run("convert", FIG1, "-o", "/dev/full").returncode, 2)


class Overwriting(Case):
    """No answer takes the place of what is read, whatever the file is called."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.text = {}
        for name, source in (("m.dpn", FIG1), ("p.lw", "models/bank-racy.lw"), ("a.timbuk", "docs/examples/lists.timbuk")):
            with open(os.path.join(SOURCE, source), encoding="utf-8") as file:
                self.text[name] = file.read()
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(self.text[name])
            os.symlink(name, self.path(name + ".link"))
            os.link(self.path(name), self.path(name + ".hard"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_what_is_read_is_not_written(self):
        for command, name, option in (
                (["check"], "m.dpn", "--output="), (["check"], "m.dpn", "--json="), (["check"], "m.dpn", "--sarif="),
                (["check"], "m.dpn", "--html="), (["check"], "m.dpn", "--dot="), (["convert"], "m.dpn", "--output="),
                (["show"], "m.dpn", "--dot="), (["show"], "m.dpn", "--svg="), (["race"], "p.lw", "--output="),
                (["race"], "p.lw", "--html="), (["lower"], "p.lw", "--json="), (["ta", "trim"], "a.timbuk", "--output="),
                (["ta", "dot"], "a.timbuk", "--svg=")):
            for other in (name, name + ".link", name + ".hard"):
                with self.subTest(" ".join([*command, option, other])):
                    result = run(*command, self.path(name), option + self.path(other))
                    self.assert_refused(result, "would take the place of", "write it to another file")
                    with open(self.path(name), encoding="utf-8") as file:
                        self.assertEqual(file.read(), self.text[name])
        self.assert_refused(run("check", self.path("m.dpn.link"), "-o", self.path("m.dpn")), "would take the place of")
        self.assert_refused(run("race", self.path("p.lw"), "--baseline", self.path("m.dpn"), "-o", self.path("m.dpn.hard")),
                            "would take the place of")

    def test_nor_is_it_the_name_of_an_answer_that_is_not_complete(self):
        os.rename(self.path("m.dpn"), self.path("out.partial"))
        self.assert_refused(run("check", self.path("out.partial"), "-o", self.path("out")), "would take the place of")
        self.assertTrue(os.path.exists(self.path("out.partial")))

    def test_two_answers_do_not_go_to_one_file(self):
        for other in ("out", "out.link"):
            result = run("check", FIG1, "--sarif=" + self.path("out"), "--html=" + self.path(other))
            self.assert_refused(result, "two answers would be written to this file")
            with open(self.path("out"), "w", encoding="utf-8"):
                pass
            if other == "out":
                os.symlink("out", self.path("out.link"))
        self.assertEqual(run("check", FIG1, "--sarif=/dev/null", "--html=/dev/null").returncode, 1)

    def test_a_link_is_not_followed_where_the_answer_is_not_complete(self):
        for make in (os.symlink, os.link):
            with open(self.path("precious"), "w", encoding="utf-8") as file:
                file.write("precious")
            make(self.path("precious"), self.path("out.partial"))
            self.assertEqual(run("check", FIG1, "-o", self.path("out")).returncode, 1)
            with open(self.path("precious"), encoding="utf-8") as file:
                self.assertEqual(file.read(), "precious")
            with open(self.path("out"), encoding="utf-8") as file:
                self.assertIn("reachable", file.read())
            self.assertFalse(os.path.lexists(self.path("out.partial")))
            os.remove(self.path("precious"))

    def test_an_answer_that_goes_through_a_link_leaves_the_link(self):
        os.mkdir(self.path("there"))
        os.symlink("there/out", self.path("link"))
        for text in ("new", "again"):
            self.assertEqual(run("check", FIG1, "-o", self.path("link")).returncode, 1, text)
            self.assertTrue(os.path.islink(self.path("link")))
            self.assertEqual(os.listdir(self.path("there")), ["out"])


class Limits(Case):
    def test_a_timeout_tells_what_is_known_and_gives_3(self):
        result = with_a_limit(lambda limit: run(*ENDLESS, f"--timeout={limit}", "--fail-on=none"),
                              lambda result: ": reachable\n" in result.stdout)
        self.assertEqual(result.returncode, 3)
        lines = result.stdout.splitlines()
        self.assertTrue(lines[0].endswith(": reachable"))
        self.assertRegex(result.stdout, r"(?m): unknown \(time limit reached\)$")
        report = self.assert_valid(run(*ENDLESS, "--timeout=500ms", "--json").stdout)
        self.assertEqual(report["stopped"], "time limit reached")

    def test_a_memory_limit_gives_3(self):
        result = run(*ENDLESS, "--max-memory=150M", "--fail-on=none")
        self.assertEqual(result.returncode, 3)
        self.assertRegex(result.stdout, r"(?m): unknown \(memory limit reached\)$")

    def test_running_out_of_memory_gives_3(self):
        if SANITIZED:
            self.skipTest("sanitizers reserve address space")
        limit = 300 << 20
        result = run(*ENDLESS, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assertEqual(result.returncode, 3)
        self.assertIn("out of memory", result.stderr)

    def test_signals_end_a_long_run_at_once_with_128_plus_n(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                process = start(*ENDLESS)
                self.assertTrue(process.stdout.readline().endswith(": reachable\n"))
                wait_until_it_works(process.pid)  # on the next query
                process.send_signal(number)
                output, _ = process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, 128 + number)
                self.assertIn("unknown (interrupted)", output)

    def test_a_signal_ends_a_wait_for_input(self):
        process = subprocess.Popen([PROGRAM, "show", "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=SOURCE)
        wait_until_it_listens(process)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=PATIENCE), 130)
        process.stdin.close()
        process.stderr.close()

    def test_whoever_is_cut_off_is_told_where_the_answers_are(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out")
            process = start(*ENDLESS, "-o", path)
            while process.poll() is None and not os.path.exists(path + ".partial"):
                time.sleep(0.01)
            for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGCONT):  # both at once
                process.send_signal(number)
            _, remarks = process.communicate(timeout=PATIENCE)
            self.assertEqual(remarks, f"lockwood: interrupted; what is known is in {path}.partial\n")
            self.assertEqual(process.returncode, 128 + signal.SIGTERM)

    def test_queries_are_not_begun_after_the_limit(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "many.dpn")
            with open(os.path.join(SOURCE, "models/unbounded-spawn.dpn"), encoding="utf-8") as file:
                model = file.read()
            with open(path, "w", encoding="utf-8") as file:
                file.write(model + "\n" + "conflict {w3} and {w3}\n" * 2000)
            result = run(ENDLESS[0], path, *ENDLESS[2:], "--timeout=1s")
            self.assertRegex(result.stderr, r"lockwood: \d+ of 2\d\d\d queries were not begun")
            self.assertLessEqual(result.stdout.count("unknown (time limit reached)"), 1)

    def test_a_status_can_be_asked_for_by_a_signal(self):
        process = start(*ENDLESS)
        process.stdout.readline()
        wait_until_it_works(process.pid)
        process.send_signal(signal.SIGUSR1)
        self.assertRegex(process.stderr.readline(), r"^lockwood: query \d+ of \d+, ")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)


class Show(Case):
    def test_a_model_in_numbers(self):
        result = run("show", FIG1)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for line in (r"rules +10", r"monitor rules +2", r"procedures +\d", r"locks +1", r"unbounded threads +no"):
            self.assertRegex(result.stdout, rf"(?m)^ +{line}$")
        self.assertRegex(run("show", "models/unbounded-spawn.dpn").stdout, r"unbounded threads +yes")
        self.assertNotRegex(run("show", "models/recursion.dpn").stdout, r"recursive procedures +0\n")

    def test_the_picture_is_a_graph(self):
        picture = run("show", FIG1, "--dot").stdout
        self.assertTrue(picture.startswith("digraph"))
        self.assertTrue(picture.endswith("}\n"))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "fig1.dot")
            self.assertEqual(run("show", FIG1, f"--dot={path}").stdout, run("show", FIG1).stdout)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), picture)

    def test_the_picture_of_a_program_has_its_procedures(self):
        program = ("var x; lock a;\nproc main() {\n  spawn f();\n  bool b = f();\n  g(b);\n}\nproc g(bool c) {\n"
                   "  if (c) { return; }\n  sync (a) {\n    x = 1;\n  }\n}\n"
                   "proc f(): bool {\n  if (x > 1) { throw; }\n  return *;\n}\n")
        picture = run("show", "-", "--dot", stdin=program).stdout
        titles = re.findall(r'subgraph cluster\d+ \{\n    label="(.*)";', picture)
        self.assertEqual(sorted(titles), ["f", "g [!c]", "g [c]", "main", "sync a in g:9", "thread f", "thread main"])
        labels = re.findall(r' -> s?\w+ \[label="(.*?)"', picture)
        self.assertIn("throw (to throws)", labels)
        self.assertIn("catch (from throws)", labels)
        self.assertIn("return (to returns(1))", labels)
        self.assertIn("call f", labels)
        self.assertNotIn("( to )", picture)
        labels = run("show", "models/control-states.dpn", "--dot").stdout
        for words in ('"start"', '"call [x]"', '"throw (running to returned by an exception)"',
                      '"continue (returned to running)"'):
            self.assertIn(f"label={words}", labels)


    def test_pictures_json_and_text_are_written_at_once_if_each_has_its_place(self):
        picture, text = run("show", FIG1, "--dot").stdout, run("show", FIG1).stdout
        as_json = run("show", FIG1, "--json").stdout
        with tempfile.TemporaryDirectory() as folder:
            dot, report, out = (os.path.join(folder, name) for name in ("a.dot", "a.json", "out"))

            def written(*arguments):
                result = run("show", FIG1, *arguments)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                contents = []
                for path in (dot, report, out):
                    if os.path.exists(path):
                        with open(path, encoding="utf-8") as file:
                            contents.append(file.read())
                        os.remove(path)
                return [result.stdout, *contents]
            self.assertEqual(written(f"--dot={dot}", "--json"), [as_json, picture])
            self.assertEqual(written("--dot", f"--json={report}"), [picture, as_json])
            self.assertEqual(written(f"--dot={dot}", f"--json={report}"), [text, picture, as_json])
            self.assertEqual(written("--dot", f"--json={report}", "-o", out), ["", as_json, picture])
        self.assert_refused(run("show", FIG1, "--dot", "--json"), "--dot and --json want the same place")
        self.assert_refused(run("show", FIG1, "--dot", "--svg"), "--dot and --svg want the same place")

    def test_locks_can_be_ignored(self):
        result = run("show", FIG1, "--nolocks")
        for line in (r"rules +10", r"monitor rules +0", r"call rules +\d", r"locks +0"):
            self.assertRegex(result.stdout, rf"(?m)^ +{line}$")


class Convert(Case):
    def test_without_locks_monitors_are_calls(self):
        result = run("convert", FIG1, "--nolocks")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertNotRegex(result.stdout, r"-- \S+ - \S+ -->|\n  locks \{")
        self.assertEqual(result.stdout.count("-->"), run("convert", FIG1).stdout.count("-->"))
        verdicts = [line.split(": ")[-1] for line in run("explore", FIG1, "--nolocks").stdout.splitlines()]
        without = run("explore", "-", stdin=result.stdout)
        self.assertEqual([line.split(": ")[-1] for line in without.stdout.splitlines()], verdicts)
        self.assertEqual(run("explore", "-", "--expect", stdin=result.stdout).returncode, 0)

    def test_there_and_back_is_the_identity(self):
        for name in model_names():
            with self.subTest(name):
                text = run("convert", f"models/{name}").stdout
                as_json = run("convert", f"models/{name}", "--to=json").stdout
                json.loads(as_json)
                self.assertEqual(run("convert", "-", stdin=text).stdout, text)
                self.assertEqual(run("convert", "-", "--to=dpn", stdin=as_json).stdout, text)
                self.assertEqual(run("convert", "-", "--to=json", stdin=text).stdout, as_json)

    def test_the_name_of_the_output_tells_the_format(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.json")
            self.assertEqual(run("convert", FIG1, "-o", path).returncode, 0)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), run("convert", FIG1, "--to=json").stdout)


class Simulate(Case):
    def test_the_same_seed_gives_the_same_run(self):
        runs = [run("simulate", FIG1, f"--seed={seed}").stdout for seed in range(8)]
        self.assertEqual(runs, [run("simulate", FIG1, f"--seed={seed}").stdout for seed in range(8)])
        self.assertGreater(len(set(runs)), 1)

    def test_the_number_of_steps_is_kept(self):
        report = self.assert_valid(run("simulate", "models/unbounded-spawn.dpn", "--steps=17", "--json").stdout)
        self.assertEqual(len(report["report"]["execution"]["steps"]), 17)
        self.assertEqual(report["report"]["run"]["end"], "move limit reached")

    def test_a_script_makes_moves_takes_them_back_and_looks_around(self):
        result = run("simulate", FIG1, "--interactive", stdin="1\nundo\nredo\nthreads\ntree\nrun\nhelp\nquit\nnonsense\n")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(re.findall(r"after (\d+) move", result.stdout), ["0", "1", "0", "1"])
        self.assertIn("main.1", result.stdout)
        self.assertIn("Spawn ", result.stdout)
        self.assertNotIn("> ", [line[:2] for line in result.stdout.splitlines()])

    def test_a_script_that_makes_no_sense_is_refused_with_its_line(self):
        for script, words in {"1\nundoo\n": ("<stdin>:2:", "did you mean 'undo'?"), "99\n": ("<stdin>:1:", "99"),
                              "undo\n": ("<stdin>:1:", "nothing to undo"), "redo 2\n": ("nothing to redo",),
                              "1\nundo 3\n": ("there is only 1 to undo",),
                              "1\nundo x\n": ("<stdin>:2:", "'x'")}.items():
            with self.subTest(script):
                result = run("simulate", FIG1, "--interactive", stdin=script)
                self.assertEqual(result.returncode, 2)
                for word in words:
                    self.assertIn(word, result.stderr)

    def test_without_terminal_and_script_stepping_is_refused(self):
        result = run("simulate", FIG1, "--interactive")
        self.assertEqual(result.returncode, 2)
        self.assertIn("needs a script", result.stderr)
        self.assertEqual(run_on_terminal("simulate", FIG1, "--interactive", stdout_too=False)[0], 2)
        self.assertEqual(run_on_terminal("simulate", "-", "--interactive")[0], 2)  # without waiting for a model

    def test_a_dialogue_ends_by_several_words(self):
        for word in ("q", "quit", "exit"):
            self.assertEqual(run("simulate", FIG1, "--interactive", stdin=f"{word}\nnonsense\n").returncode, 0)

    def test_a_hundred_thousand_moves_are_drawn_from_as_many_threads(self):
        report = json.loads(run("simulate", "models/unbounded-spawn.dpn", "--steps=100000", "--choose=uniform",
                                "--json").stdout)
        self.assertEqual(report["report"]["run"]["moves"], 100_000)
        self.assertGreater(report["report"]["run"]["threads"], 10_000)

    def test_stepping_on_a_terminal_goes_on_after_a_mistake(self):
        status, screen = run_on_terminal("simulate", FIG1, "--interactive", "--color=never", typed="undoo\n1\nquit\n")
        self.assertEqual(status, 0)
        self.assertIn("did you mean 'undo'?", screen)
        self.assertIn("after 1 move", screen)
        self.assertIn("> ", screen)

    def test_waiting_for_a_lock_is_shown(self):
        result = run("simulate", FIG1, "--interactive", stdin="1\n1\n1\n")
        self.assertRegex(result.stdout, r"waits for lock x, held by main")


class Generate(Case):
    def test_families_are_listed(self):
        listed = run("gen", "--list").stdout
        for family in ("philosophers",):
            self.assertRegex(listed, rf"(?m)^ *{family}\b")

    def test_every_family_makes_a_model_whose_verdicts_are_as_expected(self):
        report = json.loads(run("gen", "--list", "--json").stdout)
        families = [family["family"] for family in report["report"]["families"]]
        self.assertGreater(len(families), 3)
        for family in families:
            with self.subTest(family):
                model = run("gen", family).stdout
                result = run("explore", "-", "--expect", "--max-configurations=20000", stdin=model)
                self.assertIn(result.returncode, (0, 3), result.stdout)

    def test_the_manual_lists_the_families_and_their_parameters(self):
        with open(os.path.join(SOURCE, "docs/dpn-format.md"), encoding="utf-8") as file:
            manual = file.read()
        report = json.loads(run("gen", "--list", "--json").stdout)["report"]
        for family in report["families"]:
            row = re.search(rf"(?m)^\| `{family['family']}` +\| (.*)\|$", manual)
            self.assertIsNotNone(row, family["family"])
            listed = re.findall(r"`(\w+)`[^`(]*\((\d+)", row[1])
            expected = [(parameter["parameter"], str(parameter["default"])) for parameter in report["parameters"]
                        if parameter["family"] == family["family"]]
            self.assertEqual(listed, expected)

    def test_a_size_and_a_seed_change_the_model_and_nothing_else_does(self):
        self.assertEqual(run("gen", "philosophers", "4").stdout, run("gen", "philosophers", "4").stdout)
        self.assertNotEqual(run("gen", "philosophers", "4").stdout, run("gen", "philosophers", "5").stdout)

    def test_bad_families_and_parameters_are_refused(self):
        self.assert_refused(run("gen", "philosofers"), "philosophers")
        self.assert_refused(run("gen", "phil", "3"), "did you mean 'philosophers'?")
        self.assert_refused(run("gen", "philosophers", "many"), "many")
        self.assert_refused(run("gen", "philosophers", "-3"))
        self.assert_refused(run("gen", "philosophers", "--depth=2"), "depth")
        self.assert_refused(run("gen", "philosophers", "--json"), "--list")
        self.assert_refused(run("gen", "philosophers", "--list"), "--list")
        self.assert_refused(run("gen"), "FAMILY")


class Cross(Case):
    LIAR = "--external=liar=echo its verdict: unreachable #"

    def test_all_engines_agree_on_a_model_and_its_expectations(self):
        result = run("cross", FIG1)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"models/fig1.dpn:46 +conflict \{p4\} and \{q2\} +(reachable +){3}yes\n")
        self.assertRegex(result.stdout, r"fast and reference +9 +9 +0\n")
        self.assertRegex(result.stdout, r"(?m)^disagreements +0$")

    def test_random_models_are_compared_and_the_report_is_the_same_in_each_run(self):
        first = run("cross", "--random=15", "--seed=3", "--json")
        self.assertEqual(first.returncode, 0, first.stdout)
        report = self.assert_valid(first.stdout)["report"]
        self.assertEqual(report["summary"]["models"], 15)
        self.assertEqual(report["summary"]["queries"], 45)
        self.assertEqual((report["summary"]["family"], report["summary"]["first_seed"]), ("lock-programs", 3))
        self.assertEqual([engine["engine"] for engine in report["engines"]], ["fast", "reference", "explore"])
        fast = report["engines"][0]
        self.assertEqual(fast["witnesses"] + fast["certificates"], 45)
        self.assertGreater(fast["certificates"], 0)
        self.assertEqual(run("cross", "--random=15", "--seed=3", "--json").stdout, first.stdout)
        other = json.loads(run("cross", "--random=15", "--seed=40", "--json").stdout)["report"]
        self.assertNotEqual(other["engines"], report["engines"])

    def test_engines_and_families_can_be_chosen(self):
        result = run("cross", "--engines=explore,fast", "--family=random-small", "--set=rules=6", "--random=5", "--json")
        self.assertEqual(result.returncode, 0, result.stdout)
        report = self.assert_valid(result.stdout)["report"]
        self.assertEqual([pair["engines"] for pair in report["agreement"]], ["explore and fast"])

    def test_diagrams_agree_with_structures_one_by_one(self):
        result = run("cross", "--engines=fast,zdd", "--random=20", "--seed=5", "--json")
        self.assertEqual(result.returncode, 0, result.stdout)
        report = self.assert_valid(result.stdout)["report"]
        self.assertEqual([(pair["engines"], pair["differ"]) for pair in report["agreement"]], [("fast and zdd", 0)])
        fast, zdd = report["engines"]
        self.assertEqual([fast[key] for key in ("reachable", "unreachable", "witnesses")],
                         [zdd[key] for key in ("reachable", "unreachable", "witnesses")])
        self.assertGreater(zdd["witnesses"], 0)
        self.assertEqual((zdd["unknown"], zdd["certificates"]), (0, 0))

    def test_a_disagreement_is_a_finding_with_a_shrunk_model_that_can_be_read(self):
        result = run("cross", "--engines=explore", self.LIAR, "--random=3", "--json")
        self.assertEqual(result.returncode, 1, result.stderr)
        report = self.assert_valid(result.stdout)["report"]
        self.assertGreater(report["summary"]["disagreements"], 0)
        model = "\n".join(report["disagreement_1"])
        self.assertIn("// explore: reachable", model)
        self.assertIn("// liar: unreachable", model)
        self.assertNotIn("-->", model)  # no rule is needed to contradict someone who always says the same
        self.assertIn("reachable", run("explore", "-", stdin=model).stdout)
        whole = run("cross", "--engines=explore", self.LIAR, "--random=3", "--no-shrink")
        self.assertEqual(whole.returncode, 1)
        self.assertIn("-->", whole.stdout)
        self.assertEqual(run("cross", "--engines=explore", self.LIAR, "--random=3", "--exit-zero").returncode, 0)
        self.assertNotIn("initial", run("cross", "--engines=explore", self.LIAR, "--random=3", "--max-shown=0").stdout)

    def test_a_verdict_that_is_not_expected_is_a_finding(self):
        model = "dpn { initial (a) rules { (a) -- s --> (b) } }\nreach {b} // expect: unreachable\n"
        result = run("cross", "-", stdin=model)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)^ +-:2 +reach \{b\} .*no$")
        self.assertRegex(result.stdout, r"(?m)^unexpected +1$")

    def test_an_engine_that_takes_too_long_does_not_know(self):
        result = run("cross", FIG1, "--engines=fast", "--external=slow=sleep 100000 #", "--engine-timeout=100ms")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("unknown (time limit reached)", result.stdout)

    def test_a_limit_ends_the_comparison_with_what_is_known(self):
        result = with_a_limit(lambda limit: run("cross", "--random=1000000000", f"--timeout={limit}"),
                              lambda result: result.stdout)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertRegex(result.stdout, r"(?m)^disagreements +0$")

    def test_bad_requests_are_refused(self):
        self.assert_refused(run("cross"), "nothing to compare", "--random")
        self.assert_refused(run("cross", FIG1, "--engines=fats"), "'fats'", "did you mean 'fast'?")
        self.assert_refused(run("cross", "--random=1", "--family=random-smal"), "did you mean 'random-small'?")
        self.assert_refused(run("cross", "--random=1", "--family=ring"), "no seed")
        self.assert_refused(run("cross", "--random=1", "--set=rules"), "NAME=VALUE")
        self.assert_refused(run("cross", "--random=1", "--set=locks=some"), "'some' is not a number")
        self.assert_refused(run("cross", "--random=1", "--set=lock=3"), "did you mean 'locks'?")
        self.assert_refused(run("cross", FIG1, "--external=fast=true"), "two engines of the name 'fast'")
        self.assert_refused(run("cross", "models/none.dpn"), "models/none.dpn")


class Witnesses(Case):
    """--svcomp: runs as violation witnesses."""
    SPACE = "{http://graphml.graphdrawing.org/xmlns}"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def witnesses(self, *arguments, stdin=""):
        """The report, and the files that were written: {id: data of the graph, data of nodes, edges in their order}."""
        report = json.loads(run(*arguments, "--json", f"--svcomp={self.folder}/w", stdin=stdin).stdout)
        found = {}
        for name in sorted(os.listdir(f"{self.folder}/w")):
            root = xml.etree.ElementTree.parse(f"{self.folder}/w/{name}").getroot()
            declared = {(key.get("id"), key.get("for")) for key in root.findall(f"{self.SPACE}key")}
            graph = root.find(f"{self.SPACE}graph")

            def data(element, kind):
                values = {each.get("key"): each.text for each in element.findall(f"{self.SPACE}data")}
                self.assertLessEqual({(key, kind) for key in values}, declared)
                return values
            nodes = {node.get("id"): data(node, "node") for node in graph.findall(f"{self.SPACE}node")}
            edges = graph.findall(f"{self.SPACE}edge")
            # One path, from the entry to the violation.
            at = [edges[0].get("source"), *(edge.get("target") for edge in edges)]
            self.assertEqual([edge.get("source") for edge in edges], at[:-1])
            self.assertEqual(len(set(at)), len(at))
            self.assertEqual(set(at), set(nodes))
            self.assertEqual([nodes[node] for node in at],
                             [{"entry": "true"}, *[{}] * (len(at) - 2), {"violation": "true"}])
            found[name.removesuffix(".graphml")] = (data(graph, "graph"), [data(edge, "edge") for edge in edges])
        return report, found

    def check_steps(self, finding, edges):
        """The edges are the steps of the schedule and the places where it ends; a spawn also enters its procedure."""
        steps = [edge for i, edge in enumerate(edges) if i == 0 or "createThread" not in edges[i - 1]]
        numbers = {"main": "0"}
        for step, edge in zip(finding["schedule"], steps):
            if step.get("kind") == "spawn":
                numbers[step["object"]] = str(len(numbers))
                self.assertEqual(edge["createThread"], numbers[step["object"]])
            self.assertEqual(edge.get("enterFunction"), step["what"].split()[1] if step["kind"] == "call" else None)
        places = [(each["thread"], each["at"]["line"]) for each in finding["schedule"] + finding["sites"]]
        self.assertEqual([(edge["threadId"], int(edge["startline"])) for edge in steps],
                         [(numbers[thread], line) for thread, line in places])

    def test_a_race_that_was_executed_has_one(self):
        program = "docs/examples/account.lw"
        report, found = self.witnesses("race", program)
        (finding,) = report["findings"]
        self.assertEqual(list(found), [finding["id"]])
        graph, edges = found[finding["id"]]
        with open(os.path.join(SOURCE, program), "rb") as file:
            self.assertEqual(graph["programhash"], hashlib.sha256(file.read()).hexdigest())
        self.assertEqual(graph["witness-type"], "violation_witness")
        self.assertEqual(graph["specification"], "CHECK( init(main()), LTL(G ! data-race) )")
        self.assertEqual(graph["programfile"], program)
        self.assertRegex(graph["creationtime"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.check_steps(finding, edges)
        self.assertEqual([edge["startline"] for edge in edges[-2:]], ["12", "17"])
        self.assertEqual({edge["threadId"] for edge in edges[-2:]}, {"0", "1"})
        with open(f"{self.folder}/w/{finding['id']}.graphml", encoding="utf-8") as file:
            text = file.read()
        self.witnesses("race", program)
        with open(f"{self.folder}/w/{finding['id']}.graphml", encoding="utf-8") as file:
            self.assertEqual(file.read(), text)

    def test_an_assertion_that_fails_has_one(self):
        program = ("var x; lock a;\nproc main() {\n  spawn f(2);\n  sync (a) { assert(x < 1 && x != 5); }\n}\n"
                   "proc f(n) { g(n); }\nproc g(n) { x = n; }\n")
        report, found = self.witnesses("explore", "-", stdin=program)
        asserted = [finding for finding in report["findings"] if finding["rule"] == "assertion"]
        self.assertEqual(len(asserted), 1)
        graph, edges = found[asserted[0]["id"]]
        self.assertEqual(graph["specification"], "CHECK( init(main()), LTL(G assert) )")
        self.assertEqual(graph["creationtime"], "1970-01-01T00:00:00Z")
        self.check_steps(asserted[0], edges)
        self.assertEqual(edges[-1]["startline"], "4")
        self.assertEqual({finding["id"] for finding in report["findings"] if finding["rule"] in ("race", "assertion")},
                         set(found))

    def test_what_is_only_possible_has_none(self):
        program = "var x, y;\nproc main() { spawn t(); if (y == 1) { x = 1; } }\nproc t() { x = 2; }\n"
        result = run("race", "-", "--settle=off", f"--svcomp={self.folder}/w", stdin=program)
        self.assertIn("possible", result.stdout)
        self.assertIn("no race and no failed assertion was executed", run(
            "race", "-", "--settle=off", "--verbose", f"--svcomp={self.folder}/w", stdin=program).stderr)
        self.assertEqual(os.listdir(f"{self.folder}/w"), [])


class Documentation(Case):
    def test_what_the_documents_show_is_what_the_program_prints(self):
        for name in ("README.md", "docs/command-line.md", "docs/findings.md", "docs/language.md", "docs/queries.md",
                     "docs/reports.md"):
            with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
                text = file.read()
            blocks = [block for language, block in re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", text) if not language]
            blocks += [re.sub("(?m)^    ", "", block) for block in re.findall(r"(?m)((?:^    .*\n)+)", text)]
            sessions = [block for block in blocks if block.startswith("$ lockwood ")]
            self.assertTrue(sessions, name)
            for session in sessions:
                command, output = session[len("$ lockwood "):].split("\n", maxsplit=1)
                self.assertEqual(run(*command.split()).stdout, output, f"{name}: {command}")
            for session in blocks:  # of a text that is typed, with the errors in it
                typed = re.match(r"\$ echo '(.*)' \| lockwood (.*)\n", session)
                if typed:
                    result = run(*typed[2].split(), stdin=typed[1] + "\n")
                    self.assertEqual(result.stderr + result.stdout, session[typed.end():], f"{name}: {typed[0]}")


class Completions(Case):
    def complete(self, *words):
        """What bash offers for the last of the words."""
        script = ('eval "$("$0" completions bash)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lockwood; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        return subprocess.run(["bash", "-c", script, PROGRAM, *words], cwd=SOURCE, capture_output=True, text=True,
                              check=True).stdout.split()

    def test_bash_completes_commands_options_values_and_files(self):
        self.assertEqual(self.complete("lockwood", "exp"), ["explore"])
        self.assertEqual(self.complete("lockwood", "explore", "--max-d"), ["--max-depth"])
        self.assertEqual(self.complete("lockwood", "show", "--color", "=", "al"), ["always"])
        self.assertEqual(self.complete("lockwood", "show", "--color", "="), ["auto", "always", "never"])
        self.assertIn(FIG1, self.complete("lockwood", "show", "models/fig"))
        self.assertEqual(self.complete("lockwood", "completions", "z"), ["zsh"])

    def test_other_shells_get_scripts_with_all_commands(self):
        for shell in ("zsh", "fish"):
            script = run("completions", shell).stdout
            for command in COMMANDS:
                self.assertIn(command, script)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
