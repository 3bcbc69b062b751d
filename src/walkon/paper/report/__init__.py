"""The report of a run: one page that stands alone, with the figures and tables as files beside it."""

from walkon.paper.report.write import write_report

__all__ = ["write_report"]
