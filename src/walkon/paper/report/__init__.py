"""The report of a run: one page that stands alone, with the figures and tables as files beside it."""
