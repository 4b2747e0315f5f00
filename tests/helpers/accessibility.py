"""The rules of axe-core, for pages in Chromium."""

from importlib import resources

from playwright.sync_api import Page

AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
WIDTHS = (320, 390, 1400)
SCHEMES = ("light", "dark")
WEIGHTY = """
async () => {
    const { violations } = await axe.run(document);
    return violations
        .filter(({ impact }) => impact !== "minor")
        .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map(({ html, any }) =>
            `${html.slice(0, 160)} ${any[0]?.message ?? ""}`).join(" | ")}`);
}
"""
"""The names of rules that are broken, each with the first elements that break it.

Landmarks and headings are moderate."""


def violations(page: Page) -> list[str]:
    """What is critical, serious or moderate."""
    page.evaluate(AXE)
    found: list[str] = page.evaluate(WEIGHTY)
    return found
