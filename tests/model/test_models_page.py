"""The examples of the page on models run, and the two ways to write the arm agree."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from borelli.io.toml.model_codec import FORCES, FUNCTIONS, JOINTS
from borelli.io.toml.model_toml import read_model_toml

PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


def test_every_kind_of_joint_function_and_force_is_on_the_page() -> None:
    for kinds in (JOINTS, FUNCTIONS, FORCES):
        for kind, cls in kinds.items():
            assert f"`{kind}`" in PAGE, kind
            assert f"`{cls.__name__}`" in PAGE, cls.__name__


def test_python_examples_run_and_the_toml_example_is_the_same_model(tmp_path: Path) -> None:
    scope: dict[str, Any] = {}
    for block in blocks("python"):
        exec(block, scope)
    (text,) = blocks("toml")
    path = tmp_path / "arm.toml"
    path.write_text(text, encoding="utf-8")
    assert read_model_toml(path) == scope["arm"]
