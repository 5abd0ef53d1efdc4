"""What an editor can do with `lockwood lsp` besides showing what is wrong: hover again, rename, fold, colour, look for
symbols, act on findings, and bound the diagnostics.

    lsp_features_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]
"""

import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_test import PROGRAM, SOURCE  # noqa: E402
from lsp_test import RACY, Client, at, has, many_locks  # noqa: E402
from processor_time import PATIENCE  # noqa: E402

sys.path.insert(0, os.path.join(SOURCE, "bench"))
from lw_program import program as generated_program  # noqa: E402

URI = "file:///tmp/features.lw"
REFUSED, WRONG = -32803, -32602


def offset(text, position):
    """The index of a position of the protocol in a Python string."""
    lines = text.split("\n")
    line = lines[position["line"]].encode("utf-16-le")[:2 * position["character"]].decode("utf-16-le")
    return sum(len(each) + 1 for each in lines[:position["line"]]) + len(line)


def applied(text, edits):
    """The text with the edits; those at the same place in their order."""
    pieces, end = [], 0
    for edit in edits:
        begin = offset(text, edit["range"]["start"])
        pieces += [text[end:begin], edit["newText"]]
        end = offset(text, edit["range"]["end"])
    return "".join(pieces) + text[end:]


class Features(unittest.TestCase):
    def start(self, *options, **capabilities):
        self.client = Client("--pause=10ms", *options)
        self.addCleanup(self.client.stop)
        return self.client.initialize(**capabilities)["capabilities"]

    def ask(self, method, uri=URI, **more):
        return self.client.request(method, textDocument={"uri": uri}, **more)

    def error(self, method, uri=URI, **more):
        number = self.client.start_request(method, textDocument={"uri": uri}, **more)
        return self.client.response(number)["error"]

    def actions(self, position, uri=URI, **context):
        return self.ask("textDocument/codeAction", uri, range={"start": position, "end": position},
                        context={"diagnostics": [], **context})


class Hover(Features):
    def hover(self, text, needle, skip=0):
        answer = self.ask("textDocument/hover", position=at(text, needle, skip))
        return answer["contents"]["value"] if answer else None

    def test_a_second_hover_computes_nothing_and_says_the_same_as_a_fresh_server(self):
        text = generated_program(600)
        lines = random.Random(1).sample(range(text.count("\n")), 25)

        def answers():
            return [self.ask("textDocument/hover", position={"line": line, "character": 4}) for line in lines]

        self.start()
        self.client.open(URI, text)
        first = answers()
        self.assertTrue(any(answer and "run in parallel" in answer["contents"]["value"] for answer in first))
        self.assertEqual(answers(), first)
        # After a change of layout, what was computed still holds; the lines have moved.
        self.client.change(URI, 2, {"text": "// one line more\n" + text})
        lines = [line + 1 for line in lines]
        moved = answers()
        self.start()
        self.client.open(URI, "// one line more\n" + text)
        self.assertEqual(answers(), moved)

    def test_what_is_not_known_is_said(self):
        self.start()
        text = "var x; proc main() { x = 1; }\nproc never() {\n  x = 2;\n}\n"
        self.client.open(URI, text)
        self.assertIn("Never executed.", self.hover(text, "x = 2"))
        self.assertIn("Nothing runs in parallel.", self.hover(text, "x = 1"))
        broken = text.replace("x = 1", "x = = 1")
        self.client.change(URI, 2, {"text": broken})
        self.assertEqual(self.hover(broken, "x = 2"), "Nothing is known of a text with errors.")
        # Bools that are too many for a model.
        names = [f"b{i}" for i in range(14)]
        exploding = ("var x; proc main() {\n" + "".join(f"  bool {name} = *;\n" for name in names) +
                     "  x = 3;\n  if (" + " && ".join(names) + ") { x = 1; }\n}\n")
        self.client.change(URI, 3, {"text": exploding})
        self.assertIn("Not known: locks held", self.hover(exploding, "x = 3"))

    def test_a_hover_does_not_wait_for_ever_and_what_is_missing_is_said(self):
        self.start("--timeout=1h")
        text = many_locks(24)
        self.client.open(URI, text)
        first = self.hover(text, "spawn t1")
        if "Still being computed" not in first:  # a fast machine
            self.assertIn("parallel", first)
        self.client.stop()
        self.start("--timeout=10ms")
        self.client.open(URI, text)
        deadline = time.monotonic() + PATIENCE
        while "Still being computed" in (answer := self.hover(text, "spawn t1")) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertIn("Not known in full", answer)
        self.assertIn("time limit", answer)


class Names(Features):
    def test_highlights_tell_reads_from_writes(self):
        self.assertTrue(self.start()["documentHighlightProvider"])
        text = "var x = 1; lock a;\nproc main() { sync (a) { x = x + 1; print(x); } thread t = spawn f(); join t; }\nproc f() { }\n"
        self.client.open(URI, text)
        found = self.ask("textDocument/documentHighlight", position=at(text, "x + 1"))
        self.assertEqual([(each["range"]["start"], each["kind"]) for each in found],
                         [(at(text, "x = 1"), 3), (at(text, "x = x"), 3), (at(text, "x + 1"), 2), (at(text, "x);"), 2)])
        found = self.ask("textDocument/documentHighlight", position=at(text, "a)"))
        self.assertEqual([each["kind"] for each in found], [1, 1])
        found = self.ask("textDocument/documentHighlight", position=at(text, "t; }"))
        self.assertEqual([each["kind"] for each in found], [3, 2])
        self.assertEqual(self.ask("textDocument/documentHighlight", position={"line": 0, "character": 10}), [])

    def test_rename_offers_the_name_changes_all_places_and_refuses_with_a_sentence(self):
        self.assertEqual(self.start()["renameProvider"], {"prepareProvider": True})
        self.client.open(URI, RACY)
        where = at(RACY, "x = i")
        offered = self.ask("textDocument/prepareRename", position=where)
        self.assertEqual((offered["placeholder"], offered["range"]["start"]), ("x", where))
        edits = self.ask("textDocument/rename", position=where, newName="total")["changes"][URI]
        after = applied(RACY, edits)
        self.assertEqual(after, re.sub(r"\bx\b", "total", RACY))
        self.assertIsNone(self.ask("textDocument/prepareRename", position={"line": 0, "character": 0}))
        for new, sentence in (("a", "'x' cannot be called 'a': 'a' is declared already, in line 3"),
                              ("sync", "'x' cannot be called 'sync': 'sync' is a reserved word"),
                              ("i", "'x' cannot be called 'i': 'i' in line 12 would mean something else")):
            error = self.error("textDocument/rename", position=where, newName=new)
            self.assertEqual((error["code"], error["message"]), (REFUSED, sentence))
        error = self.error("textDocument/prepareRename", position=at(RACY, "main"))
        self.assertEqual(error["message"], "'main' is where the program begins, and keeps its name")
        self.assertEqual(self.error("textDocument/rename", position=where)["code"], WRONG)
        self.client.change(URI, 2, {"text": RACY + "proc"})
        self.assertIn("errors", self.error("textDocument/rename", position=where, newName="y")["message"])

    def race(self, folder, text):
        path = os.path.join(folder, "p.lw")
        pathlib.Path(path).write_text(text, encoding="utf-8")
        result = subprocess.run([PROGRAM, "race", path, "--json", "--quiet", "--settle=off"], capture_output=True, text=True, check=False)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        return sorted((finding["subject"], finding["verdict"], finding.get("certainty"), finding.get("suppressed"),
                       sorted((site["at"]["line"], site["role"], site["at"]["procedure"]) for site in finding["sites"]))
                      for finding in json.loads(result.stdout)["findings"])

    def test_the_command_line_finds_the_same_under_another_name_and_back_again(self):
        self.start()
        chance = random.Random(5)
        for seed in range(2):
            text = generated_program(90, seed)
            text = text.replace("var v0", "// lockwood: ignore race(v1) -- nothing here\nvar v0")
            self.client.open(URI, text)
            with tempfile.TemporaryDirectory() as folder:
                before = self.race(folder, text)
                names = sorted(set(re.findall(r"\b(?:v|l|p)\d+\b", text)))
                for name in chance.sample(names, 3):
                    places = [match.start() for match in re.finditer(rf"\b{name}\b", text)]
                    self.client.change(URI, 2, {"text": text})
                    begin = chance.choice(places[1:] or places)
                    position = at(text[:begin] + "\u0001" + text[begin:], "\u0001")
                    edits = self.ask("textDocument/rename", position=position, newName="renamed")["changes"][URI]
                    after = applied(text, edits)
                    self.assertEqual(after, re.sub(rf"\b{name}\b", "renamed", text))
                    renamed = json.loads(json.dumps(before).replace(f'"{name}"', '"renamed"'))
                    found = json.loads(json.dumps(self.race(folder, after)))
                    self.assertEqual(sorted(found, key=json.dumps), sorted(renamed, key=json.dumps))
                    self.client.change(URI, 3, {"text": after})
                    edits = self.ask("textDocument/rename", position=at(after, "renamed"), newName=name)["changes"][URI]
                    self.assertEqual(applied(after, edits), text)

    def test_names_of_models_are_renamed(self):
        self.start()
        uri = "file:///tmp/fig1.dpn"
        text = pathlib.Path(SOURCE, "models/fig1.dpn").read_text(encoding="utf-8")
        self.client.open(uri, text)
        edits = self.ask("textDocument/rename", uri, position=at(text, "p3 :"), newName="middle")["changes"][uri]
        code = applied(text, edits)
        self.assertEqual(re.sub(r"\bmiddle\b", "p3", code), text)
        self.assertIn("(middle) -- syncR - x --> (r1, p4)", code)
        error = self.error("textDocument/rename", uri, position=at(text, "p3 :"), newName="p4")
        self.assertEqual(error["code"], REFUSED)
        error = self.error("textDocument/prepareRename", uri, position=at(text, "stacks {"))
        self.assertEqual(error["message"], "'stacks' is not a name of the model")


class Structure(Features):
    def test_folds_and_colours(self):
        capabilities = self.start()
        legend = capabilities["semanticTokensProvider"]["legend"]
        self.assertTrue(capabilities["foldingRangeProvider"])
        text = ("/* 𝒳\n   two */\nvar x;\nproc main(){\n  local i = 10;\n"
                "  /* 𝒳ä */ L: x = i;\n  spawn f(2);\n}\nproc f(n) { x = n; }\n")
        self.client.open(URI, text)
        folds = self.ask("textDocument/foldingRange")
        self.assertEqual(folds, [{"startLine": 0, "endLine": 1, "kind": "comment"}, {"startLine": 3, "endLine": 6}])

        def colours(text):
            """(word, type, modifiers), decoded as an editor does."""
            data = self.ask("textDocument/semanticTokens/full")["data"]
            lines = text.split("\n")
            line = column = 0
            for down, right, length, kind, bits in zip(*[iter(data)] * 5):
                line, column = line + down, right if down else column + right
                word = lines[line].encode("utf-16-le")[2 * column:2 * (column + length)].decode("utf-16-le")
                yield (word, legend["tokenTypes"][kind],
                       "+".join(name for i, name in enumerate(legend["tokenModifiers"]) if bits >> i & 1))

        self.assertEqual(list(colours(text)), [
            ("/* 𝒳", "comment", ""), ("   two */", "comment", ""),
            ("var", "keyword", ""), ("x", "variable", "declaration+static"),
            ("proc", "keyword", ""), ("main", "function", "declaration"),
            ("local", "keyword", ""), ("i", "variable", "declaration"), ("10", "number", ""),
            ("/* 𝒳ä */", "comment", ""), ("L", "enumMember", "declaration"),
            ("x", "variable", "static+modification"), ("i", "variable", ""),
            ("spawn", "keyword", ""), ("f", "function", ""), ("2", "number", ""),
            ("proc", "keyword", ""), ("f", "function", "declaration"), ("n", "parameter", "declaration"),
            ("x", "variable", "static+modification"), ("n", "parameter", "")])
        # While the text has errors, words keep their colours, and blocks still fold.
        broken = text.replace("i = 10", "i = = 10")
        self.client.change(URI, 2, {"text": broken})
        self.assertIn(("x", "variable", "static"), list(colours(broken)))
        self.assertEqual(self.ask("textDocument/foldingRange"), folds)

    def test_symbols_of_the_workspace_are_those_of_its_files_and_of_what_is_open(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "deep/er").mkdir(parents=True)
            pathlib.Path(folder, ".hidden").mkdir()
            (first := pathlib.Path(folder, "first.lw")).write_text("var alpha; proc main() { here: alpha = 1; }")
            pathlib.Path(folder, "deep/er/second one.dpn").write_text(
                pathlib.Path(SOURCE, "models/fig1.dpn").read_text(encoding="utf-8"))
            pathlib.Path(folder, ".hidden/third.lw").write_text("var alphabet; proc main() { }")
            pathlib.Path(folder, "broken.lw").write_text("var alpha2")
            client = Client()
            self.addCleanup(client.stop)
            self.client = client
            capabilities = client.request("initialize", processId=None, rootUri=pathlib.Path(folder).as_uri(),
                                          capabilities={})["capabilities"]
            self.assertTrue(capabilities["workspaceSymbolProvider"])

            def symbols(query):
                return [(each["name"], each["location"]["uri"].rsplit("/", 1)[1], each.get("containerName"))
                        for each in client.request("workspace/symbol", query=query)]

            self.assertEqual(symbols("ALP"), [("alpha", "first.lw", None)])
            self.assertEqual(symbols("hERE"), [("here", "first.lw", "main")])
            self.assertIn(("Q: synchronized (x)", "second%20one.dpn", None), symbols("Q:"))
            [place] = client.request("workspace/symbol", query="alpha")
            self.assertEqual(place["location"]["range"]["start"], {"line": 0, "character": 4})
            # What is open counts as it is in the editor; files are looked at again when they change.
            client.open(first.as_uri(), "var beta; proc main() { }")
            self.assertEqual(symbols("alpha"), [])
            self.assertEqual(symbols("beta"), [("beta", "first.lw", None)])
            pathlib.Path(folder, "broken.lw").write_text("var alpha2; proc main() { }")
            self.assertEqual(symbols("alpha"), [("alpha2", "broken.lw", None)])
            pathlib.Path(folder, "broken.lw").unlink()
            self.assertEqual(symbols("alpha"), [])


GUARDED = """\
var x = 0, y = 0;
lock m, other;
proc main() {
  spawn f();
  sync (m) { x = 1; }
  sync (m) { x = 2; }
  y = 1;
}
proc f() {
  x = x + 1;
  y = 2;
}
"""


class Actions(Features):
    def titles(self, position, **context):
        return [each["title"] for each in self.actions(position, **context)]

    def changed_by(self, text, action):
        return applied(text, action["edit"]["changes"][URI])

    def test_the_lock_that_guards_names_goes_around_the_access(self):
        self.start()
        self.client.open(URI, GUARDED)
        where = at(GUARDED, "x = x + 1")
        self.client.diagnostics(URI, has("race"))
        deadline = time.monotonic() + PATIENCE
        while len(actions := self.actions(where)) < 3 and time.monotonic() < deadline:
            time.sleep(0.02)  # advice is looked for after races
        self.assertEqual([each["title"] for each in actions],
                         ["Hold m at all accesses to x that race: sync around 1 statement",
                          "Ignore the race on x in this line", "Show the schedule of the race on x as a page"])
        self.assertTrue(all(each["kind"] == "quickfix" for each in actions))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "p.lw")
            path.write_text(GUARDED)
            advice = subprocess.run([PROGRAM, "guards", path], capture_output=True, text=True, check=False).stdout
            self.assertRegex(advice, r"\n  x +4  m +\S+:10 ")
        # Of y, both accesses lack the lock: it can be taken at both, or where one looks at.
        about_y = self.actions(at(GUARDED, "y = 1"))
        titles = [each["title"] for each in about_y]
        self.assertEqual(titles[:2], ["Hold m at all accesses to y that race: sync around 2 statements",
                                      "Hold m at the access to y in this line, as guards advises"])
        self.assertEqual(self.changed_by(GUARDED, about_y[1]), GUARDED.replace("y = 1;", "sync (m) { y = 1; }"))
        self.assertEqual([each.get("isPreferred") for each in about_y[:2]], [True, False])
        self.assertEqual(self.changed_by(GUARDED, self.actions(at(GUARDED, "y = 2"))[1]),
                         GUARDED.replace("y = 2;", "sync (m) { y = 2; }"))
        text = self.changed_by(GUARDED, actions[0])
        self.assertEqual(text, GUARDED.replace("x = x + 1;", "sync (m) { x = x + 1; }"))
        self.client.change(URI, 2, {"text": text})
        found = self.client.diagnostics(URI, lambda all: has("race")(all) and not any(
            "on x" in each["message"] for each in all), version=2)
        self.assertTrue(all("race on y" in each["message"] for each in found if each.get("code") == "race"))

    def test_findings_are_ignored_by_a_remark_above_their_line(self):
        self.start()
        self.client.open(URI, GUARDED)
        self.client.diagnostics(URI, has("race"))
        where = at(GUARDED, "y = 2")
        [ignore] = [each for each in self.actions(where) if each["title"] == "Ignore the race on y in this line"]
        text = self.changed_by(GUARDED, ignore)
        self.assertEqual(text, GUARDED.replace("  y = 2;", "  // lockwood: ignore race(y) -- say why\n  y = 2;"))
        self.client.change(URI, 2, {"text": text})
        self.client.diagnostics(URI, lambda all: has("race")(all) and not any(
            "on y" in each["message"] for each in all), version=2)
        self.assertEqual(self.actions(at(text, "y = 2")), [])
        self.assertEqual(self.titles(at(text, "x = x"), only=["refactor"]), [])
        self.assertEqual(self.titles(at(text, "lock m")), [])
        # Deadlocks, too.
        self.client.change(URI, 3, {"text": RACY})
        self.client.diagnostics(URI, has("deadlock"), version=3)
        [ignore] = [each for each in self.actions(at(RACY, "sync (b) { sync (a)"))
                    if each["title"] == "Ignore the deadlock on a, b in this line"]
        text = self.changed_by(RACY, ignore)
        self.assertIn("  // lockwood: ignore deadlock(a, b) -- say why\n  sync (b) { sync (a)", text)
        self.client.change(URI, 4, {"text": text})
        self.client.diagnostics(URI, lambda all: has("race")(all) and not has("deadlock")(all), version=4)

    def page(self, command):
        self.client.request("workspace/executeCommand", command=command["command"], arguments=command["arguments"])
        shown = self.client.wait_for(lambda message: message.get("method") == "window/showDocument")
        self.client.send({"jsonrpc": "2.0", "id": shown["id"], "result": {"success": True}})
        uri, _, place = shown["params"]["uri"].partition("#")
        self.assertTrue(shown["params"]["external"])
        return pathlib.Path(uri.removeprefix("file://")).read_text(encoding="utf-8"), place

    def test_lenses_and_actions_open_the_page_of_the_findings(self):
        capabilities = self.start(window={"showDocument": {"support": True}})
        self.assertIn("lockwood.showPage", capabilities["executeCommandProvider"]["commands"])
        self.client.open(URI, GUARDED)
        self.client.diagnostics(URI, has("race"))
        lenses = {each["range"]["start"]["line"]: each["command"] for each in self.ask("textDocument/codeLens")[1:]}
        lens = self.ask("textDocument/codeLens")[0]["command"]
        self.assertEqual(lens["title"], "races: 4")
        page, place = self.page(lens)
        self.assertIn("race on x", page)
        self.assertNotIn("race on y", page)
        self.assertIn(place, page)
        page, _ = self.page(lenses[at(GUARDED, "f() {", 0)["line"]])
        self.assertIn("race on y", page)
        [show] = [each for each in self.actions(at(GUARDED, "y = 2")) if "page" in each["title"]]
        page, _ = self.page(show["command"])
        self.assertNotIn("race on x", page)
        # A lens that has nothing to show is no link; what is gone, or unheard of, is refused.
        self.client.change(URI, 2, {"text": GUARDED.replace("spawn f", "f")})
        self.client.diagnostics(URI, lambda all: not has("race")(all), version=2)
        deadline = time.monotonic() + PATIENCE
        while self.ask("textDocument/codeLens")[0]["command"] != {"title": "races: 0", "command": ""}:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        number = self.client.start_request("workspace/executeCommand", command=lens["command"],
                                           arguments=lens["arguments"])
        self.assertEqual(self.client.response(number)["error"]["code"], REFUSED)
        number = self.client.start_request("workspace/executeCommand", command="lockwood.dance", arguments=[])
        self.assertEqual(self.client.response(number)["error"]["code"], WRONG)

    def test_verdicts_of_queries_open_the_page_of_the_answer(self):
        self.start(window={"showDocument": {"support": True}})
        uri = "file:///tmp/fig%201.dpn"
        text = pathlib.Path(SOURCE, "models/fig1.dpn").read_text(encoding="utf-8")
        self.client.open(uri, text)
        deadline = time.monotonic() + PATIENCE
        while len(lenses := self.ask("textDocument/codeLens", uri)) < 9 and time.monotonic() < deadline:
            time.sleep(0.02)
        page, _ = self.page(lenses[3]["command"])
        query = text.split("\n")[lenses[3]["range"]["start"]["line"]].split("//")[0].strip()
        self.assertIn(query, page)
        self.assertIn("model.dpn", page)
        gone = {**lenses[3]["command"]["arguments"][0], "subject": "10"}
        number = self.client.start_request("workspace/executeCommand", command="lockwood.showPage", arguments=[gone])
        self.assertEqual(self.client.response(number)["error"]["code"], REFUSED)

    def test_an_editor_that_shows_no_documents_is_told_the_path(self):
        self.start()
        self.client.open(URI, GUARDED)
        self.client.diagnostics(URI, has("race"))
        command = self.ask("textDocument/codeLens")[0]["command"]
        self.client.request("workspace/executeCommand", command=command["command"], arguments=command["arguments"])
        told = self.client.wait_for(lambda message: message.get("method") == "window/showMessage")["params"]
        self.assertTrue(os.path.isfile(told["message"]))
        self.client.end()
        self.assertFalse(os.path.exists(told["message"]))


def many_races(variables):
    names = [f"v{i}" for i in range(variables)]
    body = "".join(f"  {name} = {name} + 1;\n" * 3 for name in names)
    return f"var {', '.join(names)};\nproc main() {{ spawn f(); spawn f();\n{body}}}\nproc f() {{\n{body}}}\n"


class Diagnostics(Features):
    def test_races_of_a_line_on_a_variable_are_one_diagnostic(self):
        self.start("--max-diagnostics=0")
        text = many_races(1)
        self.client.open(URI, text)
        races = [each for each in self.client.diagnostics(URI, has("race")) if each.get("code") == "race"]
        self.assertEqual([race["range"]["start"]["line"] for race in races], [2, 3, 4, 7, 8, 9])
        for race in races:
            self.assertRegex(race["message"], r"^race on v0: .*; \d+ more races with this line \(executed\)$")
            self.assertEqual(race["severity"], 1)
            more = int(re.search(r"(\d+) more", race["message"])[1])
            self.assertEqual(len({told["id"] for told in race["data"]["findings"]}), more + 1)
            self.assertGreater(len(race["relatedInformation"]), 2)

    def test_warnings_that_are_left_out_are_counted(self):
        self.start("--max-diagnostics=0")
        text = "".join(f"var v{i};\n" for i in range(510)) + "proc main() { }\n"
        self.client.open(URI, text)
        found = self.client.diagnostics(URI, version=1)
        self.assertEqual((len(found), found[-1]["message"]), (501, "10 more warnings are not shown"))
        self.start("--max-diagnostics=100")
        self.client.open(URI, text)
        found = self.client.diagnostics(URI, version=1)
        self.assertEqual((len(found), {each["severity"] for each in found[:-1]}), (100, {2, 3}))

    def test_there_are_not_more_than_wanted_and_some_of_each_variable(self):
        self.start("--max-diagnostics=11")
        text = many_races(10)
        self.client.open(URI, text)

        def wanted(all):
            return has("race")(all) and len(all) == 11

        found = self.client.diagnostics(URI, wanted)
        self.assertEqual(sorted(re.search(r"on (v\d)", each["message"])[1] for each in found[:-1]),
                         [f"v{i}" for i in range(10)])
        self.assertRegex(found[-1]["message"], r"^50 more remarks are not shown \(--max-diagnostics=11\)$")
        self.assertEqual(found[-1]["severity"], 3)
        # The editor may want another number.
        self.client.notify("workspace/didChangeConfiguration", settings={"lockwood": {"maxDiagnostics": 3}})
        self.assertIn("58 more", self.client.diagnostics(URI, lambda all: len(all) == 3)[-1]["message"])
        self.client.notify("workspace/didChangeConfiguration", settings={"lockwood": {"maxDiagnostics": 0}})
        self.client.diagnostics(URI, lambda all: len(all) == 60)
        result = subprocess.run([PROGRAM, "lsp", "--max-diagnostics=few"], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("'few' is not a number", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
