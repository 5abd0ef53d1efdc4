"""The Debian packages and the wheel: made, unpacked into an empty root, and used there.

    package_test.py BUILD_DIRECTORY SOURCE_DIRECTORY [unittest arguments]

With LOCKWOOD_DEBOOTSTRAP=1 (as root, with a network) the packages are installed by apt into a fresh Debian 12 as well.
"""

import glob
import os
import shutil
import subprocess
import sys
import unittest

BUILD, SOURCE = map(os.path.abspath, sys.argv[1:3])
WORK = os.path.join(BUILD, "tests/packaged")
ROOT = os.path.join(WORK, "root")
TOUR = [  # arguments, exit status, a line of the answer
    (["race", "account.lw"], 1, "race on balance"),
    (["race", "account-fixed.lw", "--verify"], 0, "races: 0"),
    (["check", "fig1.dpn", "--expect"], 0, "unreachable"),
]


def call(*command, status=0, **options):
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800, **options)
    if result.returncode != status:
        raise AssertionError(f"{command}: {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def copy_inputs(folder):
    os.makedirs(folder, exist_ok=True)
    for name in ("docs/examples/account.lw", "docs/examples/account-fixed.lw", "models/fig1.dpn"):
        shutil.copy(os.path.join(SOURCE, name), folder)


def setUpModule():
    if not shutil.which("dpkg-deb") or not shutil.which("dpkg-shlibdeps"):
        raise unittest.SkipTest("there is no dpkg-deb or no dpkg-shlibdeps: .ci/setup package installs them")
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(ROOT)
    call("cpack", "-B", WORK, cwd=BUILD)
    copy_inputs(os.path.join(ROOT, "tour"))
    for package in packages():
        call("dpkg-deb", "-x", package, ROOT)


def packages():
    return sorted(glob.glob(os.path.join(WORK, "*.deb")))


class Packages(unittest.TestCase):
    def test_there_is_one_for_each_kind_of_user_and_a_tarball(self):
        names = [os.path.basename(package).split("_")[0] for package in packages()]
        self.assertLessEqual({"lockwood", "lockwood-dev"}, set(names))
        self.assertTrue(glob.glob(os.path.join(WORK, "*.tar.gz")))

    def test_a_package_names_what_it_needs(self):
        package = next(package for package in packages() if os.path.basename(package).startswith("lockwood_"))
        fields = call("dpkg-deb", "-f", package)
        self.assertRegex(fields, r"(?m)^Version: [0-9.]+")
        for library in ("libc6", "libstdc++6", "libfmt9", "libzip4"):
            self.assertIn(library, fields)

    def test_the_tour_works_from_the_unpacked_tree(self):
        for arguments, status, line in TOUR:
            text = call(os.path.join(ROOT, "usr/bin/lockwood"), *arguments, status=status,
                        cwd=os.path.join(ROOT, "tour"))
            self.assertIn(line, text)

    def test_nothing_knows_where_it_was_built(self):
        for name in glob.glob(os.path.join(ROOT, "usr/**/*.cmake"), recursive=True):
            with open(name, encoding="utf-8") as file:
                self.assertNotIn(SOURCE, file.read(), name)

    def test_python_finds_the_module(self):
        found = glob.glob(os.path.join(ROOT, "usr/lib/python3*/dist-packages/lockwood/_lockwood*.so"))
        if not found:
            self.skipTest("the module was not built")
        folder = os.path.dirname(os.path.dirname(found[0]))
        text = call("/usr/bin/python3", "-c",
                    "import lockwood; print(lockwood.load('fig1.dpn').reach('p2').verdict)",
                    cwd=os.path.join(ROOT, "tour"), env={**os.environ, "PYTHONPATH": folder})
        self.assertEqual(text.strip(), "reachable")


@unittest.skipUnless(os.environ.get("LOCKWOOD_DEBOOTSTRAP"), "only with LOCKWOOD_DEBOOTSTRAP=1")
class FreshDebian(unittest.TestCase):
    def test_apt_installs_the_packages_and_the_tour_works(self):
        system = os.path.join(WORK, "debian")
        call("debootstrap", "--variant=minbase", "bookworm", system)
        copy_inputs(os.path.join(system, "tour"))
        for package in packages():
            if not os.path.basename(package).startswith("lockwood-dev"):
                shutil.copy(package, os.path.join(system, "tour"))
        for name in glob.glob("/etc/apt/apt.conf.d/*") + glob.glob("/etc/apt/sources.list*"):
            target = system + name
            if os.path.isfile(name):
                shutil.copy(name, target)
        call("chroot", system, "sh", "-c", "apt-get update && apt-get install --yes --no-install-recommends /tour/*.deb")
        for arguments, status, line in TOUR:
            text = call("chroot", system, "sh", "-c", "cd /tour && lockwood " + " ".join(arguments), status=status)
            self.assertIn(line, text)
        text = call("chroot", system, "python3", "-c", "import lockwood; print(lockwood.load('/tour/fig1.dpn'))")
        self.assertIn("fig1.dpn", text)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
