"""Sine and cosine of lanes, by argument reduction and polynomials.

The angle is brought to [-pi/4, pi/4] by subtracting a multiple of pi/2 in three parts (Cody & Waite 1980);
there the polynomials of Cephes (Moshier 2000, sin.c) are exact to the last bit or two. The parts of pi/2, those
of fdlibm (Sun Microsystems 1993), have 33 bits, so that products with multiples below 2^20 are exact: this bounds
the angle by :data:`LARGEST_ANGLE`. Larger magnitudes are recorded in a cell that a kernel reports as its status, and
the caller computes that motion with the NumPy back end instead.
"""

from __future__ import annotations

import functools
from typing import Any

from llvmlite import ir

from borelli.kernels.lanes.code.values import FLOAT, INTEGER, Emitter, Lanes, Number

LARGEST_ANGLE = 6.0e5
"""Magnitude (rad) up to which sine and cosine are right to 4e-16."""

# pio2_1, pio2_2 and pio2_2t of fdlibm; sincof and coscof of Cephes, from the highest power down.
_PI_HALF = (1.57079632673412561417e00, 6.07710050630396597660e-11, 2.02226624879595063154e-21)
_SINE = (
    1.58962301576546568060e-10,
    -2.50507477628578072866e-8,
    2.75573136213857245213e-6,
    -1.98412698295895385996e-4,
    8.33333333332211858878e-3,
    -1.66666666666666307295e-1,
)
_COSINE = (
    -1.13585365213876817300e-11,
    2.08757008419747316778e-9,
    -2.75573141792967388112e-7,
    2.48015872888517045348e-5,
    -1.38888888888730564116e-3,
    4.16666666666665929218e-2,
)
# Adding this number pushes the fraction out of the mantissa: what remains is the nearest whole number.
_ROUNDING = 6755399441055744.0
_SIGN_BIT = -(1 << 63)


def sine_and_cosine(angle: Lanes) -> tuple[Lanes, Lanes]:
    """Return sine and cosine of an angle (rad), lane by lane."""
    emitter, width = angle.emitter, angle.width
    builder, bits = emitter.builder, ir.VectorType(INTEGER, width)

    def whole(value: int) -> Any:
        return ir.Constant(bits, [value] * width)

    def with_sign(value: Lanes, mask: Any) -> Lanes:
        flipped = builder.xor(builder.bitcast(value.ir, bits), builder.and_(mask, whole(_SIGN_BIT)))
        return Lanes(emitter, builder.bitcast(flipped, ir.VectorType(FLOAT, width)), width)

    _record(emitter, angle)
    shifted = angle * (2.0 / 3.14159265358979323846) + _ROUNDING
    quarter_turns = shifted - _ROUNDING
    rest = angle
    for part in _PI_HALF:
        rest = rest - quarter_turns * part
    square = rest * rest
    sine = _horner(_SINE, square) * square * rest + rest
    cosine = (_horner(_COSINE, square) * square - 0.5) * square + 1.0
    quadrant = builder.bitcast(shifted.ir, bits)
    odd = builder.icmp_signed("<", builder.shl(quadrant, whole(63)), whole(0))
    first = Lanes(emitter, builder.select(odd, cosine.ir, sine.ir), width)
    second = Lanes(emitter, builder.select(odd, sine.ir, cosine.ir), width)
    following = builder.add(quadrant, whole(1))
    return with_sign(first, builder.shl(quadrant, whole(62))), with_sign(
        second, builder.shl(following, whole(62))
    )


def _horner(coefficients: tuple[float, ...], x: Lanes) -> Lanes:
    value: Number = coefficients[0]
    for coefficient in coefficients[1:]:
        value = x * value + coefficient
    assert isinstance(value, Lanes)
    return value


def start_recording_angles(emitter: Emitter) -> None:
    """Open the cell that collects the largest magnitude of all angles; call once, at kernel entry."""
    emitter.largest_angle = emitter.builder.alloca(ir.VectorType(FLOAT, emitter.width))
    emitter.builder.store(emitter.lanes(0.0).ir, emitter.largest_angle)


def _record(emitter: Emitter, angle: Lanes) -> None:
    if emitter.largest_angle is None:
        return
    for start in range(0, angle.width, emitter.width):
        part = angle
        if angle.width != emitter.width:
            order = list(range(start, start + emitter.width))
            part = Lanes(emitter, emitter.shuffle(angle.ir, angle.ir, order), emitter.width)
        known = Lanes(emitter, emitter.builder.load(emitter.largest_angle), emitter.width)
        emitter.builder.store(part.absolute().at_least(known).ir, emitter.largest_angle)


def angles_were_too_large(emitter: Emitter) -> Any:
    """Return an IR integer: 1 where an angle exceeded the range of the polynomials, else 0."""
    builder = emitter.builder
    known = builder.load(emitter.largest_angle)
    parts = [
        builder.extract_element(known, ir.Constant(ir.IntType(32), lane)) for lane in range(emitter.width)
    ]
    worst = functools.reduce(lambda a, b: builder.select(builder.fcmp_ordered(">", a, b), a, b), parts)
    return builder.zext(builder.fcmp_ordered(">", worst, ir.Constant(FLOAT, LARGEST_ANGLE)), INTEGER)
