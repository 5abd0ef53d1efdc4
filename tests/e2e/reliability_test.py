"""Nothing breaks it: every command is stopped by limits and signals, loses its reader, its disk and its memory, and gives
the same bytes whatever surrounds it.

    reliability_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]
"""

import io
import itertools
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_test import FIG1, PROGRAM, SANITIZED, SOURCE, environment, run, wait_until_it_listens  # noqa: E402
from processor_time import PATIENCE, with_a_limit  # noqa: E402

RULES = 20_000 if SANITIZED else 150_000
LINES = 4_000 if SANITIZED else 40_000
BANK = "models/bank-racy.lw"
FOREVER = ["explore", "models/unbounded-spawn.dpn", "--max-threads=1000", "--max-configurations=1000000000"]

# One of each command that answers, with what its answer stands on.
ANSWERS = [
    ["check", FIG1], ["check", FIG1, "--schedule", "--json"], ["check", "models/philosophers-3.dpn", "--schedule"],
    ["check", FIG1, "--explain"], ["reach", FIG1, "s2", "--json"], ["conflict", FIG1, "{p2}", "{s1}"],
    ["mhp", FIG1, "--json"], ["mhp", "models/philosophers-4.dpn"], ["deadlock", "models/philosophers-3.dpn", "--json"],
    ["dataflow", "models/definitions.dpn", "--definitions"], ["explore", FIG1, "--json"], ["show", FIG1, "--json"],
    ["show", FIG1, "--dot"], ["simulate", FIG1, "--seed=5"], ["convert", FIG1, "--to=json"], ["gen", "program"],
    ["race", BANK, "--json"], ["race", BANK], ["deadlock", "models/bank-deadlock.lw"], ["defuse", "models/table1-4.lw"],
    ["defuse", "models/table1-6.lw", "--json"], ["guards", BANK], ["lower", BANK],
    ["cross", "--random=20", "--seed=3", "--json"], ["query", "docs/examples/fig1.lwq"],
]


def wide_program(lines):
    """A program with many procedures, threads and accesses."""
    text = ["var " + ", ".join(f"v{i}" for i in range(40)) + ";", "lock " + ", ".join(f"l{i}" for i in range(8)) + ";"]
    procedures = lines // 8
    for i in range(procedures):
        text += [f"proc f{i}() {{", f"  sync (l{i % 8}) {{", f"    v{i % 40} = v{(i * 7) % 40} + 1;", "  }",
                 f"  v{(i * 3) % 40} = {i};", f"  if (*) {{ f{(i * 5 + 1) % procedures}(); }}", "}", ""]
    text += ["proc main() {", *(f"  spawn f{i}();" for i in range(0, procedures, 7)), "  source: v0 = v1;",
             "  sink: v2 = v3;", "}"]
    return "\n".join(text) + "\n"


def exploding_automaton(letters):
    """Words whose letter at that place from the end is an a: no small automaton knows this deterministically."""
    text = ["Ops a:1 b:1 e:0", "Automaton A", "States " + " ".join(f"q{i}" for i in range(letters + 1)),
            f"Final States q{letters}", "Transitions", "e -> q0", "a(q0) -> q0", "b(q0) -> q0", "a(q0) -> q1"]
    text += [f"{letter}(q{i}) -> q{i + 1}" for i in range(1, letters) for letter in "ab"]
    return "\n".join(text) + "\n"


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name

    @classmethod
    def file(cls, name):
        return os.path.join(cls.folder, name)


class Stopping(Case):
    """Large inputs, so that every command has something to do when it is told to stop."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        model, program, queries = cls.file("large.dpn"), cls.file("large.lw"), cls.file("queries.jsonl")
        made = run("gen", "program", f"--rules={RULES}", f"--procedures={RULES // 50}", "--locks=8", "-o", model)
        assert made.returncode == 0, made.stderr
        with open(program, "w", encoding="utf-8") as file:
            file.write(wide_program(LINES))
        with open(queries, "w", encoding="utf-8") as file:
            file.writelines('"reach {p0_0}"\n' for _ in range(100_000))
        answers, report = cls.file("answers.jsonl"), cls.file("report.json")
        with open(answers, "w", encoding="utf-8") as file:
            file.writelines(f'{{"id":{i},"query":"reach {{p0_0}}","locks":true,"verdict":"reachable"}}\n'
                            for i in range(200_000))
        finding = {"rule": "race", "verdict": "race", "subject": "x", "message": "two accesses"}
        with open(report, "w", encoding="utf-8") as file:
            json.dump({"schema": "lockwood/results/1", "findings": [{"id": str(i), **finding} for i in range(100_000)]}, file)
        automaton = cls.file("exploding.timbuk")
        with open(automaton, "w", encoding="utf-8") as file:
            file.write(exploding_automaton(24))
        script = cls.file("script.lwq")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f'load "{model}"\nlet A = post*(init)\ncheck empty(A & ~A)\n')
        cls.commands = [
            ["check", model], ["mhp", model], ["deadlock", model], ["explore", model, "--max-configurations=100000000"],
            ["show", model], ["convert", model, "--to=json"], ["simulate", model, "--steps=1000000000"],
            ["race", program], ["defuse", program], ["guards", program], ["deadlock", program], ["lower", program],
            ["batch", queries, model, "--jobs=1"], ["batch", queries, model, "--jobs=64"], ["query", script],
            ["gen", "program", "--rules=10000000"], ["cross", "--random=1000000"], ["dataflow", model, "--definitions"],
            ["reach", model, "p0_0"], ["conflict", model, "p0_0", "p0_1"], ["iterate", model, "{p0_0}", "{p0_1}"],
            ["flow", program, "--from=source", "--to=sink"], ["repro", program], ["diff", report, report],
            ["merge", answers], ["ta", "determinize", automaton], ["check", model, "--html=/dev/null"],
            ["show", model, "--dot=/dev/null"], ["show", model, "--alphabet"],
        ]
        if shutil.which("dot"):
            cls.commands.append(["show", model, "--svg=/dev/null"])

    @staticmethod
    def possible(command, stopped):
        """How a command that is told to stop may end; if it has its answer already, there are many races for repro."""
        return (0, 1, stopped, 2) if command[0] == "repro" else (0, 1, stopped)

    def test_a_time_limit_stops_every_command_with_3_or_an_answer(self):
        given_up = 0
        for command in self.commands:
            with self.subTest(" ".join(command)):
                result = run(*command, "--timeout=300ms")
                self.assertIn(result.returncode, self.possible(command, 3), result.stderr)
                self.assertNotIn("internal", result.stderr)
                if result.returncode == 3:
                    given_up += 1
                    self.assertTrue("time limit reached" in result.stderr + result.stdout, "nothing is said")
                if not SANITIZED:
                    self.assertNotIn("no more is known", result.stderr)  # it listened, and was not cut off
        self.assertGreater(given_up, len(self.commands) // 2)

    def test_a_memory_limit_stops_every_command_with_3_or_an_answer(self):
        given_up = 0
        for command in self.commands:
            with self.subTest(" ".join(command)):
                result = run(*command, "--max-memory=30M", "--timeout=1s", "-o", "/dev/null")
                self.assertIn(result.returncode, self.possible(command, 3), result.stderr)
                given_up += result.returncode == 3
        self.assertGreater(given_up, len(self.commands) // 2)

    def test_more_pairs_of_accesses_than_fit_into_memory_are_no_reason_to_be_cut_off(self):
        path = self.file("accesses.lw")
        with open(path, "w", encoding="utf-8") as file:
            file.write("var x;\nproc t() {\n" + "if (*) { x = 1; } else " * 20_000 + "{ x = 2; }\n}\n"
                       "proc main() { spawn t(); x = 3; }\n")
        for command in ("race", "guards"):
            result = run(command, path, "--max-memory=" + ("900M" if SANITIZED else "150M"))
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertIn("memory limit reached", result.stderr)
            self.assertNotIn("no more is known", result.stderr)

    def test_a_signal_ends_every_command_with_128_plus_n(self):
        ended = 0
        for place, command in enumerate(self.commands):
            number = signal.SIGINT if place % 2 == 0 else signal.SIGTERM
            with self.subTest(" ".join(command)):
                process = subprocess.Popen([PROGRAM, *command, "-o", "/dev/null"], stdin=subprocess.DEVNULL, cwd=SOURCE,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment())
                wait_until_it_listens(process)
                process.send_signal(number)
                process.communicate(timeout=PATIENCE)
                self.assertIn(process.returncode, self.possible(command, 128 + number))
                ended += process.returncode == 128 + number
        self.assertGreater(ended, len(self.commands) // 2)

    def test_a_signal_ends_a_conversation(self):
        commands = (["lsp"], ["repl", FIG1], ["batch", "-", FIG1], ["show", "-"], ["merge", "-"], ["query", "-"])
        for command, number in itertools.product(commands, (signal.SIGTERM, signal.SIGINT)):
            with self.subTest(" ".join(command), signal=number):
                process = subprocess.Popen([PROGRAM, *command], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL, cwd=SOURCE, env=environment())
                wait_until_it_listens(process)
                process.send_signal(number)
                self.assertEqual(process.wait(timeout=PATIENCE), 128 + number)
                process.stdin.close()

    def test_what_has_no_end_is_not_read_for_ever(self):
        for command in (["check", "/dev/zero"], ["merge", "/dev/zero"], ["diff", "/dev/zero", "/dev/zero"],
                        ["batch", "/dev/zero", FIG1], ["ta", "info", "/dev/zero"], ["query", "/dev/zero"],
                        ["dataflow", FIG1, "--facts=/dev/zero"], ["race", BANK, "--baseline=/dev/zero"],
                        ["reach", FIG1, "s1", "--observer=/dev/zero"], ["repro", "/dev/zero"], ["repl", "/dev/zero"]):
            with self.subTest(" ".join(command)):
                result = run(*command, "--max-memory=100M")
                self.assertEqual(result.returncode, 3)
                self.assertIn("memory limit reached", result.stderr + result.stdout)
                self.assertNotIn("no more is known", result.stderr)  # it was not cut off

    @unittest.skipIf(SANITIZED, "sanitizers reserve address space")
    def test_no_amount_of_memory_is_a_crash_of_a_batch(self):
        queries = "".join(json.dumps({"id": i, "query": "conflict {p2} and {s1}"}) + "\n" for i in range(100))
        for megabytes in (*range(16, 40, 2), *range(40, 100, 10)):
            limit = megabytes << 20
            for options in ([], ["--query-timeout=5s"], ["--schedule", "--verify"]):
                with self.subTest(f"{megabytes} MB, {options}"):
                    result = run("batch", "-", FIG1, "--jobs=8", *options, stdin=queries,
                                 preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
                    self.assertIn(result.returncode, (1, 3, 127), result.stderr)  # 127: not even the libraries fit
                    for line in result.stdout.splitlines():
                        json.loads(line)

    @unittest.skipIf(SANITIZED, "sanitizers reserve address space")
    def test_no_amount_of_memory_is_a_crash_of_a_conversation(self):
        uri = "file:///wide.lw"
        messages = [{"id": 1, "method": "initialize", "params": {}}, {"method": "initialized", "params": {}},
                    {"method": "textDocument/didOpen",
                     "params": {"textDocument": {"uri": uri, "version": 1, "languageId": "lockwood",
                                                 "text": wide_program(LINES // 20)}}}]
        for number in range(2, 12):
            messages.append({"id": number, "method": "textDocument/hover",
                             "params": {"textDocument": {"uri": uri}, "position": {"line": 4, "character": 5}}})
            messages.append({"method": "textDocument/didChange",
                             "params": {"textDocument": {"uri": uri, "version": number},
                                        "contentChanges": [{"text": wide_program(LINES // 20 + 8 * number)}]}})
        messages += [{"id": 99, "method": "shutdown"}, {"method": "exit"}]
        text = "".join(f"Content-Length: {len(body)}\r\n\r\n{body}" for body in
                       (json.dumps({"jsonrpc": "2.0", **message}) for message in messages))
        ended = {0: 0, 3: 0, 127: 0}
        for megabytes in (12, *range(24, 60, 3), *range(60, 160, 10)):
            limit = megabytes << 20
            with self.subTest(f"{megabytes} MB"):
                result = run("lsp", "--pause=1ms", "--timeout=1s", stdin=text,
                             preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
                self.assertIn(result.returncode, ended, result.stderr)  # 127: not even the libraries fit
                ended[result.returncode] += 1
                if result.returncode == 3:
                    self.assertRegex(result.stderr, "out of memory|no more threads")
        self.assertGreater(ended[0], 0)
        self.assertGreater(ended[3], 0)

    @unittest.skipIf(SANITIZED, "sanitizers reserve address space")
    def test_running_out_of_memory_is_no_crash(self):
        limit = 120 << 20
        for command in self.commands:
            with self.subTest(" ".join(command)):
                result = run(*command, "--timeout=1s", "-o", "/dev/null",
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
                if "'dot' of Graphviz could not draw" in result.stderr:  # which has the same limit, and met it
                    self.assertEqual(result.returncode, 2)
                    continue
                self.assertIn(result.returncode, self.possible(command, 3), result.stderr)

    @unittest.skipIf(SANITIZED, "sanitizers open files")
    def test_too_few_files_are_a_reason_to_give_up(self):
        result = run("check", FIG1, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4)))
        self.assertEqual((result.returncode, result.stderr), (3, "lockwood: the system allows no more open files\n"))


def doubling_model(levels):
    """Each procedure calls the one below it twice: to get to the end takes 2^levels steps, and to know that no time."""
    rules = [f"(m) -- go --> (p{levels}, e)", "(p0) -- work --> ()"]
    for i in range(1, levels + 1):
        rules += [f"(p{i}) -- a --> (p{i - 1}, q{i})", f"(q{i}) -- b --> (p{i - 1}, r{i})", f"(r{i}) -- c --> ()"]
    return "dpn {\n  initial (m)\n  rules {\n    " + "\n    ".join(rules) + "\n  }\n}\nreach {e}\n"


class LongReports(Case):
    """Everything is known soon, but to write it down takes long."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.model = cls.file("doubling.dpn")
        with open(cls.model, "w", encoding="utf-8") as file:
            file.write(doubling_model(14 if SANITIZED else 18))

    def check_abridged(self, *limits):
        for option in ("--json=report.json", "--json", "--jsonl", "--sarif=report.sarif", "--html=report.html"):
            with self.subTest(option):
                option = option.replace("=", "=" + self.folder + "/")
                before = set(os.listdir(self.folder))
                result = run("check", self.model, option, *limits, "--witness-limit=2000000", "--witness=smallest")
                self.assertEqual(result.returncode, 1, result.stderr)
                if (SANITIZED or "sarif" in option) and "left out" not in result.stderr:
                    continue  # so small a model, or one of which not all is told, may be told in time
                self.assertIn("left out", result.stderr)
                self.assertNotIn("no more is known", result.stderr)
                for name in set(os.listdir(self.folder)) - before:
                    self.assertIn(name, option, "a file is left behind")
                if option.startswith("--json"):
                    path = option.partition("=")[2]
                    with open(path, encoding="utf-8") if path else io.StringIO(result.stdout) as file:
                        report = json.load(file)
                    answer = report if option == "--jsonl" else report["queries"][0]
                    self.assertEqual(answer["verdict"], "reachable")
                    self.assertNotIn("schedule", answer)
                    self.assertIn("its execution is left out", answer["explanation"][0])

    def test_a_time_limit_leaves_executions_out(self):
        self.check_abridged("--timeout=1s")

    def test_a_memory_limit_leaves_executions_out(self):
        self.check_abridged("--max-memory=250M")

    def test_the_limits_of_a_query_are_limits_of_its_schedule_and_of_its_check(self):
        queries = self.file("queries.jsonl")
        with open(queries, "w", encoding="utf-8") as file:
            file.write('"reach {e}"\n"reach {m}"\n"reach {e}"\n')
        for option in ("--schedule", "--verify"):
            with self.subTest(option):
                result = with_a_limit(
                    lambda limit, option=option: run("batch", queries, self.model, option, f"--query-timeout={limit}"),
                    lambda result: '"reachable"' in result.stdout, first=0.05 if SANITIZED else 0.3)
                self.assertEqual(result.returncode, 1, result.stderr)
                answers = [json.loads(line) for line in result.stdout.splitlines()]
                self.assertEqual([answer["verdict"] for answer in answers], ["unknown", "reachable", "unknown"])
                self.assertEqual(answers[0]["because"], "time limit reached")

    def test_a_reader_that_does_not_read_is_not_waited_for(self):
        with subprocess.Popen([PROGRAM, "gen", "program", "--rules=50000", "--timeout=2s"], cwd=SOURCE, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()) as process:
            self.assertEqual(process.wait(timeout=PATIENCE), 3)
            self.assertIn("time limit reached", process.stderr.read())

    def test_whoever_is_cut_off_leaves_no_temporary_file(self):
        with tempfile.TemporaryDirectory() as folder:
            command = [PROGRAM, "gen", "program", f"--rules={RULES * 8}", "-o", os.path.join(folder, "model")]
            with subprocess.Popen(command, cwd=SOURCE, stderr=subprocess.DEVNULL, env=environment()) as process:
                while process.poll() is None and not os.listdir(folder):
                    time.sleep(0.001)
                process.send_signal(signal.SIGTERM)
                process.send_signal(signal.SIGINT)
                process.wait(timeout=PATIENCE)
            self.assertIn(os.listdir(folder), ([], ["model"]))


class Helpers(Case):
    """What another program does on our behalf is ours to answer for."""

    def drawing(self, *options):
        """A process that has a picture drawn by a program which takes 200 MB and never ends, and the number of that one."""
        dot, told = self.file("dot"), self.file("told")
        with open(dot, "w", encoding="utf-8") as file:
            file.write(f"#!{sys.executable}\nimport os, time\n"
                       f"open({told!r} + '.new', 'w').write(str(os.getpid()))\nos.rename({told!r} + '.new', {told!r})\n"
                       "memory = b'x' * (200 << 20)\ntime.sleep(10_000)\n")
        os.chmod(dot, 0o755)
        process = subprocess.Popen([PROGRAM, "show", FIG1, "--svg=/dev/null", *options], cwd=SOURCE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   env={**environment(), "PATH": self.folder + ":" + os.environ["PATH"]})
        while not os.path.exists(told):
            self.assertTrue(process.poll() is None or os.path.exists(told))
            time.sleep(0.01)
        with open(told, encoding="utf-8") as file:
            number = int(file.read())
        os.remove(told)
        return process, number

    def assert_gone(self, number):
        for _ in range(PATIENCE * 100):
            try:
                with open(f"/proc/{number}/stat", encoding="utf-8") as file:
                    if file.read().split()[2] == "Z":  # nobody has waited for it yet
                        return
            except OSError:
                return
            time.sleep(0.01)
        self.fail("it is still there")

    @unittest.skipIf(SANITIZED, "sanitizers take memory")
    def test_its_memory_counts(self):
        process, number = self.drawing("--max-memory=150M")
        self.assertIn("memory limit reached", process.communicate(timeout=PATIENCE)[1])
        self.assertEqual(process.returncode, 3)
        self.assert_gone(number)

    def test_it_ends_with_us(self):
        for signals in ([signal.SIGTERM], [signal.SIGHUP], [signal.SIGINT, signal.SIGTERM]):  # two: we end without further ado
            process, number = self.drawing()
            for each in signals:
                process.send_signal(each)
            process.communicate(timeout=PATIENCE)
            self.assertIn(process.returncode, [128 + each for each in signals])
            self.assert_gone(number)


class Input(Case):
    def test_a_configuration_has_an_end(self):
        queue, large = self.file("queue"), self.file("large.json")
        os.mkfifo(queue)
        with open(large, "w", encoding="utf-8") as file:
            file.write(" " * 2_000_000 + "{}")
        for path, reason in (("/dev/zero", "regular file"), (queue, "regular file"), (large, "larger than 1 MiB"),
                             (self.folder, "is a directory")):
            result = run("show", FIG1, "--config=" + path)
            self.assertEqual(result.returncode, 2)
            self.assertIn(reason, result.stderr)

    def test_a_message_that_nests_deeply_is_refused_and_the_conversation_goes_on(self):
        deep = "[" * 200_000 + "]" * 200_000
        messages = [f'{{"jsonrpc":"2.0","id":{deep},"method":"x"}}', '{"jsonrpc":"2.0","id":1,"method":"nonsense"}']
        result = run("lsp", stdin="".join(f"Content-Length: {len(text)}\r\n\r\n{text}" for text in messages))
        self.assertEqual(result.returncode, 1)  # not ended by exit
        self.assertIn("nested deeper than 1000", result.stdout)
        self.assertIn('"id":1', result.stdout)


class Output(Case):
    def test_remarks_that_cannot_be_written_change_nothing(self):
        cases = [(["check", "nofile"], 2), (["chekc"], 2), (["check", FIG1, "--nonsense"], 2), (["check", FIG1, "-v"], 1),
                 (["batch", "/dev/null", FIG1, "--resume=/dev/null"], 0), (["check", FIG1, "--stats=json"], 1),
                 ([*FOREVER, "--timeout=100ms"], 1), (["merge", "/dev/null", "--expect", "/dev/null"], 0)]
        for command, status in cases:
            for closing in ("2>/dev/full", "2>&-"):
                with self.subTest(" ".join(command) + closing):
                    result = subprocess.run(["sh", "-c", f'exec "$0" "$@" {closing}', PROGRAM, *command], cwd=SOURCE,
                                            env=environment(), stdout=subprocess.DEVNULL, timeout=PATIENCE, check=False)
                    self.assertEqual(result.returncode, status)

    def test_streams_that_are_closed_are_not_mistaken_for_others(self):
        for closing in ("<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-", ">&- 2>&-"):
            to_nowhere = 2 if ">&-" in closing.split() else 1
            for command, status in ((["check", FIG1], to_nowhere), (["check", FIG1, "-o", "/dev/null"], 1),
                                    (["show", "-"], 2)):
                with self.subTest(" ".join(command) + closing):
                    result = subprocess.run(["sh", "-c", f'exec "$0" "$@" {closing}', PROGRAM, *command], cwd=SOURCE,
                                            env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                            stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
                    self.assertEqual(result.returncode, status)

    def test_a_full_disk_is_an_error_of_every_command(self):
        for command in ANSWERS:
            with self.subTest(" ".join(command)), open("/dev/full", "w", encoding="utf-8") as full:
                result = subprocess.run([PROGRAM, *command], stdout=full, stderr=subprocess.PIPE, text=True, cwd=SOURCE,
                                        env=environment(), check=False)
                self.assertEqual(result.returncode, 2)
                self.assertIn("No space left on device", result.stderr)

    def test_a_reader_that_goes_away_ends_every_command_quietly(self):
        for command in ANSWERS:
            with self.subTest(" ".join(command)):
                reading, writing = os.pipe()
                os.close(reading)
                result = subprocess.run([PROGRAM, *command], stdout=writing, stderr=subprocess.PIPE, text=True, cwd=SOURCE,
                                        env=environment(), check=False)
                os.close(writing)
                self.assertEqual(result.returncode, -signal.SIGPIPE)
                self.assertNotIn("error", result.stderr)

    @staticmethod
    def tiny_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    def test_a_disk_that_becomes_full_tears_no_line(self):
        path = self.file("answers.jsonl")
        for there in (0, 1):  # lines that are there, and resumed from
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(['{"id":"1","query":"reach {s2}","locks":true,"verdict":"reachable"}\n'][:there])
            result = run("batch", "-", FIG1, "-o", path, *(["--resume=" + path] if there else []),
                         stdin='{"id":"1","query":"reach {s2}"}\n' + '"reach {s2}"\n' * 5, preexec_fn=self.tiny_files)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("File too large", result.stderr)
            with open(path, encoding="utf-8") as file:
                self.assertEqual([json.loads(line)["id"] for line in file], ["1"])

    def test_a_disk_that_becomes_full_leaves_the_old_file_and_nothing_else(self):
        for command in (["convert", FIG1], ["show", FIG1], ["check", FIG1, "--json"], ["race", BANK], ["lower", BANK]):
            with self.subTest(" ".join(command)):
                path, link = self.file("out"), self.file("link")
                with open(path, "w", encoding="utf-8") as file:
                    file.write("old\n")
                if not os.path.islink(link):
                    os.symlink("out", link)
                for name in (path, link):
                    result = run(*command, "-o", name, preexec_fn=self.tiny_files)
                    self.assertEqual(result.returncode, 2, result.stderr)
                    self.assertIn("File too large", result.stderr)
                    with open(path, encoding="utf-8") as file:
                        self.assertEqual(file.read(), "old\n")
                    self.assertEqual(sorted(os.listdir(self.folder)), ["link", "out"])
        for option in ("--sarif", "--html", "--json", "--dot"):
            with self.subTest(option):
                result = run("check", FIG1, f"{option}={link}", preexec_fn=self.tiny_files)
                self.assertEqual(result.returncode, 2, result.stderr)
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(file.read(), "old\n")
                self.assertEqual(sorted(os.listdir(self.folder)), ["link", "out"])


class Determinism(Case):
    def output(self, program, command, **changes):
        return subprocess.run([program, *command], capture_output=True, cwd=SOURCE, env=environment(**changes),
                              check=False).stdout

    def test_the_locale_and_the_environment_do_not_change_a_byte(self):
        for command in ANSWERS:
            with self.subTest(" ".join(command)):
                once = self.output(PROGRAM, command)
                self.assertNotEqual(once, b"")
                self.assertEqual(once, self.output(PROGRAM, command, LC_ALL="tr_TR.UTF-8", LANG="de_DE.UTF-8",
                                                   TZ="Asia/Kathmandu", PADDING="x" * 5000))

    @unittest.skipUnless("LOCKWOOD_OTHER" in os.environ, "LOCKWOOD_OTHER names no other build")
    def test_another_build_gives_the_same_bytes(self):
        for command in ANSWERS:
            with self.subTest(" ".join(command)):
                self.assertEqual(self.output(PROGRAM, command), self.output(os.environ["LOCKWOOD_OTHER"], command))

    def test_threads_that_share_a_large_query_do_not_change_a_byte(self):
        model = self.file("large.dpn")
        run("gen", "application", "--rules=20000", "--locks=8", "-o", model)
        outputs = {run("check", model, "--query=2", "--query=7", f"--jobs={jobs}", "--json").stdout for jobs in (1, 2, 3)}
        self.assertEqual(len(outputs), 1)
        self.assertIn("unreachable", next(iter(outputs)))

    def test_the_number_of_jobs_does_not_change_a_byte(self):
        model = self.file("model.dpn")
        run("gen", "application", "--rules=600", "--locks=4", "--seed=9", "-o", model)
        with open(model, encoding="utf-8") as file:
            symbols = [line.split()[0].strip("(),") for line in file if line.startswith("    (")]
        queries = "".join(json.dumps({"id": i, "form": "conflict", "positions": [[a], [b]]}) + "\n"
                          for i, (a, b) in enumerate(zip(symbols[::20], symbols[7::20])))
        self.assertGreater(queries.count("\n"), 20)
        outputs = {run("batch", "-", model, f"--jobs={jobs}", "--schedule", stdin=queries).stdout for jobs in (1, 2, 3, 8)}
        self.assertEqual(len(outputs), 1)
        self.assertEqual(next(iter(outputs)).count("\n"), queries.count("\n"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
