"""JavaScript run by Node, for the sources that Borelli prints for browsers."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest


def run_javascript(source: str, expression: str, cases: Any) -> Any:
    """Value of an expression of `cases`, after the source; the test says so and is skipped where there is no Node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node on the path to run JavaScript with")
    script = (
        f'"use strict";\n{source}\n'
        'const cases = JSON.parse(require("node:fs").readFileSync(0, "utf8"));\n'
        f"process.stdout.write(JSON.stringify({expression}));\n"
    )
    done = subprocess.run(
        [node, "-e", script], input=json.dumps(cases), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
