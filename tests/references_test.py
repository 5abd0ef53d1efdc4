"""Every source that a comment cites, such as [comon.08.tata, Sect. 1.7], is in docs/references.md, once and in order.

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
for folder in FOLDERS:
    for path in sorted((SOURCE / folder).rglob("*.[ch]pp")):
        for key in re.findall(rf"\[({KEY})", path.read_text(encoding="utf-8")):
            cited.setdefault(key, path.relative_to(SOURCE))

problems = [f"{path}: {key} is not in docs/references.md" for key, path in cited.items() if key not in listed]
problems += [f"docs/references.md: {b} stands after {a}" for a, b in zip(listed, listed[1:]) if b <= a]
print("\n".join(problems))
sys.exit(1 if problems else 0)
