"""The XML reader: what it returns, and what it refuses."""

from __future__ import annotations

import pytest

from borelli.errors import BorelliWarning, FileFormatError, MissingInputError, UnknownNameError
from borelli.io.text.xml import MAX_DEPTH, Element, parse_xml, read_xml
from tests.bounded import memory_per_byte

DOCUMENT = b"""<?xml version="1.0" encoding="UTF-8" ?>
<root>
  <!-- a comment -->
  <body name="calcn r"><mass> 1.25 </mass><com>1, 2  3</com></body>
  <body name="\xce\xb1"><locked>true</locked></body>
</root>
"""


def tree() -> Element:
    return parse_xml(DOCUMENT, "file.xml")


def test_elements_know_their_line_text_and_name() -> None:
    root = tree()
    first, second = root.all("body")
    assert (first.line, second.line) == (4, 5)
    assert (first.name, second.name) == ("calcn r", "α")
    assert first.require("mass").number() == 1.25
    assert first.require("com").numbers(3) == (1.0, 2.0, 3.0)
    assert second.require("locked").flag() is True
    assert [element.tag for element in root.walk()] == ["root", "body", "mass", "com", "body", "locked"]
    assert root.text_of("absent", "none") == "none"


def test_a_missing_child_is_named_with_its_neighbours_and_line() -> None:
    with pytest.raises(UnknownNameError) as caught:
        tree().all("body")[0].require("mas")
    assert "'mas' is not a child of <body>" in str(caught.value)
    assert "file.xml, line 4" in str(caught.value)
    assert "'mass'" in str(caught.value)


def test_a_word_that_is_no_number_is_quoted_with_its_line() -> None:
    element = parse_xml(b"<a>\n<b>1 two 3</b></a>", "f.xml").require("b")
    with pytest.raises(FileFormatError, match=r"'two' is not a number\.\n  Where:   f\.xml, line 2, <b>"):
        element.numbers()
    with pytest.raises(FileFormatError, match="Expected 2 numbers, found 1"):
        parse_xml(b"<b>1</b>").numbers(2)
    with pytest.raises(FileFormatError, match="'maybe' is neither true nor false"):
        parse_xml(b"<b>maybe</b>").flag()


BOMB = b"""<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<lolz>&b;</lolz>"""
EXTERNAL = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>'
REMOTE_DTD = b'<!DOCTYPE a SYSTEM "http://example.org/a.dtd"><a/>'


@pytest.mark.parametrize("hostile", [BOMB, EXTERNAL, REMOTE_DTD], ids=["bomb", "external", "dtd"])
def test_document_types_and_entities_are_refused(hostile: bytes) -> None:
    with pytest.raises(FileFormatError, match="declares a document type or entities, which is not allowed"):
        parse_xml(hostile)


def test_nesting_without_end_is_refused() -> None:
    with pytest.raises(FileFormatError, match=f"nested more than {MAX_DEPTH} deep"):
        parse_xml(b"<a>" * 100_000)
    assert parse_xml(b"<a>" * MAX_DEPTH + b"</a>" * MAX_DEPTH).tag == "a"


def test_too_many_elements_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("borelli.io.text.xml.MAX_ELEMENTS", 10)
    with pytest.raises(FileFormatError, match="more than 10 elements"):
        parse_xml(b"<a>" + b"<b/>" * 10 + b"</a>")


def test_a_file_over_the_size_limit_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setattr("borelli.io.text.xml.MAX_BYTES", 20)
    path = tmp_path / "big.xml"
    path.write_bytes(b"<a>" + b" " * 30 + b"</a>")
    with pytest.raises(FileFormatError, match="37 bytes; a model may have at most 20"):
        read_xml(path, "a model")
    with pytest.raises(FileFormatError, match="more than 20 bytes"):
        parse_xml(b" " * 21)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<a><b></a>", r"The XML is broken \(mismatched tag\), expected a model\.\n.*line 1, column"),
        (b"<a><b>", r"The XML is broken \(no element found\)"),
        (b"Coordinates\nversion=1\n", r"does not begin with '<', expected a model"),
        (
            b'<?xml version="1.0" encoding="klingon"?><a/>',
            "encoding cannot be read: unknown encoding: klingon",
        ),
    ],
)
def test_a_broken_document_says_where_reading_stopped(data: bytes, message: str, tmp_path) -> None:
    path = tmp_path / "f.osim"
    path.write_bytes(data)
    with pytest.raises(FileFormatError, match=message):
        read_xml(path, "a model")


def test_utf16_documents_are_xml_too() -> None:
    assert parse_xml('<?xml version="1.0" encoding="utf-16"?><a>é</a>'.encode("utf-16")).text == "é"


def test_absent_and_empty_files_are_told_apart(tmp_path) -> None:
    (tmp_path / "subject.osim").write_text("")
    with pytest.raises(FileFormatError, match="The file is empty, expected a model"):
        read_xml(tmp_path / "subject.osim", "a model")
    with pytest.raises(MissingInputError) as caught:
        read_xml(tmp_path / "subjekt.osim", "a model")
    assert "There is no file 'subjekt.osim'" in str(caught.value)
    assert caught.value.closest == ("subject.osim",)
    with pytest.raises(FileFormatError, match="is a folder, expected a model"):
        read_xml(tmp_path, "a model")


def test_tags_with_colons_are_names_like_any_other() -> None:
    root = parse_xml(b"<a><HuntCrossleyForce::ContactParametersSet name='x'/><b:c/></a>")
    assert [child.tag for child in root] == ["HuntCrossleyForce::ContactParametersSet", "b:c"]


def test_a_comment_that_opens_another_is_a_comment() -> None:
    """Files edited by hand have it, and OpenSim's reader takes it."""
    root = parse_xml(b"<a>\n<!--\n<!-- put -- out of use -->\n<b>1</b></a>")
    assert [(child.tag, child.line) for child in root] == [("b", 4)]


def test_what_is_broken_beside_such_a_comment_is_still_told_at_its_place() -> None:
    with pytest.raises(FileFormatError, match="The XML is broken") as caught:
        parse_xml(b"<a>\n<!-- x -->\n<b></a>", "model.osim")
    assert "model.osim, line 3" in str(caught.value.where)


@pytest.mark.parametrize("text", ["1 2 3", "1,2,3", "(1 2 3)", "~[1,2,3]", "[1, 2, 3]"])
def test_vectors_are_read_as_simbody_writes_them(text: str) -> None:
    assert parse_xml(f"<v>{text}</v>".encode()).numbers(3) == (1.0, 2.0, 3.0)


@pytest.mark.parametrize(
    ("inside", "read", "told"),
    [
        (b"33:829\x96840", "33:829–840", "line 2: a character that is not UTF-8, read as Windows-1252 ('–')"),
        ("é ".encode() + b"\xe9", "é é", "a character that is not UTF-8"),
        (b"a\x01b", "a b", "a control character, read as a space"),
        (b"AT&T &lt; &#65;", "ATT < A", "a single ampersand, ignored"),
        (b"a &nbsp; b", "a nbsp; b", "a single ampersand, ignored"),
    ],
    ids=["dash", "mixed", "control", "ampersand", "entity of HTML"],
)
def test_what_opensim_overlooks_is_read_as_it_reads_it_and_told(inside: bytes, read: str, told: str) -> None:
    """The texts are what OpenSim 4.6 gives for the credits of such models."""
    with pytest.warns(BorelliWarning, match="not well-formed XML") as caught:
        root = parse_xml(
            b'<?xml version="1.0" encoding="UTF-8"?>\n<a><b>' + inside + b"</b>\n<c/></a>", "m.osim"
        )
    assert root.require("b").text == read
    assert root.require("c").line == 3
    assert told in str(caught[0].message)


@pytest.mark.parametrize("inside", [b"a < b", b"a\x00b", b"<c></b>", b"<!-- b"])
def test_what_opensim_refuses_is_refused(inside: bytes) -> None:
    with pytest.raises(FileFormatError, match="The XML is broken"):
        parse_xml(b"<a>" + inside + b"</a>")


HEAVY = {
    "openings of comments": b"<a>" + b"<!--" * 1_000_000,
    "comments": b"<a>" + b"<!---->" * 50_000 + b"</b>",
    "text between children": b"<a>" + b"x" * 4_000_000 + b"<b/>x" * 100_000 + b"</a>",
    "ampersands": b"<a>" + b"&" * 1_000_000 + b"</a>",
    "sections": b"<a>" + b"<![CDATA[" * 500_000,
}


@pytest.mark.parametrize("data", HEAVY.values(), ids=HEAVY)
def test_every_byte_is_looked_at_a_few_times_only(data: bytes) -> None:
    """A reader that went from each opening to the end, or copied all text for each child, would not come back."""
    # An element of eight bytes takes most: it has attributes, children and text of its own.
    assert memory_per_byte(lambda: parse_xml(data), len(data)) < 80


def test_a_comment_of_many_megabytes_costs_a_few_times_its_size() -> None:
    data = b"<a><!-- -- " + b"x" * 10_000_000 + b" --><b/></a>"
    assert memory_per_byte(lambda: parse_xml(data), len(data)) < 6
    assert parse_xml(data).children[0].tag == "b"


def test_properties_are_found_in_an_element_of_very_many_children() -> None:
    root = parse_xml(b"<a>" + b"".join(b"<b%d>%d</b%d>" % (n, n, n) for n in range(500)) + b"<b7/></a>")
    assert root.require("b7").text == "7"
    assert root.child("b500") is None


def test_names_have_one_line_whatever_their_character_references_say() -> None:
    root = parse_xml(b'<a name="thigh&#10;Verdict:&#9;GREEN&#13;"/>')
    assert root.name == "thigh Verdict: GREEN "
