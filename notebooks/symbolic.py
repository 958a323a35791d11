"""Symbolic: the equations of motion of a two-link arm as formulas."""

import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    from borelli import planar

    return mo, planar


@app.cell
def _(mo, planar):
    equations = planar.equations(2, space="joint")
    mo.md("$$" + equations.latex().replace("\n", " ") + "$$") if len(
        equations.latex()
    ) < 4000 else equations.latex()
    return (equations,)


@app.cell
def _(equations):
    # How many terms does the torque of each joint have?
    counts = {joint: equations.term_count(joint) for joint in (1, 2)}
    print(counts)
    assert counts[1] > counts[2]
    return


if __name__ == "__main__":
    app.run()
