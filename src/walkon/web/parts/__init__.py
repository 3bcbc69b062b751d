"""The parts of the page as HTML: plain functions from what there is to see to text, each name in it escaped."""
