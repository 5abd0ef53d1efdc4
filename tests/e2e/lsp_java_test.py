"""Java sources in an editor: what `lockwood lsp` tells when they are saved.

    lsp_java_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]

All of it is skipped where there is no javac.
"""

import os
import pathlib
import shutil
import sys
import tempfile
import unittest
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lsp_test import Client  # noqa: E402

MAIN = """\
package app;
public class Main {
  public static void main(String[] a) {
    Counter c = new Counter();
    /* 𝒳ä */ new Thread(() -> c.add()).start();
    c.add();
  }
}
"""
COUNTER = """\
package app;
class Counter {
  int n;
  void add() {
    /* 𝒳ä */ n++;
  }
}
"""
PROGRESS = {"workDoneProgress": True, "showDocument": {"support": True}}


@unittest.skipIf(shutil.which("javac") is None, "there is no javac")
class Java(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name).resolve()
        self.main = self.write("src/app/Main.java", MAIN)
        self.counter = self.write("src/app/Counter.java", COUNTER)

    def tearDown(self):
        self.client.stop()
        self.temporary.cleanup()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path.as_uri()

    def start(self, *options, window=None, java=None):
        self.client = Client(*options)
        self.client.request("initialize", processId=None, rootUri=self.folder.as_uri(),
                            capabilities={"window": window or {}}, initializationOptions={"java": java or {}})
        self.client.notify("initialized")

    def open(self, uri, text):
        self.client.notify("textDocument/didOpen",
                           textDocument={"uri": uri, "languageId": "java", "version": 1, "text": text})

    def save(self, uri):
        self.client.notify("textDocument/didSave", textDocument={"uri": uri})

    def said(self, uri, code):
        return self.client.diagnostics(uri, lambda all_: any(each.get("code") == code for each in all_))

    def silence(self, uri):
        return self.client.diagnostics(uri, lambda all_: not all_)

    def actions(self, uri, line):
        place = {"line": line, "character": 0}
        return self.client.request("textDocument/codeAction", textDocument={"uri": uri},
                                   range={"start": place, "end": place}, context={"diagnostics": []})

    def test_findings_of_all_sources_when_one_is_opened_and_saved(self):
        self.start()
        self.open(self.main, MAIN)
        found = self.said(self.counter, "race")
        # Characters are counted in UTF-16.
        self.assertEqual(found[0]["range"]["start"], {"line": 4, "character": 14})
        self.assertEqual({each["severity"] for each in found}, {1})
        related = found[0]["relatedInformation"]
        self.assertIn({"uri": self.main, "line": 4},
                      [{"uri": each["location"]["uri"], "line": each["location"]["range"]["start"]["line"]}
                       for each in related])
        # Only what is saved counts.
        fixed = COUNTER.replace("void add", "synchronized void add")
        self.client.change(self.counter, 2, {"text": fixed})
        self.write("src/app/Counter.java", fixed)
        self.save(self.counter)
        self.silence(self.counter)
        self.assertEqual(self.client.end(), 0)

    def test_races_of_a_line_on_a_field_are_one_diagnostic_and_there_are_not_more_than_wanted(self):
        self.start()
        self.open(self.main, MAIN)
        [race] = self.said(self.counter, "race")  # reading and writing, of either thread
        self.assertRegex(race["message"], r"^race on .*; \d more races? with this line \((exact|executed)\)$")
        text = COUNTER.replace("int n;", "int n, m, k;").replace("n++;", "n++;\n    m++;\n    k++;")
        self.counter = self.write("src/app/Counter.java", text)
        self.client.notify("workspace/didChangeConfiguration", settings={"lockwood": {"maxDiagnostics": 2}})
        self.save(self.counter)
        found = self.client.diagnostics(self.counter, lambda all_: len(all_) == 2)
        self.assertEqual(found[-1]["message"], "2 more remarks are not shown (--max-diagnostics=2)")

    def test_errors_of_the_compiler(self):
        self.start()
        self.write("src/app/Counter.java", COUNTER.replace("n++", "m++"))
        self.save(self.main)
        found = self.said(self.counter, "javac")
        self.assertEqual((found[0]["range"]["start"], found[0]["severity"]), ({"line": 4, "character": 14}, 1))
        self.assertIn("cannot find symbol", found[0]["message"])
        self.write("src/app/Counter.java", COUNTER)
        self.save(self.counter)
        self.said(self.counter, "race")

    def test_ignoring(self):
        self.start()
        self.open(self.main, MAIN)
        self.said(self.counter, "race")
        self.assertEqual(self.actions(self.counter, 0), [])
        ignore = next(each for each in self.actions(self.counter, 4) if each["title"] == "Ignore this race")
        (edit,) = ignore["edit"]["changes"][self.counter]
        lines = COUNTER.splitlines(keepends=True)
        lines.insert(edit["range"]["start"]["line"], edit["newText"])
        self.write("src/app/Counter.java", "".join(lines))
        self.save(self.counter)
        self.silence(self.counter)

    def test_the_schedule_as_a_page(self):
        self.start(window=PROGRESS)
        self.open(self.main, MAIN)
        self.said(self.counter, "race")
        show = next(each for each in self.actions(self.counter, 4) if "page" in each["title"])["command"]
        self.client.request("workspace/executeCommand", command=show["command"], arguments=show["arguments"])
        shown = self.client.wait_for(lambda message: message.get("method") == "window/showDocument")["params"]
        page = urllib.parse.urlparse(shown["uri"])
        self.assertIn(page.fragment, [show["arguments"][0]["id"]])
        with open(urllib.parse.unquote(page.path), encoding="utf-8") as file:
            self.assertIn("race on app.Counter.n", file.read())
        self.assertEqual(self.client.end(), 0)
        self.assertFalse(os.path.exists(page.path))

    def progress(self, kind, token=None):
        return self.client.wait_for(lambda message: message.get("method") == "$/progress"
                                    and message["params"]["value"]["kind"] == kind
                                    and token in (None, message["params"]["token"]))["params"]

    def test_a_new_save_cancels_the_run_before(self):
        # A compiler that does not end until it is told to: by the file that only the second save finds.
        marker = self.folder / "go"
        command = f'test -e {marker} || sleep 1000; javac -g -d out -sourcepath src "$1"'
        self.start(window=PROGRESS, java={"compileCommand": command, "outputFolder": "out"})
        self.save(self.main)
        first = self.progress("begin")["token"]
        marker.touch()
        self.save(self.main)
        self.progress("end", first)
        second = self.progress("begin")["token"]
        self.assertNotEqual(first, second)
        self.said(self.counter, "race")
        self.progress("end", second)

    def test_a_command_that_compiles(self):
        self.start(java={"compileCommand": 'mkdir -p out && javac -g -d out -sourcepath src "$1"', "outputFolder": "out",
                         "mainClass": "app.Main"})
        self.save(self.counter)  # has no main
        message = self.client.diagnostics(self.counter)[0]["message"]
        self.assertIn("app.Main", message)
        self.save(self.main)
        self.said(self.counter, "race")
        self.assertTrue((self.folder / "out/app/Main.class").exists())

    def test_settings_change(self):
        self.start(java={"mainClass": "app.Nobody"})
        self.save(self.main)
        self.assertIn("app.Nobody", self.said(self.main, "race")[0]["message"])
        self.client.notify("workspace/didChangeConfiguration", settings={"lockwood": {"java": {"mainClass": "app.Main"}}})
        self.said(self.counter, "race")

    def test_options_of_the_command_line(self):
        self.start("--library=app.Counter")
        self.write("src/app/Counter.java", COUNTER.replace("class", "public class").replace("void add", "public void add"))
        self.save(self.counter)
        self.said(self.counter, "race")

    def test_a_source_without_a_main_is_compiled_with_all_others(self):
        self.start()
        self.save(self.counter)
        self.said(self.counter, "race")

    def test_without_a_compiler(self):
        self.start(java={"jdk": "nowhere"})
        self.save(self.main)
        self.assertIn("no javac", self.client.diagnostics(self.main)[0]["message"])
        self.assertEqual(self.client.end(), 0)

    def test_wrong_settings_are_refused(self):
        self.start()
        self.client.notify("workspace/didChangeConfiguration", settings={"lockwood": {"java": {"classPath": 3}}})
        self.client.wait_for(lambda message: message.get("method") == "window/logMessage")
        self.save(self.main)
        self.said(self.counter, "race")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
