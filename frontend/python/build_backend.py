"""Builds the Python package for pip [PEP 517]: CMake compiles the module, and a wheel is a zip file of its folder.

Debian 12 has no backend for CMake, and pip must not need a network. The compiler, CMake and the libraries of
docs/installation.md must be there; `.ci/setup build` installs them.
"""

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
DATE = (2020, 1, 1, 0, 0, 0)  # of every entry: the same sources give the same bytes


def version():
    """The version has one home: the CMake project."""
    text = (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(lockwood VERSION ([0-9.]+)", text).group(1)


def metadata():
    return (f"Metadata-Version: 2.1\nName: lockwood\nVersion: {version()}\n"
            "Summary: Races, deadlocks and flows of concurrent programs, decided with proofs\n"
            "License: Apache-2.0\nRequires-Python: >=3.8\n")


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def run(*command):
    if subprocess.run([str(word) for word in command], check=False).returncode != 0:
        raise SystemExit(f"lockwood: '{command[0]} {command[1]} …' failed; its messages are above")


def build(folder, install):
    """Compiles the module for the Python that runs this, and installs it into a folder."""
    run("cmake", "-S", SOURCE, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DLOCKWOOD_UNITY=ON", "-DBUILD_TESTING=OFF",
        f"-DPython_EXECUTABLE={sys.executable}", "-DLOCKWOOD_PYTHON_DIR=.")
    run("cmake", "--build", folder, "--parallel", os.cpu_count() or 1, "--target", "lockwood_python")
    run("cmake", "--install", folder, "--prefix", install, "--component", "python", "--strip")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"lockwood-{version()}-{tag()}.whl"
    info = f"lockwood-{version()}.dist-info"
    with tempfile.TemporaryDirectory() as temporary:
        # A build folder of one's own makes the next build faster: pip wheel . --config-settings=build-dir=DIR
        folder = (config_settings or {}).get("build-dir") or os.path.join(temporary, "build")
        installed = pathlib.Path(temporary, "installed")
        build(folder, installed)
        files = {path.relative_to(installed).as_posix(): path.read_bytes()
                 for path in sorted(installed.rglob("*")) if path.is_file()}
    if not any(file.endswith(".so") for file in files):
        raise SystemExit("lockwood: the module was not built; python3-dev and pybind11-dev must be there")
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: lockwood\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode()
    files[f"{info}/LICENSE"] = (SOURCE / "LICENSE").read_bytes()
    files[f"{info}/RECORD"] = record(files, f"{info}/RECORD").encode()
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for file, content in files.items():
            entry = zipfile.ZipInfo(file, DATE)
            entry.external_attr = (0o755 if file.endswith(".so") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
    return name


def record(files, own_name):
    lines = []
    for file, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{file},sha256={digest},{len(content)}\n")
    return "".join(lines) + f"{own_name},,\n"


def build_sdist(sdist_directory, config_settings=None):
    base = f"lockwood-{version()}"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=SOURCE, check=True, capture_output=True).stdout.decode()
    with tarfile.open(os.path.join(sdist_directory, base + ".tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for file in filter(None, listed.split("\0")):
            archive.add(SOURCE / file, f"{base}/{file}")
    return base + ".tar.gz"
