"""The extension for Visual Studio Code: its files fit together and to the languages, and it works with the server.

    vscode_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(sys.argv[2])
FOLDER = os.path.join(SOURCE, "frontend/vscode")
NODE = shutil.which("node")


def load(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return json.load(file)


def source(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        return file.read()


def patterns(grammar):
    """All regular expressions of a grammar."""
    if isinstance(grammar, dict):
        for key, value in grammar.items():
            if key in ("match", "begin", "end"):
                yield value
            else:
                yield from patterns(value)
    elif isinstance(grammar, list):
        for each in grammar:
            yield from patterns(each)


def words(grammar):
    """The words that a grammar names: those between \\b and \\b."""
    found = set()
    for pattern in patterns(grammar):
        for group in re.findall(r"\\b\(([A-Za-z|]+)\)", pattern):
            found.update(group.split("|"))
    return found


class Files(unittest.TestCase):
    def test_what_the_manifest_names_is_there(self):
        manifest = load("package.json")
        self.assertTrue(os.path.isfile(os.path.join(FOLDER, manifest["main"])))
        languages = {each["id"]: each for each in manifest["contributes"]["languages"]}
        self.assertEqual({name: each["extensions"] for name, each in languages.items()},
                         {"lockwood": [".lw"], "dpn": [".dpn"]})
        for language in languages.values():
            load(language["configuration"])
        for grammar in manifest["contributes"]["grammars"]:
            self.assertIn(grammar["language"], languages)
            self.assertEqual(load(grammar["path"])["scopeName"], grammar["scopeName"])

    def test_a_workspace_that_is_not_trusted_does_not_choose_the_program(self):
        manifest = load("package.json")
        trust = manifest["capabilities"]["untrustedWorkspaces"]
        self.assertEqual(trust["supported"], "limited")
        # Whatever can be set goes to the command line of a program.
        self.assertEqual(set(trust["restrictedConfigurations"]),
                         set(manifest["contributes"]["configuration"]["properties"]))

    def test_it_has_the_version_of_the_project_and_needs_no_package(self):
        version = re.search(r"project\(lockwood VERSION ([0-9.]+)", source("CMakeLists.txt")).group(1)
        manifest, lock = load("package.json"), load("package-lock.json")
        self.assertEqual([manifest["version"], lock["version"]], [version, version])
        self.assertNotIn("dependencies", manifest)
        self.assertEqual(list(lock["packages"]), [""])
        self.assertNotIn("http", json.dumps(lock))

    def test_every_keyword_of_programs_is_in_the_grammar(self):
        array = re.search(r"all_keywords\{([^}]*)\}", source("frontend/lw/parser.cpp")).group(1)
        keywords = set(re.findall(r'"(\w+)"', array))
        self.assertIn("notifyAll", keywords)
        self.assertEqual(words(load("syntaxes/lockwood.tmLanguage.json")) - {"proc"}, keywords - {"proc"})

    def test_every_word_of_models_is_in_the_grammar(self):
        known = words(load("syntaxes/dpn.tmLanguage.json"))
        text = source("dpn/formats/query_parser.cpp") + source("dpn/formats/text_parser.cpp")
        for word in set(re.findall(r'accept_word\("(\w+)"\)', text)):
            self.assertIn(word, known)
        self.assertLessEqual({"dpn", "controls", "stacks", "locks", "actions", "initial", "rules"}, known)

    def test_the_expressions_of_the_grammars_are_well_formed(self):
        for name in ("lockwood", "dpn"):
            for pattern in patterns(load(f"syntaxes/{name}.tmLanguage.json")):
                re.compile(pattern)


@unittest.skipUnless(NODE, "there is no Node.js")
class WithNode(unittest.TestCase):
    def test_the_extension_works_with_the_server(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "LOCKWOOD": PROGRAM}
            if shutil.which("javac"):
                environment["JAVA_FOLDER"] = folder
            result = subprocess.run([NODE, "test/session.js"], cwd=FOLDER, env=environment, capture_output=True,
                                    text=True, timeout=600, check=False)
        self.assertEqual((result.returncode, result.stdout), (0, "ok\n"), result.stderr)

    def test_it_can_be_packed(self):
        with tempfile.TemporaryDirectory() as folder:
            target = os.path.join(folder, "lockwood.vsix")
            subprocess.run([NODE, "scripts/package.js", target], cwd=FOLDER, stdout=subprocess.DEVNULL, check=True)
            with zipfile.ZipFile(target) as archive:
                self.assertIsNone(archive.testzip())
                packed = json.loads(archive.read("extension/package.json"))
                self.assertEqual(packed, load("package.json"))
                names = archive.namelist()
        for needed in (packed["main"], *(each["path"] for each in packed["contributes"]["grammars"])):
            self.assertIn("extension/" + needed.removeprefix("./"), names)
        self.assertIn("extension/connection.js", names)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
