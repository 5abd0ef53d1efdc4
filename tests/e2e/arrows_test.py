"""Which room may include which: docs/architecture.md lists the arrows, and no source has another one.

    arrows_test.py SOURCE            checks
    arrows_test.py SOURCE --list     prints the arrows that there are, in the form of the page
"""
import collections
import os
import re
import subprocess
import sys

SOURCE = sys.argv[1]
NOT_ROOMS = ("tests/", "bench/")  # they may see everything


def listed_arrows():
    """The arrows of the page: `room: room, room`, in the block that begins with ```arrows."""
    with open(os.path.join(SOURCE, "docs/architecture.md"), encoding="utf-8") as page:
        block = re.search(r"^```arrows\n(.*?)^```", page.read(), re.M | re.S).group(1)
    arrows = {}
    for line in block.splitlines():
        room, _, targets = line.partition(":")
        arrows[room.strip()] = {target.strip() for target in targets.split(",") if target.strip()}
    return arrows


def sources():
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.hpp", "*.cpp"],
                           cwd=SOURCE, capture_output=True, text=True, check=True).stdout.split()
    return [name for name in names if not name.startswith(NOT_ROOMS) and os.path.exists(os.path.join(SOURCE, name))]


def room_of(path, rooms):
    """The longest room that the path is in."""
    folder = os.path.dirname(path)
    while folder and folder not in rooms:
        folder = os.path.dirname(folder)
    return folder or None


def main():
    rooms = listed_arrows()
    found = collections.defaultdict(set)
    errors = []
    files = sources()
    known = set(files)
    for path in files:
        room = room_of(path, rooms)
        if room is None:
            errors.append(f"{path}: is in no room of docs/architecture.md")
            continue
        with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
            included = re.findall(r'^#include "([^"]+)"', file.read(), re.M)
        for name in included:
            target = room_of(name, rooms) if name in known else room  # what the build makes is the room's own
            if target not in (room, None):
                found[room].add(target)
                if target not in rooms[room]:
                    errors.append(f"{path}: includes {name}, but there is no arrow from {room} to {target}")
    if "--list" in sys.argv:
        for room in rooms:
            print(f"{room}: {', '.join(sorted(found[room]))}")
        return 0
    for room, targets in rooms.items():
        for target in targets - found[room]:
            errors.append(f"docs/architecture.md: no source has the arrow from {room} to {target}")
    for error in errors:
        print(error)
    print(f"{len(files)} sources, {sum(map(len, found.values()))} arrows, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
