"""From coordinates to node variables and back: functions, balls, hinge angles, couplings."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from borelli.kernels.lanes.code.control import Cells, Switch, count_up
from borelli.kernels.lanes.code.record_views import FloatRecord, IntegerRecord
from borelli.kernels.lanes.code.sincos import sine_and_cosine
from borelli.kernels.lanes.code.values import INTEGER, Doubles, Integer, Lanes
from borelli.kernels.lanes.code.workspace import Workspace
from borelli.kernels.lanes.passes.tables import Tables
from borelli.kernels.lanes.tables.record_types import (
    ARC,
    BALLS,
    COUPLING,
    DEGREES,
    FACTOR,
    FUNCTION,
    HINGES,
    MONOMIAL,
    ON_ANGLES,
    ON_ELLIPSOID,
    ON_QUATERNION,
    POLYNOMIAL,
    SINE,
)
from borelli.kernels.lanes.tables.variants import NODE_CONSTANTS
from borelli.kernels.tree.arc import DEGREE, arc_ends, by_cosine
from borelli.kernels.tree.functions import (
    CoordinateFunction,
    Derivatives,
    PiecewisePolynomial,
    Sine,
    product_rates,
    rates_along,
)
from borelli.kernels.tree.joint_maps import BallMap
from borelli.kernels.tree.numbers import Number, cos


class TableFunction:
    """A function of one coordinate whose polynomials are found, lane by lane, in a table.

    The table holds the borders between the intervals, then for each interval the origin and the coefficients
    in ascending powers.
    """

    arguments = (0,)

    def __init__(self, data: Doubles, first: Integer, intervals: Integer, degree: int) -> None:
        self._data = data
        self._first = first
        self._intervals = intervals
        self._degree = degree

    def derivatives(self, coordinates: tuple[Number, ...]) -> Derivatives:
        """Look the polynomial up and evaluate it."""
        x = coordinates[0]
        origin, *powers = self._look_up(x)
        return PiecewisePolynomial.polynomial(x - origin, powers)

    def _look_up(self, x: Lanes) -> list[Lanes]:
        """Return origin and coefficients of the interval of each lane."""
        data, emitter = self._data, x.emitter
        n_columns = self._degree + 2
        records = self._first + self._intervals - 1
        if self._degree == 1:
            return [data.spread(records + k) for k in range(n_columns)]
        below = self._count_breaks_below(x)
        lanes = [emitter.builder.extract_element(below, _lane(k)) for k in range(x.width)]
        starts = [records + Integer(emitter, lane) * n_columns for lane in lanes]
        return [_gather(data, [start + k for start in starts]) for k in range(n_columns)]

    def _count_breaks_below(self, x: Lanes) -> Any:
        """Return, in each lane, how many borders do not exceed x."""
        emitter, builder = x.emitter, x.emitter.builder
        kind = ir.VectorType(INTEGER, x.width)
        cell = emitter.cell(kind)
        builder.store(ir.Constant(kind, [0] * x.width), cell)
        with count_up(emitter, self._first, self._first + self._intervals - 1) as k:
            border = self._data.spread(k)
            reached = builder.fcmp_ordered(">=", x.ir, border.ir)
            builder.store(builder.add(builder.load(cell), builder.zext(reached, kind)), cell)
        return builder.load(cell)


def _lane(k: int) -> Any:
    return ir.Constant(ir.IntType(32), k)


def _gather(data: Doubles, places: list[Integer]) -> Lanes:
    emitter = data.emitter
    vector = ir.Constant(ir.VectorType(ir.DoubleType(), len(places)), ir.Undefined)
    for k, place in enumerate(places):
        vector = emitter.builder.insert_element(vector, data.scalar(place), _lane(k))
    return Lanes(emitter, vector, len(places))


def function_pass(tables: Tables, work: Workspace, rates: bool) -> None:
    """Evaluate all functions of one coordinate: value, slope and, if asked for, time derivatives."""
    data = tables.function_data
    with count_up(work.emitter, 0, tables.header("n_functions")) as i:
        record = IntegerRecord(FUNCTION, tables.functions, i)
        with Switch(record("code")) as switch:
            for degree in DEGREES:
                with switch.case(degree):
                    first, intervals = record("data"), record("intervals")
                    _evaluate(TableFunction(data, first, intervals, degree), record, work.fresh(), rates)
            with switch.case(SINE):
                constants = [data.spread(record("data") + k) for k in range(4)]
                _evaluate(Sine((0,), *constants), record, work.fresh(), rates)


def _evaluate(function: CoordinateFunction, record: IntegerRecord, at: Workspace, rates: bool) -> None:
    found = function.derivatives((at.load(record("x")),))
    at.store(record("value"), found[0])
    at.store(record("slope"), found[1][0])
    if rates:
        u, udot = at.load(record("u")), at.load(record("udot"))
        _, rate, acceleration = rates_along(found, (u,), (udot,))
        at.store(record("rate"), rate)
        at.store(record("acceleration"), acceleration)


def polynomial_pass(tables: Tables, work: Workspace) -> None:
    """Sum up the monomials of all functions of several coordinates, with two time derivatives."""
    emitter = work.emitter
    with count_up(emitter, 0, tables.header("n_polynomials")) as i:
        record = IntegerRecord(POLYNOMIAL, tables.polynomials, i)
        total = Cells(emitter, 3)
        total.set((0.0, 0.0, 0.0))
        with count_up(emitter, record("first"), record("last")) as k:
            term = _monomial(tables, work, IntegerRecord(MONOMIAL, tables.monomials, k))
            total.set([a + b for a, b in zip(total.get(), term, strict=True)])
        work.fresh().store_numbers(record("target"), total.get())


def _monomial(tables: Tables, work: Workspace, record: IntegerRecord) -> tuple[Lanes, ...]:
    emitter = work.emitter
    product = Cells(emitter, 3)
    product.set((tables.function_data.spread(record("coefficient")), 0.0, 0.0))
    with count_up(emitter, record("first"), record("last")) as k:
        factor, at = IntegerRecord(FACTOR, tables.factors, k), work.fresh()
        x, u, udot = (at.load(factor(name)) for name in ("x", "u", "udot"))
        value, rate, acceleration = product.get()
        product.set(product_rates((value, rate, acceleration), (x, u, udot)))
    return product.get()


def ball_pass(tables: Tables, work: Workspace, rates: bool) -> None:
    """Rotation matrices of balls, and what of their rates is not a speed itself, if asked for."""
    with count_up(work.emitter, 0, tables.header("n_balls")) as i:
        record = IntegerRecord(BALLS, tables.balls, i)
        with Switch(record("kind")) as switch:
            for kind in (ON_ANGLES, ON_QUATERNION, ON_ELLIPSOID):
                with switch.case(kind):
                    x, y, z = (tables.ball_data.spread(i * 3 + k) for k in range(3))
                    radii = (x, y, z) if kind == ON_ELLIPSOID else None
                    _turn_ball(BallMap(kind == ON_QUATERNION, radii=radii), record, work.fresh(), rates)


def _turn_ball(joint: BallMap, record: IntegerRecord, at: Workspace, rates: bool) -> None:
    q = tuple(at.load(record("q", k)) for k in range(joint.n_coordinates))
    u, udot = (tuple(at.load(record(name, k)) for k in range(3)) if rates else None for name in ("u", "udot"))
    (variables,) = joint.variables(q, u, udot)
    at.store_numbers(record("turn"), variables.turn)
    if rates and not joint.quaternion:
        at.store_numbers(record("rate"), variables.turn_rate)
        at.store_numbers(record("acceleration"), variables.turn_acceleration)
    if joint.radii is None:
        return
    at.store_numbers(record("shift"), variables.shift)
    if rates:
        at.store_numbers(record("shift"), (*variables.shift_rate, *variables.shift_acceleration), 3)
    for k, (unit,) in enumerate(joint.unit_rates(q)):
        at.store_numbers(record("shift_slope"), unit.shift, 3 * k)


def arc_pass(tables: Tables, work: Workspace, rates: bool) -> None:
    """Ends of segments that bend: place, slopes and, if asked for, time derivatives."""
    data = tables.function_data
    with count_up(work.emitter, 0, tables.header("n_arcs")) as i:
        record, at = IntegerRecord(ARC, tables.arcs, i), work.fresh()
        first = record("data")
        a, b = (at.load(record("q", k)) + data.spread(first + k) for k in range(2))
        step = 2.0 * (cos(a) * cos(b)) - 1.0
        f, g = (by_cosine(_power_series(data, first + 3 + k * (DEGREE + 1), step)) for k in range(2))
        ends = arc_ends(a, b, data.spread(first + 2), f, g)
        at.store_numbers(record("shift"), [value for value, _, _ in ends])
        for k, (_, slopes, _) in enumerate(ends):
            for j, slope in enumerate(slopes):
                at.store_numbers(record("slope"), (slope,), 3 * j + k)
        if rates:
            u, udot = (tuple(at.load(record(name, k)) for k in range(2)) for name in ("u", "udot"))
            for k, end in enumerate(ends):
                _, rate, acceleration = rates_along(end, u, udot)
                at.store_numbers(record("shift"), (rate,), 3 + k)
                at.store_numbers(record("shift"), (acceleration,), 6 + k)


def _power_series(data: Doubles, first: Integer, step: Lanes) -> Derivatives:
    """Evaluate a polynomial whose coefficients stand in ascending powers: a loop, because it is long."""
    emitter = step.emitter
    cells = Cells(emitter, 3)
    cells.set((data.spread(first + DEGREE), 0.0, 0.0))
    with count_up(emitter, 0, DEGREE) as k:
        value, slope, half = cells.get()
        # As in PiecewisePolynomial.polynomial: the last coefficient first.
        coefficient = data.spread(first + (DEGREE - 1) - k)
        cells.set((value * step + coefficient, slope * step + value, half * step + slope))
    value, slope, half = cells.get()
    return value, (slope,), (2.0 * half,)


def hinge_pass(tables: Tables, work: Workspace) -> None:
    """Sine and cosine of all hinge angles."""
    with count_up(work.emitter, 0, tables.header("n_hinges")) as i:
        record = IntegerRecord(HINGES, tables.hinges, i)
        constants = FloatRecord(NODE_CONSTANTS, tables.constants, record("node"))
        at = work.fresh()
        sine, cosine = sine_and_cosine(at.load(record("angle")) + constants("phase"))
        at.store_numbers(record("turn"), (sine, cosine))


def coupling_pass(tables: Tables, work: Workspace) -> None:
    """Carry forces on node variables back to the speeds they are functions of."""
    emitter = work.emitter
    with count_up(emitter, 0, tables.header("n_uncoupled")) as i:
        work.fill(tables.uncoupled[i], 1, 0.0)
    with count_up(emitter, 0, tables.header("n_couplings")) as i:
        record = IntegerRecord(COUPLING, tables.couplings, i)
        at = work.fresh()
        force = at.load(record("source")) * at.load(record("slope"))
        at.add_numbers(record("target"), (force,))
