"""Pieces of HTML: what others wrote is text, and never markup."""

from html.parser import HTMLParser

import pytest

from walkon.html import Markup, element, facts, folded, joined, link, paragraph, section, table

NASTY = "<script>alert('\"&</script>"


class Read(HTMLParser):
    """The elements, attributes and text of some HTML."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.values, self.text = [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.values += [value for _, value in attrs]

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize(
    "piece",
    [
        paragraph(NASTY, NASTY),
        link(NASTY, NASTY, NASTY),
        folded(NASTY, NASTY),
        section(NASTY, NASTY, NASTY),
        table([NASTY], [[NASTY]], NASTY, label=NASTY),
        table([NASTY], [[NASTY]], named=True),
        facts({NASTY: [NASTY, {NASTY: NASTY}], "more": [{NASTY: NASTY}] * 3}),
        element("b", joined(NASTY, by=" ")),
    ],
)
def test_everything_that_is_not_markup_is_escaped_everywhere(piece):
    found = Read(piece)
    assert "script" not in found.tags
    assert NASTY in found.text
    assert set(found.values) <= {NASTY, "col", "row"}


def test_markup_goes_in_as_it_is_and_only_once_escaped():
    assert paragraph(element("b", "1 < 2")) == "<p><b>1 &lt; 2</b></p>"
    assert table(["a"], [[Markup("<i>x</i>")]]).count("<i>x</i>") == 1


def test_cells_know_the_heading_of_their_column_and_rows_must_fit():
    found = Read(table(["task", "before"], [["one", "10 %"]], named=True))
    assert found.tags.count("th") == 3
    assert "before" in found.values
    with pytest.raises(ValueError, match="shorter"):
        table(["task", "before"], [["one"]])
