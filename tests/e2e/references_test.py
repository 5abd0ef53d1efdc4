"""Every source that a comment cites, such as [comon.08.tata, Sect. 1.7], is in docs/references.md, once and in order. And
nobody includes the JSON library without what base/text/json.hpp says about it.

    references_test.py SOURCE_DIRECTORY
"""

import pathlib
import re
import sys

SOURCE = pathlib.Path(sys.argv[1])
KEY = r"[a-z]+\.[0-9]{2}\.[a-z]+"
FOLDERS = ("base", "bench", "dpn", "treeauto", "solver", "frontend", "tests")

listed = re.findall(rf"^- \*\*({KEY})\*\*", (SOURCE / "docs/references.md").read_text(encoding="utf-8"), re.MULTILINE)
cited = {}
problems = []
for folder in FOLDERS:
    for path in sorted((SOURCE / folder).rglob("*.[ch]pp")):
        text = path.read_text(encoding="utf-8")
        for key in re.findall(rf"\[({KEY})", text):
            cited.setdefault(key, path.relative_to(SOURCE))
        if "#include <nlohmann/json.hpp>" in text and path != SOURCE / "base/text/json.hpp":
            problems.append(f"{path.relative_to(SOURCE)}: base/text/json.hpp is to be included, not <nlohmann/json.hpp>")

problems += [f"{path}: {key} is not in docs/references.md" for key, path in cited.items() if key not in listed]
problems += [f"docs/references.md: {b} stands after {a}" for a, b in zip(listed, listed[1:]) if b <= a]
print("\n".join(problems))
sys.exit(1 if problems else 0)
