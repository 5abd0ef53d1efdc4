"""End-to-end tests of batch and merge.

    batch_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]
"""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import jsonschema

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_test import FIG1, PROGRAM, SOURCE, environment, run  # noqa: E402
from processor_time import PATIENCE, with_a_limit  # noqa: E402

with open(os.path.join(SOURCE, "docs/batch.schema.json"), encoding="utf-8") as schema_file:
    SCHEMA = json.load(schema_file)

QUERIES = [
    {"id": "race", "form": "conflict", "positions": [["p2"], ["s1"]]},
    {"id": 7, "form": "mhp", "pair": ["r1", "s1"]},
    {"id": "x", "query": "reach {s2}"},
    "conflict nolocks {r1} and {s1}",
    {"id": "flow", "form": "iterate", "steps": [{"positions": [["s2"]]},
                                               {"positions": [["r1"]], "avoiding": ["v0"]}]},
    {"id": "text", "query": "iterate {s2}, {r1} avoiding {v0}"},
    {"id": "open", "form": "reach", "nolocks": True, "positions": [["r1"]], "requiring": ["v0"]},
]
VERDICTS = ["reachable", "unreachable", "reachable", "reachable", None, None, "reachable"]


def lines_of(*queries):
    return "".join(json.dumps(query) + "\n" for query in queries)


# Without this reduction, a query about 40 threads takes longer than anybody waits.
HARD = ["--no-reduce=goals"]


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name, text=None):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def answers(self, result):
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        for answer in answers:
            jsonschema.validate(answer, SCHEMA)
        return answers


class Batch(Case):
    def test_each_query_is_answered_on_a_line_in_its_order_by_its_id(self):
        result = run("batch", "-", FIG1, stdin=lines_of(*QUERIES))
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        answers = self.answers(result)
        self.assertEqual([answer["id"] for answer in answers], ["race", 7, "x", 4, "flow", "text", "open"])
        for answer, verdict in zip(answers, VERDICTS):
            if verdict:
                self.assertEqual(answer["verdict"], verdict, answer)
        self.assertEqual(answers[4]["verdict"], answers[5]["verdict"])
        self.assertEqual(answers[4]["query"], answers[5]["query"])
        self.assertFalse(answers[3]["locks"])

    def test_the_verdicts_are_those_of_check(self):
        model = json.loads(run("convert", FIG1, "--to", "json").stdout)
        batch = self.answers(run("batch", "-", FIG1, "--schedule", stdin=json.dumps(model["queries"])))
        check = json.loads(run("check", FIG1, "--json", "--schedule").stdout)["queries"]
        self.assertEqual(len(batch), 9)
        for ours, theirs in zip(batch, check):
            for member in ("query", "verdict", "locks", "schedule"):
                self.assertEqual(ours.get(member), theirs.get(member))

    def test_an_array_and_lines_are_the_same(self):
        array = run("batch", self.file("q.json", json.dumps(QUERIES, indent=2)), FIG1)
        self.assertEqual(array.stdout, run("batch", self.file("q.jsonl", lines_of(*QUERIES)), FIG1).stdout)
        self.assertEqual(array.stdout, run("batch", "-", FIG1, stdin=json.dumps(QUERIES)).stdout)

    def test_the_answers_are_the_same_bytes_for_any_number_of_jobs(self):
        model = self.file("model.dpn")
        run("gen", "lock-programs", "--seed=5", "-o", model)
        stacks = json.loads(run("convert", model, "--to", "json").stdout)["stacks"]
        queries = lines_of(*({"form": "mhp", "pair": [a, b]} for a in stacks for b in stacks))
        outputs = {run("batch", "-", model, f"--jobs={jobs}", "--schedule", stdin=queries).stdout for jobs in (1, 2, 8)}
        self.assertEqual(len(outputs), 1)
        self.assertEqual(len(outputs.pop().splitlines()), len(stacks) ** 2)

    def test_unordered_answers_are_the_same_lines(self):
        ordered = run("batch", "-", FIG1, stdin=lines_of(*QUERIES)).stdout
        unordered = run("batch", "-", FIG1, "--unordered", "--jobs=3", stdin=lines_of(*QUERIES)).stdout
        self.assertEqual(sorted(ordered.splitlines()), sorted(unordered.splitlines()))

    def test_queries_about_a_program_name_its_labels_and_lines(self):
        answers = self.answers(run("batch", "-", "models/table1-4.lw", stdin=lines_of(
            {"query": "reach {sink}"}, {"query": "reach {line 10}"}, {"query": "conflict {sink} {source}"},
            {"query": "reach {snik}"}, {"query": "reach {line 1000}"})))
        self.assertEqual([answer.get("verdict") for answer in answers], ["reachable", "reachable", "unreachable", None, None])
        self.assertIn("did you mean 'sink'", answers[3]["error"])
        self.assertIn("no statement in line 1000", answers[4]["error"])

    def test_numbers_that_are_too_large_are_bad_input(self):
        model = self.file("model.json", '{"schema": 1e999}')
        automaton = self.file("automaton.json", '{"name": 1e999}')
        settings = self.file("lockwood.json", '{"check": {"max-memory": 1e999}}')
        for result in (run("batch", "-", FIG1, stdin="[1e999]"), run("show", model), run("ta", "info", automaton),
                       run("check", FIG1, f"--config={settings}")):
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("is too large", result.stderr)

    def test_verified_answers_are_the_same_lines(self):
        plain = run("batch", "-", FIG1, stdin=lines_of(*QUERIES))
        verified = run("batch", "-", FIG1, "--verify", "--jobs=2", stdin=lines_of(*QUERIES))
        self.assertEqual((plain.returncode, plain.stdout), (verified.returncode, verified.stdout))

    def test_rings_of_locks_can_be_asked_for(self):
        result = run("batch", "-", "models/philosophers-3.dpn", stdin=lines_of(
            {"form": "deadlock", "ring": ["fork1", "fork2", "fork3"]}, {"form": "deadlock", "ring": ["fork1", "fork3"]}))
        self.assertEqual([answer["verdict"] for answer in self.answers(result)], ["reachable", "unreachable"])

    def test_bad_lines_get_an_error_and_do_not_end_the_batch(self):
        bad = ["{", "17", '{"id": [1], "query": "reach {s2}"}', '{"form": "raech", "positions": [["s2"]]}',
               '{"form": "reach", "positions": [["s22"]]}', '{"form": "reach", "postions": [["s2"]]}',
               '{"form": "conflict", "positions": [["s2"]]}', '{"form": "reach", "positions": "s2"}',
               '{"query": "reach {zz}"}', '{"query": "reach {s2} reach {s2}"}', '{"form": "deadlock", "ring": ["x"]}',
               '{"form": "mhp", "pair": ["s1"]}', '{"form": "reach", "positions": [["s2"]], "nolocks": 1}', "\"", "null",
               '{"id": 99}']
        result = run("batch", "-", FIG1, stdin="\n".join(bad) + "\n\n" + lines_of({"id": "last", "query": "reach {s2}"}))
        self.assertEqual(result.returncode, 2)
        answers = self.answers(result)
        self.assertEqual(len(answers), len(bad) + 1)
        for answer in answers[:-1]:
            self.assertTrue(answer["error"], answer)
        self.assertEqual(answers[3]["error"].split(", ")[-1], "did you mean 'reach'?")
        self.assertIn("unknown stack symbol 's22', did you mean 's2'?", answers[4]["error"])
        self.assertEqual(answers[-1]["verdict"], "reachable")

    def test_a_query_for_too_many_threads_is_unknown(self):
        model = self.file("m.dpn", "dpn { initial (m) rules { (m)--s-->(m :> t) } }")
        result = run("batch", "-", model, stdin=lines_of("iterate " + " and ".join(["{t}"] * 65), "reach {t}"))
        self.assertEqual(result.returncode, 1)
        first, second = self.answers(result)
        self.assertEqual((first["verdict"], second["verdict"]), ("unknown", "reachable"))
        self.assertIn("more than 64", first["because"])

    def test_answers_do_not_take_the_place_of_the_input(self):
        queries, model = self.file("q.jsonl", lines_of("reach {t}")), self.file("m.dpn", "dpn { initial (t) rules { } }")
        for path in (queries, model):
            before = self.read(path)
            result = run("batch", queries, model, "-o", path)
            self.assertEqual(result.returncode, 2)
            self.assertIn("would take the place", result.stderr)
            self.assertEqual(self.read(path), before)

    def test_an_id_that_is_used_twice_is_an_error(self):
        answers = self.answers(run("batch", "-", FIG1, stdin=lines_of({"id": 1, "query": "reach {s2}"}, QUERIES[3],
                                                                      {"id": 1, "query": "reach {s1}"})))
        self.assertIn("same id", answers[2]["error"])

    def test_a_malformed_array_or_a_missing_file_is_bad_input(self):
        self.assertEqual(run("batch", "-", FIG1, stdin="[1,").returncode, 2)
        self.assertEqual(run("batch", "/nowhere", FIG1).returncode, 2)
        self.assertEqual(run("batch", "-", "-").returncode, 2)
        for shard in ("0/2", "3/2", "1", "1/0", "a/b", "-1/2"):
            self.assertEqual(run("batch", "-", FIG1, f"--shard={shard}").returncode, 2, shard)
        self.assertEqual(run("batch", "-", FIG1, "--jobs=0").returncode, 2)

    def test_the_exit_status_is_that_of_the_verdicts(self):
        self.assertEqual(run("batch", "-", FIG1, stdin=lines_of(QUERIES[1])).returncode, 0)
        self.assertEqual(run("batch", "-", FIG1, stdin=lines_of(QUERIES[0])).returncode, 1)
        self.assertEqual(run("batch", "-", FIG1, "--exit-zero", stdin=lines_of(QUERIES[0])).returncode, 0)
        self.assertEqual(run("batch", "-", FIG1, "--fail-on=none", stdin=lines_of(QUERIES[0])).returncode, 0)
        self.assertEqual(run("batch", "-", FIG1, stdin="").returncode, 0)

    def test_answers_come_while_queries_are_still_written(self):
        process = subprocess.Popen([PROGRAM, "batch", "-", FIG1], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   text=True, cwd=SOURCE, env=environment())
        for query in QUERIES[:3]:
            process.stdin.write(lines_of(query))
            process.stdin.flush()
            self.assertEqual(json.loads(process.stdout.readline())["id"], query["id"])
        process.stdin.close()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=PATIENCE), 1)

    def test_many_questions_about_the_same_places_have_the_answers_of_one_run_for_all_pairs(self):
        model = self.file("model.dpn")
        run("gen", "application", "--rules=2000", "--locks=4", "-o", model)
        races = json.loads(run("convert", "--to=json", model).stdout)["queries"][1:4]
        places = sorted({place for race in races for side in race["steps"][0]["positions"] for place in side})[:32]
        pairs = [(first, second) for i, first in enumerate(places) for second in places[i:]]
        queries = lines_of(*({"id": i, "form": "mhp", "pair": pair} for i, pair in enumerate(pairs)))
        outputs = [run("batch", "-", model, f"--jobs={jobs}", stdin=queries) for jobs in (1, 2)]
        self.assertEqual(outputs[0].stdout, outputs[1].stdout)
        listed = json.loads(run("mhp", model, "--json", "--between", *[" ".join(places)] * 2).stdout)
        together = {frozenset(pair.values()) for pair in listed["report"]["pairs"]}
        verdicts = {frozenset(pairs[answer["id"]]): answer["verdict"] for answer in self.answers(outputs[0])}
        self.assertEqual({pair for pair, verdict in verdicts.items() if verdict == "reachable"}, together)
        self.assertIn("unreachable", verdicts.values())

    def test_an_interrupt_leaves_whole_lines_and_a_batch_to_resume(self):
        model = self.file("model.dpn")
        run("gen", "philosophers", "40", "-o", model)
        easy = [{"id": number, "form": "reach", "positions": [[f"eat{number + 1}"]]} for number in range(3)]
        hard = {"id": "hard", "form": "conflict", "positions": [[f"first{i}"] for i in range(1, 41)]}
        queries = self.file("q.jsonl", lines_of(*easy, hard))
        answers = self.file("a.jsonl")
        process = subprocess.Popen([PROGRAM, "batch", queries, model, "--jobs=1", *HARD, "-o", answers], cwd=SOURCE,
                                   env=environment(), stderr=subprocess.PIPE, text=True)
        try:
            while not os.path.exists(answers) or self.read(answers).count("\n") < 3:
                self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            self.assertIn("3 queries were answered", process.communicate(timeout=PATIENCE)[1])
        finally:
            process.kill()
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.read(answers).count("\n"), 3)
        self.file("q.jsonl", lines_of(*easy, {"id": "more", "query": "reach {eat4}"}))
        run("batch", queries, model, "--resume", answers, "-o", answers)
        self.assertEqual([json.loads(line)["id"] for line in self.read(answers).splitlines()], [0, 1, 2, "more"])

    def test_a_query_that_takes_too_long_is_given_up_and_the_next_one_is_answered(self):
        model = self.file("model.dpn")
        run("gen", "philosophers", "40", "-o", model)
        hard = {"id": "hard", "form": "conflict", "positions": [[f"first{i}"] for i in range(1, 41)]}
        queries = lines_of(hard, {"id": "easy", "query": "reach {eat1}"})
        result = with_a_limit(
            lambda limit: run("batch", "-", model, f"--query-timeout={limit}", *HARD, "--fail-on=none", stdin=queries),
            lambda result: "reachable" in result.stdout, first=0.2)
        answers = self.answers(result)
        self.assertEqual([answer["verdict"] for answer in answers], ["unknown", "reachable"])
        self.assertEqual(answers[0]["because"], "time limit reached")
        self.assertEqual(result.returncode, 3)

    def test_a_query_that_takes_too_much_memory_is_given_up_and_the_next_one_is_answered(self):
        model = self.file("model.dpn")
        run("gen", "philosophers", "40", "-o", model)
        hard = {"id": "hard", "form": "conflict", "positions": [[f"first{i}"] for i in range(1, 41)]}
        queries = lines_of(hard, {"id": "easy", "query": "reach {eat1}"})
        ways = [(["--query-memory=40M"], {})]
        if "asan" not in PROGRAM and "tsan" not in PROGRAM:  # they reserve address space
            limit = 100 << 20
            ways.append(([], {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))}))
        for arguments, options in ways:
            with self.subTest(arguments):
                result = run("batch", "-", model, "--jobs=1", *HARD, *arguments, "--fail-on=none", stdin=queries,
                             **options)
                answers = self.answers(result)
                self.assertEqual([answer["verdict"] for answer in answers], ["unknown", "reachable"])
                self.assertEqual(answers[0]["because"], "memory limit reached")
                self.assertEqual(result.returncode, 3)

    def test_resume_leaves_out_what_is_decided_and_cuts_off_half_a_line(self):
        everything = run("batch", "-", FIG1, stdin=lines_of(*QUERIES)).stdout
        half = everything[:everything.index("\n", 200) + 30]
        queries = self.file("q.jsonl", lines_of(*QUERIES))
        answers = self.file("a.jsonl", half)
        rest = run("batch", queries, FIG1, "--resume", answers)
        self.assertEqual(half[:half.rindex("\n") + 1] + rest.stdout, everything)
        self.assertIn("cut off", rest.stderr)
        run("batch", queries, FIG1, "--resume", answers, "-o", answers)
        self.assertEqual(self.read(answers), everything)
        self.assertEqual(run("batch", queries, FIG1, "--resume", queries).returncode, 2)

    def test_resume_counts_the_findings_that_were_there(self):
        queries = self.file("q.jsonl", lines_of(QUERIES[0], QUERIES[1]))
        answers = self.file("a.jsonl", run("batch", queries, FIG1).stdout)
        again = run("batch", queries, FIG1, "--resume", answers)
        self.assertEqual((again.stdout, again.returncode), ("", 1))
        self.assertEqual(run("batch", queries, FIG1, "--resume", answers, "--exit-zero").returncode, 0)
        self.assertEqual(run("batch", queries, FIG1, "--resume", answers, "--shard=2/2").returncode, 0)

    def test_resume_refuses_answers_of_another_model(self):
        queries = self.file("q.jsonl", lines_of({"query": "reach {t}"}))
        text = "dpn {\n  initial (m)\n  rules { (m)--s-->(m :> t) }\n}\n"
        model, other = self.file("m.dpn", text), self.file("other.dpn", text.replace("--s-->", "--r-->"))
        answers = self.file("a.jsonl")
        self.assertEqual(run("batch", queries, model, "-o", answers).returncode, 1)
        line = self.read(answers)
        told = json.loads(line)["model"]
        for arguments in ((), ("-o", answers)):
            result = run("batch", queries, other, "--resume", answers, *arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertRegex(result.stderr, rf"a.jsonl: error: these answers are about another model \({told}, and this "
                                            r"one is [0-9a-f]{16}\)")
            self.assertIn("begin anew, without --resume", result.stderr)
            self.assertEqual(self.read(answers), line)
        # How the model is written does not matter, nor do comments and queries.
        self.file("m.dpn", "// the same\n" + text.replace("\n  ", " ") + "reach {t}\n")
        as_json = self.file("m.json", run("convert", model, "--to=json").stdout)
        for same in (model, as_json):
            result = run("batch", queries, same, "--resume", answers)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (1, "", ""))
        # A file with answers of two models, and files that do not fit together.
        of_other = self.file("o.jsonl", run("batch", queries, other).stdout.replace('"id":1', '"id":2'))
        mixed = self.file("mixed.jsonl", line + self.read(of_other))
        for command in (["batch", queries, model, "--resume", mixed], ["merge", mixed]):
            result = run(*command)
            self.assertEqual(result.returncode, 2)
            self.assertIn("mixed.jsonl:2:1: error: this answer is about another model (", result.stderr)
        result = run("merge", answers, of_other)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(f"o.jsonl: error: these answers are about another model ({json.loads(self.read(of_other))['model']}) "
                      f"than those in {answers} ({told})", result.stderr)
        # Answers of earlier versions do not tell; that is said.
        old = self.file("old.jsonl", line.replace(f',"model":"{told}"', ""))
        result = run("batch", queries, other, "--resume", old)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("old.jsonl: 1 answers do not tell which model they are about", result.stderr)

    def test_the_page_shows_what_is_written(self):
        with open(os.path.join(SOURCE, "docs/batch.md"), encoding="utf-8") as file:
            page = file.read()
        queries = self.file("q.jsonl", lines_of({"id": "r2", "form": "conflict", "positions": [["p2", "p3"], ["s1"]]},
                                                {"id": 5, "form": "mhp", "pair": ["r1", "s1"]},
                                                {"id": 7, "query": "reach {s22}"}))
        answers = self.file("answers.jsonl", run("batch", queries, FIG1).stdout)
        self.assertIn("".join("    " + line for line in self.read(answers).splitlines(True)), page)
        refused = run("batch", queries, "models/fig2-schedulable.dpn", "--resume", answers).stderr.replace(answers, "answers.jsonl")
        self.assertIn("".join("    " + line for line in refused.splitlines(True)), page)

    def test_the_status_tells_how_many_of_how_many_are_answered(self):
        model = self.file("model.dpn")
        run("gen", "philosophers", "40", "-o", model)
        easy = [{"id": number, "form": "reach", "positions": [[f"eat{number + 1}"]]} for number in range(3)]
        hard = {"id": "hard", "form": "conflict", "positions": [[f"first{i}"] for i in range(1, 41)]}
        before = self.file("before.jsonl", run("batch", "-", model, stdin=lines_of(easy[0])).stdout)
        for queries, resumed, status in ((lines_of(*easy, hard), [], r"3 of 4 queries answered"),
                                         (json.dumps([*easy, hard]), [], r"3 of 4 queries answered"),
                                         (lines_of(*easy, hard), ["--resume", before], r"3 of 4 queries answered"),
                                         (lines_of(*easy, hard), ["--shard=2/2"], r"1 of 2 queries answered"),
                                         (None, [], r"3 queries answered")):
            with self.subTest(queries=queries, resumed=resumed):
                answers = self.file("a.jsonl", "")
                source = "-" if queries is None else self.file("q", queries)
                process = subprocess.Popen([PROGRAM, "batch", source, model, "--jobs=1", *HARD, *resumed, "-o", answers],
                                           cwd=SOURCE, env=environment(), stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                           text=True)
                try:
                    if queries is None:
                        process.stdin.write(lines_of(*easy, hard))
                        process.stdin.flush()
                    written = int(status[0]) - (resumed == ["--resume", before])
                    while self.read(answers).count("\n") < written:
                        self.assertIsNone(process.poll())
                    told = ""
                    for _ in range(500):  # a line is written before it counts
                        process.send_signal(signal.SIGUSR1)
                        told = process.stderr.readline()
                        if re.match(rf"lockwood: {status}", told):
                            break
                    self.assertRegex(told, rf"^lockwood: {status}")
                finally:
                    process.kill()
                    process.communicate()

    def test_resume_refuses_answers_to_other_queries_and_contradictions(self):
        answers = self.file("a.jsonl", run("batch", "-", FIG1, stdin=lines_of({"id": 1, "query": "reach {s2}"})).stdout)
        for other in ({"id": 1, "query": "reach {s1}"}, {"id": 1, "query": "reach nolocks {s2}"},
                      {"id": 1, "query": "reach {nowhere}"}):
            result = run("batch", self.file("q.jsonl", lines_of(other)), FIG1, "--resume", answers, "-o", answers)
            self.assertEqual(result.returncode, 2)
            self.assertIn("id 1: this answers another query, reach {s2}", result.stderr)
        line = self.read(answers)
        twice = self.file("b.jsonl", line + line.replace('"reachable"', '"unreachable"'))
        for command in (["merge", twice], ["batch", "-", FIG1, "--resume", twice]):
            result = run(*command)
            self.assertEqual(result.returncode, 2)
            self.assertIn("b.jsonl:2:1: error: id 1: unreachable here, but reachable before", result.stderr)

    def test_resume_does_not_take_a_text_for_half_a_line(self):
        for text in ("my thesis", "[\n1\n]", '{"id": 1, "query": "reach {s2}"}', '{"id":1,"query":"reach {s2}"}', "{}"):
            path = self.file("precious", text)
            result = run("batch", "-", FIG1, "--resume", path, "-o", path)
            self.assertEqual(result.returncode, 2, text)
            self.assertIn("not an answer of lockwood batch", result.stderr)
            self.assertEqual(self.read(path), text)
        for torn in ("{", '{"id"', '{"id":1,"qu'):
            path = self.file("torn", torn)
            self.assertEqual(run("batch", "-", FIG1, "--resume", path, "-o", path, stdin=lines_of(QUERIES[1])).returncode, 0)
            self.assertEqual(self.read(path).count("\n"), 1)

    def test_deep_nesting_is_an_error_of_its_query(self):
        deep = "[" * 200_000 + "]" * 200_000
        bad = [f'{{"id":1,"form":"reach","positions":{deep}}}', f'{{"id":2,"form":"iterate","steps":{deep}}}',
               f'{{"id":3,"form":"mhp","pair":{deep}}}', f'{{"id":4,"form":"reach","positions":[["s2"]],"nolocks":{deep}}}',
               f'{{"id":{deep},"query":"reach {{s2}}"}}']
        queries = self.file("q.jsonl", "\n".join(bad) + "\n" + lines_of({"id": "last", "query": "reach {s2}"}))
        result = run("batch", queries, FIG1)
        self.assertEqual(result.returncode, 2)
        answers = self.answers(result)
        for answer in answers[:-1]:
            self.assertIn("nested deeper than", answer["error"])
        self.assertEqual((len(answers), answers[-1]["verdict"]), (6, "reachable"))
        self.assertEqual(run("batch", self.file("q.json", deep), FIG1).returncode, 2)
        line = self.file("a.jsonl", f'{{"id":{deep},"query":"reach {{s2}}","locks":true,"verdict":"reachable"}}\n')
        for command in (["merge", line], ["batch", "-", FIG1, "--resume", line], ["diff", line, line],
                        ["ta", "info", self.file("a.json", f'{{"symbols": {deep}}}')]):
            self.assertEqual(run(*command).returncode, 2, command)

    def test_a_member_that_is_there_twice_is_an_error_of_its_query(self):
        answers = self.answers(run("batch", "-", FIG1, stdin='{"id": 1, "query": "reach {s2}", "query": "reach {s1}"}\n'))
        self.assertIn("has the member 'query' already", answers[0]["error"])

    def test_what_was_answered_is_written_though_a_query_before_it_is_open(self):
        model = self.file("model.dpn")
        run("gen", "philosophers", "40", "-o", model)
        hard = {"id": "hard", "form": "conflict", "positions": [[f"first{i}"] for i in range(1, 41)]}
        easy = [{"id": number, "query": f"reach {{eat{number + 1}}}"} for number in range(30)]
        queries = self.file("q.jsonl", lines_of(hard, *easy))
        result = with_a_limit(lambda limit: run("batch", queries, model, "--jobs=2", *HARD, f"--timeout={limit}"),
                              lambda result: result.stdout.count("\n") == 30, first=3)
        self.assertIn("30 queries were answered", result.stderr)
        self.assertEqual([answer["id"] for answer in self.answers(result)], list(range(30)))
        self.assertEqual(result.returncode, 1)


class Merge(Case):
    def setUp(self):
        super().setUp()
        self.queries = self.file("q.jsonl", lines_of(*QUERIES))
        self.whole = run("batch", self.queries, FIG1).stdout
        self.parts = [self.file(f"{part}.jsonl", run("batch", self.queries, FIG1, f"--shard={part}/3").stdout)
                      for part in (1, 2, 3)]

    def test_the_parts_make_the_whole(self):
        self.assertEqual([self.read(part).count("\n") for part in self.parts], [3, 2, 2])
        merged = run("merge", *self.parts, "--expect", self.queries)
        self.assertEqual((merged.stdout, merged.stderr, merged.returncode), (self.whole, "", 0))

    def test_without_the_queries_the_order_is_that_of_the_ids(self):
        merged = run("merge", *self.parts)
        self.assertEqual(merged.stdout, run("merge", *reversed(self.parts)).stdout)
        self.assertEqual(sorted(merged.stdout.splitlines()), sorted(self.whole.splitlines()))
        self.assertEqual([answer["id"] for answer in self.answers(merged)], [4, 7, "flow", "open", "race", "text", "x"])

    def test_missing_answers_are_named(self):
        merged = run("merge", self.parts[0], self.parts[2], "--expect", self.queries)
        self.assertEqual(merged.returncode, 3)
        self.assertIn('2 queries have no answer: 7, "flow"', merged.stderr)

    def test_contradictions_are_errors(self):
        changed = self.file("c.jsonl", self.whole.replace('"unreachable"', '"reachable"', 1))
        merged = run("merge", *self.parts, changed)
        self.assertEqual((merged.returncode, merged.stdout), (2, ""))
        self.assertIn("id 7: reachable here, but unreachable in", merged.stderr)
        other = self.file("o.jsonl", '{"id": 7, "query": "reach {s2}", "locks": true, "verdict": "unreachable"}\n')
        self.assertIn("another query", run("merge", *self.parts, other).stderr)
        unasked = self.file("u.jsonl", '{"id": 8, "query": "reach {s2}", "locks": true, "verdict": "reachable"}\n')
        self.assertIn("id 8: no query has it", run("merge", *self.parts, unasked, "--expect", self.queries).stderr)

    def test_a_decided_answer_takes_the_place_of_another(self):
        undecided = self.file("u.jsonl", '{"id": 7, "error": "?"}\n{"id": "race", "query": "conflict {p2} and {s1}", '
                                         '"locks": true, "verdict": "unknown", "because": "interrupted"}\n')
        for order in ([undecided, *self.parts], [*self.parts, undecided]):
            self.assertEqual(run("merge", *order, "--expect", self.queries).stdout, self.whole)

    def test_what_is_no_answer_is_an_error(self):
        self.assertEqual(run("merge", self.queries).returncode, 2)

    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
    def test_a_batch_runs_on_gnu_parallel(self):
        command = (f"parallel --will-cite '{PROGRAM} batch {self.queries} {FIG1} --shard={{}}/4 --jobs=1 --exit-zero "
                   f"-o {self.folder}/part{{}}.jsonl' ::: 1 2 3 4 && "
                   f"{PROGRAM} merge {self.folder}/part?.jsonl --expect {self.queries}")
        result = subprocess.run(command, shell=True, cwd=SOURCE, capture_output=True, text=True, check=False, timeout=PATIENCE)
        self.assertEqual((result.stdout, result.returncode), (self.whole, 0), result.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
