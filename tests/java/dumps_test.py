"""What `lockwood show` tells of the traps in models/java: call graph, objects and facts are as in tests/java/dumps.

    dumps_test.py LOCKWOOD SOURCE_DIRECTORY [--update]

With --update the files are written anew: look at the difference before you commit it. The dumps are those of JDK 17, whose
compiler and classes they show; with another one the test is skipped.
"""

import difflib
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROGRAM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
UPDATE = "--update" in sys.argv[3:]
FOLDER = SOURCE / "tests/java/dumps"


def dump(classes, trap):
    """All three dumps, as text."""
    texts = []
    for option in ("--call-graph", f"--points-to={trap}", f"--facts={trap}"):
        result = subprocess.run([PROGRAM, "show", classes, f"--main={trap}", option], capture_output=True, text=True,
                                check=False)
        if result.returncode != 0:
            return f"show {option}: exit status {result.returncode}\n{result.stderr}"
        texts.append(f"$ lockwood show {trap}.java {option}\n{result.stdout}")
    return "\n".join(texts)


def main():
    version = subprocess.run(["javac", "-version"], capture_output=True, text=True, check=False) if shutil.which(
        "javac") else None
    if version is None or not (version.stdout + version.stderr).startswith("javac 17"):
        print("there is no javac of JDK 17: skipped")
        return 77
    traps = sorted((SOURCE / "models/java").glob("T[0-9][0-9].java"))
    differences = 0
    with tempfile.TemporaryDirectory() as classes:
        subprocess.run(["javac", "-g", "-nowarn", "-d", classes, *traps], check=True)
        for trap in traps:
            text, path = dump(classes, trap.stem), FOLDER / f"{trap.stem}.txt"
            if UPDATE:
                FOLDER.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
            known = path.read_text(encoding="utf-8") if path.exists() else ""
            if text != known:
                differences += 1
                sys.stdout.writelines(difflib.unified_diff(known.splitlines(True), text.splitlines(True),
                                                           str(path.relative_to(SOURCE)), "now"))
    known_files = {path.stem for path in FOLDER.glob("*.txt")}
    forgotten = known_files - {trap.stem for trap in traps}
    print(f"{len(traps)} traps, {differences} with other dumps, {len(forgotten)} dumps of no trap")
    return 0 if traps and differences == 0 and not forgotten else 1


sys.exit(main())
