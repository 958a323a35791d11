"""One XML reader for all formats: no DTD, no entities, limits on size, depth and count, line numbers.

Files are data from strangers. An entity bomb, an external entity, a document type or nesting without
end is refused with a message before it costs memory; every element remembers its line, so that a later
complaint about its content can say where it stands.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
from collections.abc import Iterator
from xml.parsers import expat

from borelli.errors import FileFormatError, UnknownNameError, warn
from borelli.io.text.files import UTF16_MARKS, read_bytes
from borelli.io.text.xml_repair import mended, without_comments

# Full-body models have a megabyte, a dozen levels and some ten thousand elements: these bounds are for bombs.
MAX_BYTES = 64 * 1024**2
MAX_DEPTH = 200
MAX_ELEMENTS = 1_000_000
# Up to so many children are looked through; more are listed once, since a file may ask for them again and again.
_FEW = 40


class Element:
    """One XML element: tag, attributes, own text, children, and the line it starts on.

    Attributes
    ----------
    tag : str
        Name of the element.
    attributes : dict of str
        Attribute values by name.
    text : str
        Text directly inside the element, blanks at both ends removed.
    children : list of Element
        Elements directly inside, in file order.
    line : int
        Line of the start tag, counted from 1.
    source : str
        Name of the file.
    """

    __slots__ = ("_first", "attributes", "children", "line", "source", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str], line: int, source: str) -> None:
        self.tag = tag
        self.attributes = attributes
        self.text = ""
        self.children: list[Element] = []
        self.line = line
        self.source = source
        self._first: dict[str, Element] | None = None

    def __repr__(self) -> str:
        name = f" name={self.name!r}" if self.name else ""
        return f"<{self.tag}{name} at line {self.line}>"

    def __iter__(self) -> Iterator[Element]:
        return iter(self.children)

    @property
    def name(self) -> str:
        """The ``name`` attribute, empty where there is none."""
        return self.attributes.get("name", "")

    @property
    def where(self) -> str:
        """File, line and tag, for messages."""
        return f"{self.source}, line {self.line}, <{self.tag}>"

    def child(self, tag: str) -> Element | None:
        """Return the first child with this tag, or None."""
        if len(self.children) > _FEW:
            if self._first is None:
                self._first = {child.tag: child for child in reversed(self.children)}
            return self._first.get(tag)
        for child in self.children:
            if child.tag == tag:
                return child
        return None

    def forget_order(self) -> None:
        """Look children up anew: their tags or their list have changed."""
        self._first = None

    def require(self, tag: str) -> Element:
        """Return the first child with this tag; an error that names the present ones where absent."""
        found = self.child(tag)
        if found is None:
            raise UnknownNameError.among(
                tag,
                "child",
                dict.fromkeys(c.tag for c in self.children),
                of=f"<{self.tag}>",
                where=self.where,
            )
        return found

    def all(self, tag: str) -> list[Element]:
        """Return every child with this tag."""
        return [child for child in self.children if child.tag == tag]

    def walk(self) -> Iterator[Element]:
        """Yield this element and everything below it, in file order."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))

    def text_of(self, tag: str, default: str = "") -> str:
        """Return the text of a child, or the default where the child is absent or empty."""
        found = self.child(tag)
        return found.text if found is not None and found.text else default

    def numbers(self, count: int | None = None) -> tuple[float, ...]:
        """Return the element's text as numbers separated by blanks or commas; ~[1,2,3] and (1 2 3) are vectors, too."""
        words = self.text.replace(",", " ").split()
        try:
            values = tuple(map(float, words))
        except ValueError:
            words = self.text.translate(_NO_BRACKETS).split()
            values = tuple(self._number(word) for word in words)
        if count is not None and len(values) != count:
            raise FileFormatError(f"Expected {count} numbers, found {len(values)}.", where=self.where)
        return values

    def _number(self, word: str) -> float:
        try:
            return float(word)
        except ValueError:
            odd = _MICROSOFT.fullmatch(word)
        if odd is None:
            raise FileFormatError(f"{word[:40]!r} is not a number.", where=self.where)
        return float(f"{odd[1]}inf") if odd[2].upper() == "INF" else math.nan

    def number(self) -> float:
        """Return the element's text as one number."""
        try:
            return float(self.text)
        except ValueError:
            return self.numbers(1)[0]

    def flag(self) -> bool:
        """Return the element's text as true or false."""
        word = self.text.lower()
        if word in ("true", "1", "yes"):
            return True
        if word in ("false", "0", "no"):
            return False
        raise FileFormatError(f"{self.text[:40]!r} is neither true nor false.", where=self.where)


_NO_BRACKETS = str.maketrans("~()[],", "      ")
# XML reads line breaks in attributes as blanks; &#10; would get around that, and a name forge a printed line.
_ONE_LINE = dict.fromkeys(map(ord, "\t\n\r"), " ")


# What old programs on Windows write for numbers that are not finite, filled up with zeros: -1.#INF000.
_MICROSOFT = re.compile(r"([+-]?)1\.#(INF|QNAN|SNAN|IND)0*", re.IGNORECASE)


class _Refused(Exception):
    """Raised inside the parser, where the document goes past a limit or declares a document type."""

    def __init__(self, what: str, remedy: str) -> None:
        self.what = what
        self.remedy = remedy
        super().__init__(what)


class _Builder:
    """Receives the parser's events and grows the tree."""

    def __init__(self, source: str, encoding: str | None) -> None:
        # Namespaces are left alone: OpenSim has tags such as <HuntCrossleyForce::ContactParameters>.
        self.parser = expat.ParserCreate(encoding)
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.text: list[str] = []
        self.parser.CharacterDataHandler = self.text.append
        # Entities, and with them bombs and outside files, can only be declared in a document type.
        self.parser.StartDoctypeDeclHandler = self.refuse_document_type
        self.parser.EntityDeclHandler = self.refuse_document_type
        self.source = source
        self.root: Element | None = None
        self.stack: list[Element] = []
        # Text of the open elements before their last child, in pieces: adding them up one by one would be slow.
        self.before: list[list[str]] = []
        self.count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        stack = self.stack
        if len(stack) >= MAX_DEPTH:
            raise _Refused(f"Elements are nested more than {MAX_DEPTH} deep.", "split or repair it")
        if self.count > MAX_ELEMENTS:
            raise _Refused(f"The document has more than {MAX_ELEMENTS:,} elements.", "split or repair it")
        for name, value in attributes.items():
            if not value.isprintable():
                attributes[name] = value.translate(_ONE_LINE)
        element = Element(tag, attributes, self.parser.CurrentLineNumber, self.source)
        if stack:
            stack[-1].children.append(element)
            self.before[-1] += self.text
            self.text.clear()
        else:
            self.root = element
        stack.append(element)
        self.before.append([])

    def end(self, _tag: str) -> None:
        pieces = self.before.pop()
        pieces += self.text
        self.text.clear()
        self.stack.pop().text = "".join(pieces).strip()

    def refuse_document_type(self, *_declaration: object) -> None:
        raise _Refused(
            "The document declares a document type or entities, which is not allowed.",
            "remove the <!DOCTYPE …> part; no format read here needs it",
        )


def read_xml(path: str | os.PathLike[str], expected: str = "an XML document") -> Element:
    """Read an XML file.

    Parameters
    ----------
    path : path
        The file.
    expected : str
        What it should be, for messages.

    Returns
    -------
    root : Element
        The document's root element.
    """
    return parse_xml(read_bytes(path, expected, MAX_BYTES), os.fspath(path), expected)


def parse_xml(data: bytes, source: str = "<bytes>", expected: str = "an XML document") -> Element:
    """Parse the bytes of an XML document; see :func:`read_xml`."""
    if len(data) > MAX_BYTES:
        raise FileFormatError(f"The document has more than {MAX_BYTES:,} bytes.", where=source)
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:2]
    if not start.startswith(b"<") and data[:2] not in UTF16_MARKS:
        raise FileFormatError(
            f"The file does not begin with '<', expected {expected}.",
            where=f"{source}, line 1",
            remedy="check that this is the file you meant",
        )
    # A blank before the declaration is an error to the parser, and common in edited files.
    data = data.lstrip(b" \t\r\n")
    try:
        return _parse(data, source, expected)
    except expat.ExpatError as error:
        return _parse_broken(data, source, expected, error)


def _parse_broken(data: bytes, source: str, expected: str, broken: expat.ExpatError) -> Element:
    """Read what OpenSim would read although it is not XML; what no reader could is refused."""
    refusal = FileFormatError(
        f"The XML is broken ({expat.ErrorString(broken.code)}), expected {expected}.",
        where=f"{source}, line {broken.lineno}, column {broken.offset}",
    )
    if data[:2] in UTF16_MARKS:
        raise refusal
    # XML forbids "--" within a comment; OpenSim's reader does not, and files that were edited by hand have it.
    data = without_comments(data)
    with contextlib.suppress(expat.ExpatError):
        return _parse(data, source, expected)
    better, notes = mended(data)
    try:
        root = _parse(better, source, expected, "utf-8")
    except expat.ExpatError:
        raise refusal from None
    if notes:
        warn(f"{source} is not well-formed XML; it was read as OpenSim reads it: {'; '.join(notes)}.")
    return root


def _parse(data: bytes, source: str, expected: str, encoding: str | None = None) -> Element:
    builder = _Builder(source, encoding)
    try:
        builder.parser.Parse(data, True)
    except _Refused as refusal:
        raise FileFormatError(
            refusal.what,
            where=f"{source}, line {builder.parser.CurrentLineNumber}",
            remedy=refusal.remedy,
        ) from None
    except (LookupError, ValueError) as error:
        raise FileFormatError(f"The document's encoding cannot be read: {error}.", where=source) from None
    if builder.root is None:
        raise FileFormatError(f"The document has no element, expected {expected}.", where=source)
    return builder.root
