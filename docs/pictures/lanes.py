"""Takes the lanes of a finding out of a page that `lockwood --html` wrote, as a picture that stands alone.

    lockwood race docs/examples/account.lw --html=race.html
    python3 docs/pictures/lanes.py race.html docs/pictures/race-lanes.svg

The page draws its lanes when a browser shows it, so this asks chromium for the page as drawn. The colours are those of
the page's style sheet.
"""
import html
import pathlib
import re
import subprocess
import sys

MARGIN = 10
HEADS = 24  # pixels above the lanes, for the names of the threads


def drawn(page):
    """The page as chromium has it after its script ran."""
    return subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.resolve().as_uri()],
                          capture_output=True, text=True, check=True).stdout


def main():
    page, picture = map(pathlib.Path, sys.argv[1:])
    dom = drawn(page)
    lanes = re.search(r'<svg width="(\d+)" height="(\d+)"[^>]*aria-label="([^"]*)"[^>]*>(.*?)</svg>', dom, re.DOTALL)
    width, height, label, content = int(lanes[1]), int(lanes[2]), lanes[3].partition(";")[0], lanes[4]
    heads = re.search(r'<div class="lane-heads"[^>]*>(.*?)</div>', dom, re.DOTALL)[1]
    names = re.findall(r'<span[^>]*style="left: ([\d.]+)px;">(.*?)</span>', heads)
    colours = dict(re.findall(r"(--\w+): (#\w+)", re.search(r":root \{(.*?)\}", dom, re.DOTALL)[1]))
    style = re.search(r"(?m)^svg text \{.*?(?=^\.node)", dom, re.DOTALL)[0]
    content = re.sub(r'<rect class="row-now"[^>]*></rect>', "", content)  # the step that a reader of the page is at
    content = re.sub(r"var\((--\w+)\)", lambda name: colours[name[1]], content)
    style = re.sub(r"var\((--\w+)\)", lambda name: colours[name[1]], style)
    texts = "".join(f'<text class="strong" x="{x}" y="16">{name}</text>\n' for x, name in names)
    picture.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 2 * MARGIN}" height="{height + HEADS + 2 * MARGIN}" role="img">\n'
        f"<title>{html.escape(html.unescape(label))}</title>\n"
        f"<style>svg text {{ font: 14px monospace; }}\n{style}</style>\n"
        f'<rect width="100%" height="100%" fill="{colours["--back"]}"/>\n'
        f'<g transform="translate({MARGIN} {MARGIN})">\n{texts}<g transform="translate(0 {HEADS})">\n'
        + content.replace("><", ">\n<") + "\n</g>\n</g>\n</svg>\n", encoding="utf-8")


main()
