"""Signatures for the site: a function under ``@returns_dataset`` returns a Dataset, not the arrays that it computes."""

from __future__ import annotations

import griffe

RETURNED = {"returns_dataset": "Dataset", "returns_array": "DataArray"}


class Returns(griffe.Extension):
    """Show what the public function returns."""

    def on_function_instance(self, *, node, func, agent, **kwargs):
        for decorator in func.decorators:
            func.returns = RETURNED.get(decorator.callable_path.rpartition(".")[2], func.returns)
