"""Docstrings for the site: cross-reference roles such as ``:func:`explain``` become plain code."""

from __future__ import annotations

import re

import griffe

ROLE = re.compile(r":(?:func|class|mod|meth|data|attr):`~?(?:borelli\.)?([^`]+)`")


class Roles(griffe.Extension):
    """Replace the roles of every docstring."""

    def on_instance(self, *, node, obj, agent, **kwargs):
        if obj.docstring is not None:
            obj.docstring.value = ROLE.sub(r"`\1`", obj.docstring.value)
