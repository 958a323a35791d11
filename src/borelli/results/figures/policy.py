"""What our pages may do in a browser: run what they hold, and ask nobody for anything."""

from __future__ import annotations

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
META = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
