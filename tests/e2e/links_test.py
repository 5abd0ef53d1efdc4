"""Links and paths in the pages lead somewhere: no network, only files of the project.

    links_test.py SOURCE_DIRECTORY

Checked in README.md, CONTRIBUTING.md, docs/ and the READMEs of folders: every relative link and picture, with the heading
that it names; every path that begins with one of our folders, such as `dpn/model/rule.hpp` or `tests/e2e/`, also in code; and
every source that is named without its folder, such as `rule.hpp`.
"""
import pathlib
import re
import sys
import urllib.parse

SOURCE = pathlib.Path(sys.argv[1]).resolve()
ROOMS = ("base", "bench", "docs", "dpn", "explorer", "frontend", "jvm", "models", "solver", "tests", "treeauto", "verify")
# A path of ours begins with a room. Not part of another path, such as build/release/frontend.
PATH = re.compile(rf"(?<![\w/.+$-])((?:{'|'.join(ROOMS)})/[\w./-]*)")


def pages():
    found = [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *sorted((SOURCE / "docs").rglob("*.md"))]
    rooms = [page for room in ROOMS if room != "docs" for page in sorted((SOURCE / room).rglob("README.md"))]
    return [page for page in found + rooms if page.exists() and "node_modules" not in page.parts]


def without_blocks(text):
    """The text without its fenced code, each line of which becomes an empty one, so that lines keep their numbers."""
    return re.sub(r"(?ms)^```.*?^```$", lambda block: "\n" * block[0].count("\n"), text)


def anchors(path):
    """The headings of a page as links name them."""
    headings = re.findall(r"(?m)^#+ (.*)$", without_blocks(path.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def wrong_links(page, text):
    """Links in prose: [text](target), also around a picture."""
    prose = re.sub(r"`[^`\n]*`", lambda code: " " * len(code[0]), without_blocks(text))
    for link in re.finditer(r"\]\(([^)\s]+)\)", prose):
        target = urllib.parse.unquote(link[1])
        if re.match(r"[a-z]+:", target):
            continue  # another place: nothing to look at without a network
        name, _, heading = target.partition("#")
        to = (page.parent / name).resolve() if name else page
        if not to.exists():
            yield line_of(prose, link.start()), f"link to {target}, which does not exist"
        elif SOURCE not in [to, *to.parents]:
            yield line_of(prose, link.start()), f"link to {target}, which is outside of the project"
        elif heading and to.suffix == ".md" and heading not in anchors(to):
            yield line_of(prose, link.start()), f"link to {target}, but there is no such heading"


def exists(path):
    """The file or folder; or the source of this name, if the ending is left out."""
    return (SOURCE / path).exists() or not pathlib.PurePath(path).suffix and any(SOURCE.glob(f"{path}.*pp"))


def wrong_names(text):
    """Sources in code marks, by their name alone: some folder has one of this name."""
    for mention in re.finditer(r"`([\w-]+\.(?:cpp|hpp|py))`", text):
        if not any(next((SOURCE / room).rglob(mention[1]), None) for room in ROOMS):
            yield line_of(text, mention.start()), f"no folder has a {mention[1]}"


def wrong_paths(text):
    """Paths, in prose and in code."""
    for mention in PATH.finditer(text):
        path = mention[1].rstrip(".-")
        after = text[mention.end():mention.end() + 1]
        if after and after in "*…{<%":
            path = path.rpartition("/")[0]  # a pattern: its folder exists
        if not exists(path):
            yield line_of(text, mention.start()), f"{path} does not exist"


def main():
    wrong, checked = [], 0
    for page in pages():
        text = page.read_text(encoding="utf-8")
        checked += 1
        found = [*wrong_links(page, text), *wrong_paths(text), *wrong_names(text)]
        wrong += [f"{page.relative_to(SOURCE)}:{line}: {what}" for line, what in sorted(set(found))]
    print("\n".join(wrong))
    print(f"{checked} pages, {len(wrong)} wrong links and paths")
    return 1 if wrong or checked < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
