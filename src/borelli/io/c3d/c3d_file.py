"""The C3D file format itself: header, parameters and data blocks [C3D.org user guide].

Read here with NumPy rather than through a C++ library, because a damaged file must end in a message
and not in a crash. All three number formats (Intel, DEC, MIPS), whole-number and floating-point data.
"""

from __future__ import annotations

import math
import struct

import numpy as np
from numpy.typing import NDArray

from borelli.errors import FileFormatError
from borelli.records import dataclass

Array = NDArray[np.float64]
Parameter = NDArray[np.float64] | list[str]

EXPECTED = "a C3D recording (.c3d)"
# The format (c3d.org): places are counted in blocks of 512 bytes, and a number names the processor whose floats these
# are.
BLOCK = 512
_INTEL, _DEC, _MIPS = 84, 85, 86
# Far more than a recording has: what a damaged file takes for a chain must end.
_MAX_PARAMETERS = 20_000


@dataclass(frozen=True)
class C3dContent:
    """What a C3D file stores, before any interpretation.

    Attributes
    ----------
    parameters : dict
        ``"GROUP:NAME"`` to numbers (first index fastest) or a list of strings.
    points : (n_frames, n_points, 3) float
        Marker positions in POINT:UNITS, NaN where missing.
    analog : (n_samples, n_channels) float
        Channels in physical units.
    rate : float
        Frames of points per second.
    first_frame : int
        Number of the first frame, counted from 1.
    samples_per_frame : int
        Analog samples to each frame of points.
    """

    parameters: dict[str, Parameter]
    points: Array
    analog: Array
    rate: float
    first_frame: int
    samples_per_frame: int

    def numbers(self, key: str) -> Array:
        """Return a numeric parameter, empty where it is absent or text."""
        value = self.parameters.get(key)
        return value if isinstance(value, np.ndarray) else np.zeros(0)

    def strings(self, key: str) -> list[str]:
        """Return a text parameter with its continuations (LABELS2, …), empty where absent."""
        found: list[str] = []
        for suffix in ("", *range(2, 100)):
            value = self.parameters.get(f"{key}{suffix}")
            if not isinstance(value, list):
                break
            found += value
        return found

    def number(self, key: str, default: float) -> float:
        """Return the first number of a parameter."""
        values = self.numbers(key)
        return float(values.flat[0]) if values.size and math.isfinite(values.flat[0]) else default


@dataclass(frozen=True)
class _Numbers:
    """How this file's processor wrote numbers."""

    processor: int

    @property
    def order(self) -> str:
        return ">" if self.processor == _MIPS else "<"

    def int16(self, data: bytes) -> NDArray[np.int16]:
        return np.frombuffer(data, self.order + "i2")

    def float32(self, data: bytes) -> NDArray[np.float32]:
        if self.processor == _DEC:
            # DEC stores the high word first and has an exponent that is larger by two.
            words = np.frombuffer(data, "<u2").reshape(-1, 2)[:, ::-1]
            quadrupled: NDArray[np.float32] = np.ascontiguousarray(words).view("<f4").ravel()
            return (quadrupled / 4.0).astype(np.float32)
        return np.frombuffer(data, self.order + "f4")


def parse_c3d_content(data: bytes, source: str) -> C3dContent:
    """Read the blocks of a C3D file."""
    if len(data) < BLOCK or data[1] != 0x50:
        raise FileFormatError(
            f"The second byte is not 0x50 or the file is shorter than its header, expected {EXPECTED}.",
            where=f"{source}, byte 1",
        )
    start = (data[0] - 1) * BLOCK
    if start < 0 or start + 4 > len(data):
        raise FileFormatError(
            f"The header points to parameters in block {data[0]}, beyond the end.", where=f"{source}, byte 0"
        )
    processor = data[start + 3]
    if processor not in (_INTEL, _DEC, _MIPS):
        raise FileFormatError(
            f"The processor type is {processor}; 84 (Intel), 85 (DEC) and 86 (MIPS) are known.",
            where=f"{source}, byte {start + 3}",
        )
    numbers = _Numbers(processor)
    parameters = _Parameters(data, source, numbers).read(start)
    return _read_data(data, source, numbers, parameters)


class _Parameters:
    """Walks the chain of groups and parameters."""

    def __init__(self, data: bytes, source: str, numbers: _Numbers) -> None:
        self.data = data
        self.source = source
        self.numbers = numbers
        self.groups: dict[int, str] = {}
        self.found: list[tuple[int, str, Parameter]] = []

    def read(self, start: int) -> dict[str, Parameter]:
        offset = start + 4
        for _ in range(_MAX_PARAMETERS):
            step = self._entry(offset)
            if step is None:
                break
            offset = step
        return {f"{self.groups.get(group, str(group))}:{name}": value for group, name, value in self.found}

    def _take(self, offset: int, count: int) -> bytes:
        piece = self.data[offset : offset + count]
        if len(piece) < count:
            raise FileFormatError(
                "The file ends inside its parameters.", where=f"{self.source}, byte {len(self.data)}"
            )
        return piece

    def _entry(self, offset: int) -> int | None:
        """Read one group or parameter; return where the next one starts."""
        length, group = struct.unpack("bb", self._take(offset, 2))
        if length == 0 or group == 0:
            return None
        name = self._take(offset + 2, abs(length)).decode("latin-1").strip().upper()
        at = offset + 2 + abs(length)
        step = int(self.numbers.int16(self._take(at, 2)).astype(np.uint16)[0])
        if group < 0:
            self.groups[-group] = name
        else:
            self.found.append((group, name, self._value(at + 2)))
        if step == 0 or at + step <= offset:
            return None
        return at + step

    def _value(self, offset: int) -> Parameter:
        kind, n_dimensions = struct.unpack("bB", self._take(offset, 2))
        if kind not in (-1, 1, 2, 4) or n_dimensions > 7:
            raise FileFormatError(
                f"A parameter has type {kind} and {n_dimensions} dimensions.",
                where=f"{self.source}, byte {offset}",
            )
        shape = tuple(self._take(offset + 2, n_dimensions))
        count = math.prod(shape)
        body = self._take(offset + 2 + n_dimensions, count * abs(kind))
        if kind == -1:
            width = shape[0] if shape else 1
            texts = [body[i : i + width] for i in range(0, len(body), width)] if width else []
            return [text.decode("latin-1").strip(" \x00") for text in texts]
        if kind == 1:
            values = np.frombuffer(body, np.int8).astype(np.float64)
        elif kind == 2:
            values = self.numbers.int16(body).astype(np.float64)
        else:
            values = self.numbers.float32(body).astype(np.float64)
        return values.reshape(shape, order="F") if shape else values


def _read_data(data: bytes, source: str, numbers: _Numbers, parameters: dict[str, Parameter]) -> C3dContent:
    head = numbers.int16(data[:24]).astype(np.uint16).astype(int)
    n_points, per_frame, first_frame, last_frame = int(head[1]), int(head[2]), int(head[3]), int(head[4])
    scale, rate = (float(numbers.float32(data[at : at + 4])[0]) for at in (12, 20))
    samples = int(head[9])
    content = C3dContent(parameters, np.zeros((0, 0, 3)), np.zeros((0, 0)), rate, first_frame, samples)
    rate = content.number("POINT:RATE", rate)
    # No camera takes a million pictures a second: the header is damaged.
    if not (math.isfinite(rate) and 0.0 < rate < 1e6) or not math.isfinite(scale):
        raise FileFormatError(
            f"The frame rate is {rate:g} and the scale {scale:g}.", where=f"{source}, header"
        )
    n_channels = per_frame // samples if samples else 0
    floating = scale < 0.0
    width = 4 if floating else 2
    frame_bytes = (4 * n_points + n_channels * samples) * width
    start = int(content.number("POINT:DATA_START", head[8]) or head[8])
    # A data start is stored in 16 bits with a sign.
    offset = (start % 65536 - 1) * BLOCK
    n_frames = _frame_count(content, first_frame, last_frame)
    if frame_bytes == 0:
        n_frames = 0
    if offset < 0 or offset + n_frames * frame_bytes > len(data):
        available = max(0, len(data) - max(offset, 0)) // frame_bytes if frame_bytes else 0
        raise FileFormatError(
            f"The file ends in frame {available + 1} of {n_frames}, expected {EXPECTED}.",
            where=f"{source}, byte {len(data)}",
            remedy="the recording was cut off; export it again",
        )
    body = data[offset : offset + n_frames * frame_bytes]
    raw = (numbers.float32(body) if floating else numbers.int16(body)).reshape(n_frames, frame_bytes // width)
    return C3dContent(
        parameters,
        _points(raw[:, : 4 * n_points].reshape(n_frames, n_points, 4), 1.0 if floating else scale),
        _analog(raw[:, 4 * n_points :].reshape(n_frames * samples, n_channels), content, floating),
        rate,
        first_frame,
        samples,
    )


def _frame_count(content: C3dContent, first_frame: int, last_frame: int) -> int:
    """Return the number of frames; long recordings do not fit the header's sixteen bits."""
    first, last = content.numbers("TRIAL:ACTUAL_START_FIELD"), content.numbers("TRIAL:ACTUAL_END_FIELD")
    if first.size == 2 and last.size == 2:
        low_high = [int(v.flat[0]) % 65536 + 65536 * (int(v.flat[1]) % 65536) for v in (first, last)]
        if 0 < low_high[0] <= low_high[1]:
            return low_high[1] - low_high[0] + 1
    count = last_frame - first_frame + 1
    long_count = content.number("POINT:LONG_FRAMES", 0.0)
    return int(long_count) if long_count > max(count, 0) else max(count, 0)


def _points(raw: np.ndarray, scale: float) -> Array:
    points = raw[:, :, :3].astype(np.float64) * scale
    # A negative residual marks a marker that was not seen.
    points[~(raw[:, :, 3] >= 0)] = np.nan
    return points


def _analog(raw: np.ndarray, content: C3dContent, floating: bool) -> Array:
    n_channels = raw.shape[1]
    unsigned = not floating and "UNSIGNED" in " ".join(content.strings("ANALOG:FORMAT")).upper()
    values = (raw.astype(np.uint16) if unsigned else raw).astype(np.float64)
    offset, scale = np.zeros(n_channels), np.ones(n_channels)
    given_offset, given_scale = (
        content.numbers("ANALOG:OFFSET").ravel(),
        content.numbers("ANALOG:SCALE").ravel(),
    )
    offset[: given_offset.size] = (given_offset % 65536 if unsigned else given_offset)[:n_channels]
    scale[: given_scale.size] = given_scale[:n_channels]
    return (values - offset) * scale * content.number("ANALOG:GEN_SCALE", 1.0)
