"""Prints sheets, forms and reports of contests below DIR: browser_printed.py DIR; KEPT_PICTURES=DIR keeps the pages."""

import base64
import os
import re
import sys

sys.path.insert(0, "tests/support")
from browser import Browser, result  # noqa: E402

PAPERS = {"A4": (8.27, 11.69), "letter": (8.5, 11)}  # inches
MARGIN = 2 * 16 / 25.4  # of html.c's @page
PAGES = {"setup": 1, "form": 1, "labels": 1}
# Texts and tables that are cut at the right edge of the paper or of a cell.
WIDE = """const wide = document.documentElement.clientWidth;
    return [...document.querySelectorAll('table, td, th, .label')].filter((at) =>
        at.getBoundingClientRect().right > wide + 0.5 || at.scrollWidth > at.clientWidth + 1)
        .map((at) => at.textContent.slice(0, 40))"""

# A row of headings that a table does not repeat on its next page, a border that does not print, a word
# that is cut within, and a heading that may stand at the foot of a page.
TORN = """const wrong = [];
    const dark = (colour) => colour.match(/\\d+/g).slice(0, 3).every((part) => part < 120);
    for (const table of document.querySelectorAll('table')) {
        const first = table.rows[0];
        if (table.rows.length > 1 && first.cells.length > 1 && ![...first.cells].some((cell) => cell.tagName !== 'TH') && !table.tHead)
            wrong.push('no head: ' + first.textContent);
    }
    for (const cell of document.querySelectorAll('td, th')) {
        const style = getComputedStyle(cell);
        if (parseFloat(style.borderTopWidth) < 0.9 || !dark(style.borderTopColor)) wrong.push('border: ' + cell.textContent);
        if (getComputedStyle(cell.parentNode).breakInside !== 'avoid') wrong.push('row: ' + cell.textContent);
    }
    for (const head of document.querySelectorAll('h1, h2, h3, h2 + p, h3 + p.small'))
        if (getComputedStyle(head).breakAfter !== 'avoid') wrong.push('heading: ' + head.textContent);
    for (const one of document.querySelectorAll('.apart, .whole, .labels'))
        if (getComputedStyle(one).breakInside !== 'avoid') wrong.push('part: ' + one.className);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
    while (texts.nextNode()) {
        const node = texts.currentNode;
        if (node.parentNode.closest('svg, .hex, style')) continue;
        for (const word of node.data.matchAll(/[^\\s/-]{2,}/g)) {
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) wrong.push('cut: ' + word[0]);
        }
    }
    return wrong.slice(0, 5)"""

work = sys.argv[1]
pictures = os.environ.get("KEPT_PICTURES")
browser = Browser()
try:
    for rules in ("loebner-2009", "loebner-2003"):
        for name in ("sheets", "setup", "form", "labels", "report"):
            browser.open(f"file://{work}/{rules}/{name}.html")
            sheets = len(browser.run("return [...document.querySelectorAll('.sheet')].map(() => 1)"))
            for paper, (width, height) in PAPERS.items():
                browser.cdp("Emulation.setEmulatedMedia", media="print")
                browser.cdp("Emulation.setDeviceMetricsOverride", width=int((width - MARGIN) * 96),
                            height=1000, deviceScaleFactor=1, mobile=False)
                wide = browser.run(WIDE)
                result(not wide, f"{rules}, {name}, {paper}: nothing is wider than the page", wide)
                torn = browser.run(TORN)
                result(not torn, f"{rules}, {name}, {paper}: heads, borders and words are whole", torn)
                pdf = base64.b64decode(browser.cdp(
                    "Page.printToPDF", paperWidth=width, paperHeight=height, printBackground=True,
                    preferCSSPageSize=True)["data"])
                if pictures:
                    with open(f"{pictures}/{rules}-{name}-{paper}.pdf", "wb") as file:
                        file.write(pdf)
                pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
                wanted = PAGES.get(name, sheets)
                result(pages == wanted if name != "report" else 0 < pages <= 6,
                       f"{rules}, {name}, {paper}: as many pages as sheets", f"{pages}, not {wanted}")
finally:
    browser.close()
