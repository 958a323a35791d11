"""Text as XML writes it, against the standard library."""

from xml.sax import saxutils

import pytest

from borelli.io.text.xml_text import escape, quoteattr


@pytest.mark.parametrize(
    "text",
    ["", "a", "a<b>&c;", "&amp;", 'say "so"', "it's", "both \" and '", "a\tb\r\nc", "\u00e9 & \U0001f9b5"],
)
def test_text_is_written_as_by_the_standard_library(text: str) -> None:
    assert escape(text) == saxutils.escape(text) and quoteattr(text) == saxutils.quoteattr(text)
