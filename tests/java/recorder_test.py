"""Runs Java programs under the recorder, and checks that the analysis allows what was seen.

    recorder_test.py CHECK_RECORDING SOURCE_DIRECTORY some|all|NAME...

`some`: a few programs, one run each, and ten random ones. `all`: all traps in models/java, all programs in tests/java/programs,
three runs each, and 1,000 random programs. Names choose traps, programs, and random programs such as R17. Status 77 without a JDK.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOME = ["T03", "T04", "T12", "T39", "Ledger", "Lambdas", "Exceptions", "Producer", "Pool", "Iterators"]
RANDOM_SOME, RANDOM_ALL = 10, 1000
CHUNK = 25  # programs per call of the checker


def compile_java(folder, sources, options=()):
    folder.mkdir(parents=True, exist_ok=True)
    names = folder / "sources"
    names.write_text("\n".join(f'"{source}"' for source in sources))
    subprocess.run(["javac", "-g", "-nowarn", *options, "-d", str(folder), "@" + str(names)], check=True,
                   stdout=subprocess.DEVNULL)
    return folder


def record(recorder, classes, name, folder, runs, milliseconds):
    output = folder / f"{name}.jsonl"
    subprocess.run(["java", "-XX:TieredStopAtLevel=1", "-cp", str(recorder), "Recorder", str(classes), name, str(output),
                    str(runs), "1", str(milliseconds)], check=True, stdout=subprocess.DEVNULL)
    return name, output


def notices_lies(checker, classes, folder):
    """Events that never happened are violations: a checker that allows everything would not be noticed else."""
    main = "Lies.main([Ljava/lang/String;)V"
    place = {"method": main, "offset": 0, "line": 1}
    lies = [{"kind": "call", "caller": place, "callee": "Lies.never()V"}, {"kind": "root", "callee": "Lies.never()V"},
            {"kind": "access", "at": {**place, "method": "Lies.never()V"}, "field": "Lies.x", "write": True, "others": False},
            {"kind": "monitor", "at": {"method": main}, "object": {"class": "Lies"}},
            {"kind": "exception", "at": place, "class": "java/io/IOException"},
            {"kind": "entered", "method": main, "count": 2}]
    recording = folder / "Lies.jsonl"
    recording.write_text("".join(json.dumps(lie) + "\n" for lie in lies))
    done = subprocess.run([checker, str(classes), "Lies", str(recording)], check=False, capture_output=True, text=True)
    return done.returncode == 1 and f"{len(lies)} violations" in done.stdout


def has_debugger():
    if not shutil.which("javac") or not shutil.which("java"):
        return False
    modules = subprocess.run(["java", "--list-modules"], capture_output=True, text=True, check=False).stdout
    return "jdk.jdi" in modules


def main():
    checker, root, names = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    if not has_debugger():
        print("skipped: no JDK with the module jdk.jdi")
        return 77
    tests = root / "tests" / "java"
    sources = sorted((root / "models" / "java").glob("T*.java")) + sorted((tests / "programs").glob("*.java"))
    everything = names == ["all"]
    seeds = range(RANDOM_ALL) if everything else range(RANDOM_SOME) if names == ["some"] else [
        int(name[1:]) for name in names if re.fullmatch(r"R\d+", name)]
    wanted = [source.stem for source in sources] if everything else SOME if names == ["some"] else names
    sources = [source for source in sources if source.stem in wanted]
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(temporary)
        recorder = compile_java(work / "recorder", [tests / "recorder" / "Recorder.java"])
        lies = work / "Lies.java"
        lies.write_text("public class Lies { static int x; static void never() { x = 1; } public static void main(String[] a) { } }")
        if not notices_lies(checker, compile_java(work / "lies", [lies]), work):
            print("the checker allows what never happened")
            return 1
        groups = []
        if sources:
            groups.append((compile_java(work / "programs", sources), [source.stem for source in sources], 3 if everything else 1))
        for begin in range(0, len(seeds), 100):
            batch = seeds[begin:begin + 100]
            folder = work / f"random{begin}"
            for seed in batch:
                subprocess.run([sys.executable, str(tests / "random_java.py"), str(folder), str(seed), "1"], check=True)
            groups.append((compile_java(folder / "classes", sorted(folder.glob("*.java"))), [f"R{seed}" for seed in batch], 1))
        workers = os.cpu_count() if everything else 2
        failures = 0
        for classes, mains, runs in groups:
            with concurrent.futures.ThreadPoolExecutor(workers) as pool:
                recordings = list(pool.map(lambda name: record(recorder, classes, name, work, runs, 4000), mains))
            for begin in range(0, len(recordings), CHUNK):
                pairs = [str(part) for pair in recordings[begin:begin + CHUNK] for part in pair]
                failures += subprocess.run([checker, str(classes), *pairs], check=False).returncode != 0
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
