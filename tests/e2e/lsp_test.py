"""A scripted client of `lockwood lsp`: what an editor says, and what it is told.

    lsp_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]
"""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_test import PROGRAM, SOURCE  # noqa: E402
from processor_time import PATIENCE, wait_until_it_works  # noqa: E402


RACY = """\
// 𝒳 and ä are before what is looked at: UTF-16 counts them as 2 and 1.
var x = 0;
lock a, b;
proc main() {
  spawn other();
  /* 𝒳ä */ x = 1;
  sync (a) { sync (b) { skip; } }
}
proc other() {
  local i = 2;
  sync (b) { sync (a) { skip; } }
  here: x = i;
}
"""


class Client:
    """An editor. Messages are read by a thread, so that a server that says nothing fails a test instead of hanging."""

    def __init__(self, *options):
        self.process = subprocess.Popen([PROGRAM, "lsp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, cwd=SOURCE)
        self.incoming = queue.Queue()
        self.kept = []
        self.requests = 0
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        stream = self.process.stdout
        while True:
            length = None
            while (line := stream.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if length is None:
                break
            self.incoming.put(json.loads(stream.read(length)))
        self.incoming.put(None)

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method, **parameters):
        self.send({"jsonrpc": "2.0", "method": method, "params": parameters})

    def start_request(self, method, **parameters):
        self.requests += 1
        self.send({"jsonrpc": "2.0", "id": self.requests, "method": method, "params": parameters})
        return self.requests

    def wait_for(self, wanted):
        """The first message that is wanted, of those that were kept or come; others are kept."""
        for message in self.kept:
            if wanted(message):
                self.kept.remove(message)
                return message
        deadline = time.monotonic() + PATIENCE
        while True:
            message = self.incoming.get(timeout=max(0.01, deadline - time.monotonic()))
            if message is None:
                raise EOFError(self.process.stderr.read().decode())
            if wanted(message):
                return message
            self.kept.append(message)

    def response(self, number):
        return self.wait_for(lambda message: message.get("id") == number and "method" not in message)

    def request(self, method, **parameters):
        answer = self.response(self.start_request(method, **parameters))
        if "error" in answer:
            raise AssertionError(answer["error"])
        return answer["result"]

    def initialize(self, **capabilities):
        result = self.request("initialize", processId=None, rootUri=None, capabilities=capabilities)
        self.notify("initialized")
        return result

    def open(self, uri, text, version=1):
        self.notify("textDocument/didOpen",
                    textDocument={"uri": uri, "languageId": "lockwood", "version": version, "text": text})

    def change(self, uri, version, *changes):
        self.notify("textDocument/didChange", textDocument={"uri": uri, "version": version}, contentChanges=changes)

    def diagnostics(self, uri, wanted=lambda diagnostics: True, version=None):
        """The next diagnostics of the document that are wanted."""
        message = self.wait_for(lambda message: message.get("method") == "textDocument/publishDiagnostics"
                                and message["params"]["uri"] == uri
                                and version in (None, message["params"].get("version"))
                                and wanted(message["params"]["diagnostics"]))
        return message["params"]["diagnostics"]

    def end(self):
        """Ends in order; the exit status."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(timeout=PATIENCE)

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass


def at(text, needle, skip=0):
    """The position of the needle as the protocol counts."""
    offset = -1
    for _ in range(skip + 1):
        offset = text.index(needle, offset + 1)
    before = text[:offset]
    line = before.count("\n")
    return {"line": line, "character": len(before[before.rfind("\n") + 1:].encode("utf-16-le")) // 2}


def has(code):
    return lambda diagnostics: any(each.get("code") == code for each in diagnostics)


class Session(unittest.TestCase):
    URI = "file:///tmp/racy%20one.lw"

    def setUp(self):
        self.client = Client("--pause=50ms")
        self.addCleanup(self.client.stop)

    def document(self, **more):
        return {"textDocument": {"uri": self.URI}, **more}

    def test_a_session_from_initialize_to_exit(self):
        result = self.client.initialize()
        self.assertEqual(result["serverInfo"]["name"], "lockwood")
        self.assertEqual(result["capabilities"]["positionEncoding"], "utf-16")
        self.assertEqual(self.client.end(), 0)

    def test_errors_are_told_while_typing_and_go_away(self):
        self.client.initialize()
        self.client.open(self.URI, RACY.replace("x = 1", "y = 1"))
        [error] = self.client.diagnostics(self.URI, version=1)
        self.assertEqual((error["severity"], error["source"]), (1, "lockwood"))
        self.assertIn("unknown name 'y'", error["message"])
        where = at(RACY, "x = 1")
        self.assertEqual(error["range"]["start"], where)
        self.assertEqual(error["range"]["end"]["character"], where["character"] + 1)
        # The change is counted in UTF-16, behind a character of two units.
        self.client.change(self.URI, 2, {"range": error["range"], "text": "x"})
        self.assertEqual([each for each in self.client.diagnostics(self.URI, version=2) if each["severity"] == 1], [])
        self.client.change(self.URI, 3, {"text": "proc main( {"})
        self.assertEqual(self.client.diagnostics(self.URI, version=3)[0]["severity"], 1)
        self.client.notify("textDocument/didClose", **self.document())
        self.assertEqual(self.client.diagnostics(self.URI, lambda all: not all), [])
        self.assertEqual(self.client.end(), 0)

    def test_races_and_deadlocks_are_found_with_the_other_side_and_what_led_there(self):
        self.client.initialize()
        self.client.open(self.URI, RACY)
        found = self.client.diagnostics(self.URI, has("deadlock"))
        races = [each for each in found if each.get("code") == "race"]
        self.assertEqual([race["range"]["start"] for race in races], [at(RACY, "x = 1"), at(RACY, "x = i")])
        self.assertEqual(races[0]["severity"], 1)  # it was executed, as the command line says, too
        related = races[0]["relatedInformation"]
        self.assertEqual(related[0]["location"], {"uri": self.URI, "range": races[1]["range"]})
        self.assertTrue(any("spawns main.1" in each["message"] for each in related), related)
        deadlocks = [each for each in found if each.get("code") == "deadlock"]
        self.assertEqual(len(deadlocks), 2)
        self.assertIn("holds a and wants b", deadlocks[0]["message"])
        # As soon as the reason is gone, so are they.
        self.client.change(self.URI, 2, {"text": RACY.replace("  spawn other();\n", "  other();\n")})
        self.client.diagnostics(self.URI, lambda all: not has("race")(all), version=2)
        lenses = None
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            lenses = self.client.request("textDocument/codeLens", **self.document())
            if [each["command"]["title"] for each in lenses] == ["races: 0"] * 3:
                break
            time.sleep(0.05)
        self.assertEqual([each["command"]["title"] for each in lenses], ["races: 0"] * 3)

    def test_findings_stay_with_their_text_while_somebody_types(self):
        self.client.stop()
        self.client = Client("--pause=1h")  # one analysis, when the document is opened
        self.addCleanup(self.client.stop)
        self.client.initialize()
        self.client.open(self.URI, RACY)
        self.client.diagnostics(self.URI, has("deadlock"))

        def races(version):
            return [race for race in self.client.diagnostics(self.URI, version=version) if race.get("code") == "race"]

        text = RACY.replace("lock a, b;", "// 𝒳\nlock a, b;")
        start = at(RACY, "lock a")
        self.client.change(self.URI, 2, {"range": {"start": start, "end": start}, "text": "// 𝒳\n"})
        found = races(2)
        self.assertEqual([race["range"]["start"] for race in found], [at(text, "x = 1"), at(text, "x = i")])
        self.assertEqual(found[0]["relatedInformation"][0]["location"]["range"], found[1]["range"])
        # Whole texts are compared; what was changed itself has no finding any more.
        text = text.replace("x = 1", "x = 7")
        self.client.change(self.URI, 3, {"text": text})
        self.assertEqual([race["range"]["start"] for race in races(3)], [at(text, "x = i")])

    def test_findings_follow_edits_that_do_not_change_the_model(self):
        self.client.initialize()
        self.client.open(self.URI, RACY)
        self.client.diagnostics(self.URI, has("deadlock"))
        text = RACY
        for version, (before, after) in enumerate((("  spawn", "  // 𝒳\n  spawn"), ("x = 1;", "x = 17;"),
                                                   ("x = 17;", "x = 17;  // lockwood: ignore race(x) -- known"),
                                                   ("  // lockwood: ignore race(x) -- known", "")), start=2):
            start, end = at(text, before), at(text, before)
            end["character"] += len(before)
            text = text.replace(before, after)
            self.client.change(self.URI, version, {"range": {"start": start, "end": end}, "text": after})
            wanted = [] if "ignore" in text else [at(text, "x = 1"), at(text, "x = i")]
            self.client.diagnostics(self.URI, lambda all: has("deadlock")(all) and wanted == [
                race["range"]["start"] for race in all if race.get("code") == "race"], version=version)

    def test_what_the_text_ignores_is_not_shown_and_what_it_ignores_in_vain_is(self):
        self.client.initialize()
        text = RACY.replace("x = 1;", "x = 1;  // lockwood: ignore race(x) -- known")
        text = text.replace("local i = 2;", "local i = 2;  // lockwood: ignore race(x) -- in vain")
        self.client.open(self.URI, text)
        found = self.client.diagnostics(self.URI, has("deadlock"))
        self.assertFalse(has("race")(found))
        self.assertEqual([each["range"]["start"]["line"] for each in found if "to ignore here" in each["message"]],
                         [at(text, "local i")["line"]])

    def test_code_lenses_count_races_and_are_refreshed(self):
        self.client.initialize(workspace={"codeLens": {"refreshSupport": True}})
        self.client.open(self.URI, RACY)
        self.client.diagnostics(self.URI, has("race"))
        refresh = self.client.wait_for(lambda message: message.get("method") == "workspace/codeLens/refresh")
        self.client.send({"jsonrpc": "2.0", "id": refresh["id"], "result": None})
        lenses = self.client.request("textDocument/codeLens", **self.document())
        self.assertEqual([(each["range"]["start"]["line"], each["command"]["title"]) for each in lenses],
                         [(1, "races: 1"), (3, "races: 1"), (8, "races: 1")])

    def test_hover_tells_locks_and_what_runs_in_parallel(self):
        self.client.initialize()
        self.client.open(self.URI, RACY)
        hover = self.client.request("textDocument/hover", **self.document(position=at(RACY, "x = 1")))
        text = hover["contents"]["value"]
        self.assertIn("shared variable `x`, at first 0", text)
        self.assertIn("Holds no lock.", text)
        self.assertRegex(text, r"May run in parallel with lines 10–13\.")
        hover = self.client.request("textDocument/hover", **self.document(position=at(RACY, "skip")))
        self.assertIn("olds `a`", hover["contents"]["value"])
        hover = self.client.request("textDocument/hover", **self.document(position={"line": 0, "character": 5}))
        self.assertIsNone(hover)

    def test_definition_references_symbols_and_completion(self):
        self.client.initialize()
        self.client.open(self.URI, RACY)

        def definition(needle, skip=0):
            return self.client.request("textDocument/definition",
                                       **self.document(position=at(RACY, needle, skip)))["range"]["start"]

        self.assertEqual(definition("x = i"), at(RACY, "x = 0"))
        self.assertEqual(definition("other"), at(RACY, "other", 1))
        self.assertEqual(definition("i;"), at(RACY, "i = 2"))
        self.assertEqual(definition("a) { sync (b"), at(RACY, "a, b"))
        self.assertIsNone(self.client.request("textDocument/definition",
                                              **self.document(position={"line": 0, "character": 0})))
        references = self.client.request("textDocument/references", **self.document(
            position=at(RACY, "x = i"), context={"includeDeclaration": False}))
        self.assertEqual([each["range"]["start"] for each in references], [at(RACY, "x = 1"), at(RACY, "x = i")])
        symbols = self.client.request("textDocument/documentSymbol", **self.document())
        self.assertEqual([each["name"] for each in symbols], ["x", "a", "b", "main", "other"])
        self.assertEqual([each["name"] for each in symbols[4]["children"]], ["here"])
        # While the text is broken, the names of before are proposed, and the outline stays.
        self.client.change(self.URI, 2, {"range": {"start": at(RACY, "x = i"), "end": at(RACY, "x = i")}, "text": "if ("})
        words = self.client.request("textDocument/completion", **self.document(position=at(RACY, "x = i")))
        labels = [each["label"] for each in words]
        for word in ("sync", "x", "a", "other", "i"):
            self.assertIn(word, labels)
        self.assertEqual(self.client.request("textDocument/documentSymbol", **self.document()), symbols)

    def test_models_get_errors_verdicts_and_names(self):
        uri = "file:///tmp/fig1.dpn"
        with open(os.path.join(SOURCE, "models/fig1.dpn"), encoding="utf-8") as file:
            text = file.read()
        text = text.replace("conflict {p2} and {s1}  // expect: reachable",
                            "conflict {p2} and {s1}  // expect: unreachable")
        self.client.initialize()
        self.client.open(uri, text)
        [unexpected] = self.client.diagnostics(uri, lambda all: bool(all))
        self.assertEqual(unexpected["message"], "reachable, expected unreachable")
        self.assertEqual(unexpected["range"]["start"], at(text, "conflict {p2}"))
        document = {"textDocument": {"uri": uri}}
        titles = [each["command"]["title"] for each in self.client.request("textDocument/codeLens", **document)]
        self.assertEqual(titles, ["reachable", "reachable", "reachable", "unreachable", "reachable", "unreachable",
                                  "reachable", "reachable", "unreachable"])
        where = at(text, "p2} and {s1}")
        hover = self.client.request("textDocument/hover", **document, position=where)["contents"]["value"]
        self.assertIn("P: v = 0;", hover)
        self.assertIn("Holds no lock.", hover)
        self.assertIn("Other threads may be at `q1`, `q2`, `s1`, `s2`.", hover)
        hover = self.client.request("textDocument/hover", **document, position=at(text, "s1} "))["contents"]["value"]
        self.assertIn("Holds `x`.", hover)
        outline = self.client.request("textDocument/documentSymbol", **document)
        procedures = [symbol for symbol in outline if symbol["detail"] == "procedure"]
        self.assertEqual([procedure["name"] for procedure in procedures],
                         ["P: q.start();", "Q: synchronized (x)", "R: print(v);", "S: v = 42;"])
        self.assertEqual([rule["range"]["start"] for rule in procedures[0]["children"]],
                         [at(text, f"(p{i}) --") for i in range(1, 5)])
        self.assertEqual(len(outline), 4 + 9)
        target = self.client.request("textDocument/definition", **document, position=where)
        self.assertEqual(target["range"]["start"], at(text, 'p2 : "'))
        self.client.change(uri, 2, {"text": text.replace("initial (p1)", "initial p1)")})
        self.assertEqual(self.client.diagnostics(uri, version=2)[0]["severity"], 1)
        with open(os.path.join(SOURCE, "models/philosophers-3.dpn"), encoding="utf-8") as file:
            self.client.change(uri, 3, {"text": file.read()})
        [deadlock] = [each for each in self.client.diagnostics(uri, has("deadlock"), version=3)
                      if each.get("code") == "deadlock"]
        self.assertIn("holds fork1 and wants fork2", deadlock["message"])


class BadInput(unittest.TestCase):
    def setUp(self):
        self.client = Client("--pause=10ms")
        self.addCleanup(self.client.stop)

    def error(self, number):
        return self.client.response(number)["error"]["code"]

    def test_what_is_no_request_of_the_protocol_is_refused_and_the_next_one_is_answered(self):
        client = self.client
        self.assertEqual(self.error(client.start_request("textDocument/hover")), -32002)
        client.initialize()
        client.send_bytes(b"rubbish\r\n\r\nContent-Length: many\r\n\r\n")
        for body in (b"{", b"\xff\xfe{}", b"[" * 100000, b'"\\ud800"'):
            client.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            self.assertEqual(self.error(None), -32700)
        for message in ([], 7, "text"):
            client.send(message)
            self.assertEqual(self.error(None), -32600)
        client.send({"jsonrpc": "2.0", "id": "a", "method": 3})
        self.assertEqual(self.error("a"), -32600)
        self.assertEqual(self.error(client.start_request("textDocument/astonish")), -32601)
        self.assertEqual(self.error(client.start_request("textDocument/hover")), -32602)
        self.assertEqual(self.error(client.start_request("textDocument/definition", textDocument={"uri": 3})), -32602)
        self.assertIsNone(client.request("textDocument/hover", textDocument={"uri": "file:///absent.lw"},
                                         position={"line": 0, "character": 0}))
        client.notify("$/unheardOf", what=[])
        client.notify("textDocument/didOpen", textDocument=[])
        client.notify("textDocument/didChange", textDocument={"uri": "file:///absent.lw"}, contentChanges=4)
        self.assertEqual(self.error(client.start_request("initialize", capabilities={})), -32600)
        client.request("shutdown")
        self.assertEqual(self.error(client.start_request("textDocument/hover")), -32600)
        client.notify("exit")
        self.assertEqual(client.process.wait(timeout=PATIENCE), 0)

    def test_positions_outside_of_the_text_are_moved_into_it(self):
        client = self.client
        client.initialize()
        uri = "file:///odd.lw"
        client.open(uri, "var x;\r\nproc main() { x = 1; }\r")
        self.assertTrue(client.diagnostics(uri) is not None)
        for position in ({"line": 999999999999, "character": 0}, {"line": 0, "character": 10**15},
                         {"line": -5, "character": -7}):
            client.request("textDocument/hover", textDocument={"uri": uri}, position=position)
            client.request("textDocument/definition", textDocument={"uri": uri}, position=position)
        client.change(uri, 2, {"range": {"start": {"line": 7, "character": 9}, "end": {"line": 0, "character": 0}},
                               "text": "\u0000\U0001d4b3"})
        self.assertEqual(client.diagnostics(uri, version=2)[0]["severity"], 1)
        self.assertEqual(client.end(), 0)

    def test_an_end_without_shutdown_gives_1(self):
        self.client.initialize()
        self.client.notify("exit")
        self.assertEqual(self.client.process.wait(timeout=PATIENCE), 1)
        other = Client()
        self.addCleanup(other.stop)
        other.initialize()
        other.process.stdin.close()
        self.assertEqual(other.process.wait(timeout=PATIENCE), 1)

    def test_a_signal_ends_it(self):
        self.client.initialize()
        self.client.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.client.process.wait(timeout=PATIENCE), 128 + signal.SIGTERM)


def many_locks(locks):
    """Threads that take many locks inside of each other: the solver needs long for its deadlocks."""
    names = [f"l{i}" for i in range(locks)]
    text = "var x;\nlock " + ", ".join(names) + ";\nproc main() {\n  while (*) { choose { "
    text += " } or { ".join(f"spawn t{i}();" for i in range(locks)) + " } }\n}\n"
    for i in range(locks):
        text += f"proc t{i}() {{ sync (l{i}) {{ choose {{ "
        text += " } or { ".join(f"sync (l{j}) {{ x = {j}; t{(i + j) % locks}(); }}" for j in range(locks)) + " } } }\n"
    return text


class Size(unittest.TestCase):
    def test_requests_are_answered_while_an_analysis_runs_and_a_change_cancels_it(self):
        client = Client("--pause=10ms", "--timeout=10m")
        self.addCleanup(client.stop)
        client.initialize()
        uri = "file:///hard.lw"
        client.open(uri, many_locks(24))
        client.diagnostics(uri)
        wait_until_it_works(client.process.pid)  # the solver has begun
        self.assertEqual(len(client.request("textDocument/documentSymbol", textDocument={"uri": uri})), 50)
        number = client.start_request("textDocument/hover", textDocument={"uri": uri},
                                      position={"line": 5, "character": 6})
        client.notify("$/cancelRequest", id=number)
        answer = client.response(number)
        self.assertTrue("result" in answer or answer["error"]["code"] == -32800)
        client.change(uri, 2, {"text": RACY})
        client.diagnostics(uri, has("race"), version=2)
        self.assertEqual(client.end(), 0)

    def test_closing_a_document_cancels_its_analysis_and_clears_what_was_said(self):
        client = Client("--pause=10ms", "--timeout=1h")
        self.addCleanup(client.stop)
        client.initialize()
        hard, other = "file:///hard.lw", "file:///other.lw"
        client.open(hard, many_locks(24) + "lock unused;\n")
        self.assertTrue(has("unused-lock")(client.diagnostics(hard, version=1)))
        wait_until_it_works(client.process.pid)  # the solver has begun
        client.notify("textDocument/didClose", textDocument={"uri": hard})
        self.assertEqual(client.diagnostics(hard, lambda all: not all), [])
        self.assertIsNone(client.request("textDocument/documentSymbol", textDocument={"uri": hard}))
        # Analyses run one after the other: nobody works on the closed document any more, nor speaks of it.
        client.open(other, RACY)
        client.diagnostics(other, has("deadlock"))
        self.assertEqual([each for each in client.kept if each.get("params", {}).get("uri") == hard], [])
        # It may be opened again, with another text.
        client.open(hard, RACY, version=1)
        client.diagnostics(hard, has("deadlock"))
        self.assertEqual(client.end(), 0)

    def test_an_analysis_that_takes_too_long_says_so(self):
        client = Client("--pause=10ms", "--timeout=200ms")
        self.addCleanup(client.stop)
        client.initialize()
        uri = "file:///hard.lw"
        client.open(uri, many_locks(24))
        note = client.diagnostics(uri, lambda all: any(each["severity"] == 3 for each in all))[-1]
        self.assertIn("there may be more races", note["message"])
        titles = {each["command"]["title"] for each in
                  client.request("textDocument/codeLens", textDocument={"uri": uri})}
        self.assertEqual(titles, {"races: unknown"})
        self.assertEqual(client.end(), 0)

    def test_a_text_of_a_hundred_thousand_lines(self):
        client = Client("--pause=10m")
        self.addCleanup(client.stop)
        client.initialize()
        uri = "file:///long.lw"
        text = "var x = 0;\nproc main() {\n" + "  x = x + 1;\n" * 100_000 + "}\n"
        client.open(uri, text)
        client.diagnostics(uri, version=1)
        # As fast as somebody can type: changes are put together.
        for version in range(2, 12):
            client.change(uri, version, {"range": {"start": {"line": 50_000, "character": 2},
                                                   "end": {"line": 50_000, "character": 2}}, "text": "y"})
        errors = client.diagnostics(uri, version=11)
        self.assertIn("'yyyyyyyyyyx'", errors[0]["message"])
        client.change(uri, 12, {"range": {"start": {"line": 50_000, "character": 2},
                                          "end": {"line": 50_000, "character": 12}}, "text": ""})
        self.assertEqual([each for each in client.diagnostics(uri, version=12) if each["severity"] == 1], [])
        target = client.request("textDocument/definition", textDocument={"uri": uri},
                                position={"line": 100_000, "character": 2})
        self.assertEqual(target["range"]["start"], {"line": 0, "character": 4})
        # Its 10^10 pairs of accesses are more than any memory holds; nor need anybody wait for the analysis to end.
        client.notify("textDocument/didSave", textDocument={"uri": uri})
        client.diagnostics(uri, lambda all: any("too many pairs" in each["message"] for each in all))
        lenses = client.request("textDocument/codeLens", textDocument={"uri": uri})
        self.assertEqual([each["command"]["title"] for each in lenses], ["races: unknown"] * 2)
        client.change(uri, 13, {"text": text})
        client.notify("textDocument/didSave", textDocument={"uri": uri})
        self.assertEqual(client.end(), 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
