"""The first example that a visitor sees prints what it says it prints."""

import contextlib
import io
import re
from pathlib import Path

README = Path(__file__).parent.parent.parent / "README.md"


def without_round_off(text: str) -> str:
    """Round-off of a sum differs between processors."""
    return re.sub(r"within \S+ N", "within … N", text).strip()


def test_example_of_the_readme_prints_what_the_readme_says():
    found = re.search(
        r"```python\n(.*?)```\s+```text\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL
    )
    assert found
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(found[1], {"__name__": "__readme__"})
    assert without_round_off(printed.getvalue()) == without_round_off(found[2])
