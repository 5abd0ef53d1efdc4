"""One word for one idea: docs/glossary.md lists retired words, and no source has one.

    words_test.py SOURCE

The first table of the page has retired names: no identifier is one. The second one has phrases that no text of the
program has. A text is what stands between quotes in a source; members of JSON are single words, and are no phrases.
"""
import os
import re
import subprocess
import sys

SOURCE = sys.argv[1]
ROOMS = ("base/", "dpn/", "treeauto/", "solver/", "explorer/", "jvm/", "verify/", "frontend/")
PHRASES = (r"(?<!there )\bis no (number|time|size|object|option|answer|set|tree|source file|part of)\b", r"(?<!\bit )\bstands? (at|in)\b",
           r"\bheld apart\b", r"\brings? of (locks|threads)\b", r"\bof (its|their|one's) own\b", r"\b[Ww]hoever\b",
           r"\bnothing changes without\b")
GENERATED = "frontend/cli/commands/gen.cpp", "dpn/generators/generate.cpp"  # names of families, an interface


def read(path):
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read()


def retired_names():
    """The words in backquotes of the first column, as patterns."""
    section = re.search(r"^## Retired words\n(.*?)^In shown text:", read("docs/glossary.md"), re.M | re.S).group(1)
    for row in re.findall(r"^\|([^|]*)\|", section, re.M):
        for name in re.findall(r"`([^`]+)`", row):
            if name.endswith("…") or name.endswith("_x"):  # tell_…, most_x
                yield name, rf"\b{name[:-1]}[a-z_]+\b"
            elif name.endswith("()"):
                yield name, rf"(?<=[.>])\b{name[:-2]}\(\)"
            else:
                yield name, rf"\b{name}\b"


def without_texts_and_comments(line):
    line = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line)
    return re.sub(r"//.*", "", line)


def texts(line):
    """What is between quotes, if the line is not a comment."""
    if line.lstrip().startswith(("//", "#include")):
        return []
    return re.findall(r'"((?:[^"\\]|\\.)*)"', line)


def main():
    paths = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.hpp", "*.cpp"], cwd=SOURCE,
                           capture_output=True, text=True, check=True).stdout.split()
    paths = [path for path in paths if path.startswith(ROOMS) and os.path.exists(os.path.join(SOURCE, path))]
    names = [(name, re.compile(pattern)) for name, pattern in retired_names()]
    phrases = [re.compile(phrase) for phrase in PHRASES]
    assert len(paths) > 500 and len(names) > 20, "the sources or the table were not found"
    found = []
    for path in paths:
        for number, line in enumerate(read(path).splitlines(), 1):
            code = without_texts_and_comments(line)
            found += [f"{path}:{number}: the name {name} is retired" for name, pattern in names if pattern.search(code)]
            if path not in GENERATED:
                found += [f"{path}:{number}: the text \"{text}\" has a retired phrase" for text in texts(line)
                          for phrase in phrases if phrase.search(text)]
    print("\n".join(found) if found else f"no retired word in {len(paths)} sources")
    return 1 if found else 0


sys.exit(main())
