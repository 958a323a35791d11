"""No import is hidden in a function without a reason."""

from pathlib import Path

from tools.hidden_imports import hidden, unexplained

SOURCE = Path(__file__).parents[2] / "src" / "borelli"


def test_every_import_inside_a_function_says_why():
    told = [
        f"{path.relative_to(SOURCE)}:{line}: {text}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line, text in unexplained(path.read_text("utf-8"))
    ]
    assert not told, "say why in a comment above (it saves start-up time), or lift it:\n" + "\n".join(told)


def test_one_without_a_reason_is_found():
    plain = "def f():\n    x = 1\n    import numba\n    return numba\n"
    assert unexplained(plain) == [(3, "import numba")]
    assert unexplained(plain.replace("x = 1", "# Loaded here: it takes a second.")) == []


def test_one_comment_serves_a_block_but_not_the_next_function():
    block = "def f():\n    # Slow to load.\n    import a\n    from b import (\n        c,\n    )\n\n    import d\n"
    assert len(hidden(block)) == 3 and unexplained(block) == []
    assert unexplained(block + "def g():\n    import a\n") == [(10, "import a")]


def test_a_module_may_say_it_once_for_a_library():
    said = "# Loaded where needed: sympy, which is optional.\n"
    code = "def f():\n    import sympy.printing\ndef g():\n    from sympy import Symbol\n    import numba\n"
    assert [text for _, text in unexplained(said + code)] == ["import numba"]
    assert len(unexplained(code)) == 3
