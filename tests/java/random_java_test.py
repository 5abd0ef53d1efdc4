"""Random Java programs compile, end, and have what they are there for.

    random_java_test.py COUNT
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

FEATURES = {"synchronized (": 0.5, "synchronized int guarded": 0.5, "new Thread(": 0.8, ".join();": 0.9, "throw new Odd(": 0.5,
            "catch (": 0.8, "extends C": 0.5, "-> ": 0.5, ".next": 0.8, "for (int": 0.5}
RUN = 6  # of them are run; a start of the machine takes long


def main():
    count = int(sys.argv[1])
    if not shutil.which("javac"):
        print("skipped: no javac")
        return 77
    generator = pathlib.Path(__file__).parent / "random_java.py"
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        subprocess.run([sys.executable, str(generator), str(folder), "0", str(count)], check=True)
        sources = sorted(folder.glob("R*.java"))
        assert len(sources) == count
        texts = [source.read_text() for source in sources]
        subprocess.run([sys.executable, str(generator), str(folder / "again"), "0", str(count)], check=True)
        assert [source.read_text() for source in sorted((folder / "again").glob("R*.java"))] == texts, "same seed, same program"
        for feature, share in FEATURES.items():
            met = sum(feature in text for text in texts) / count
            assert met >= share, f"{feature!r} is in {met:.0%} of the programs"
        subprocess.run(["javac", "-g", "-nowarn", "-d", str(folder / "classes"), *map(str, sources)], check=True)
        for source in sources[:RUN]:
            done = subprocess.run(["java", "-XX:TieredStopAtLevel=1", "-cp", str(folder / "classes"), source.stem],
                                  capture_output=True, check=False, timeout=60)
            assert done.returncode in (0, 1), done
    print(f"{count} programs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
