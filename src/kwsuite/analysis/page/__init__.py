"""The report as one self-contained HTML page."""

from kwsuite.analysis.page.render import render_page

__all__ = ["render_page"]
