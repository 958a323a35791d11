"""First walk: from markers to joint forces, step by step."""

import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo
    import numpy as np

    import borelli as bo

    return bo, mo, np


@app.cell
def _(mo):
    mo.md("# First walk\nFrom markers to joint forces, with the trial that ships with Borelli.")
    return


@app.cell
def _(bo):
    walk = bo.library.sample_walk()
    model = bo.load_model(walk.model)
    fit = bo.inverse_kinematics(model, bo.load_markers(walk.markers))
    f"{fit.sizes['marker']} markers are met within {1e3 * float(fit['rms_error'].mean()):.1f} mm."
    return model, walk


@app.cell
def _(bo, model, walk):
    motion = bo.load_motion(walk.motion, model)
    loads = bo.load_loads(walk.loads)
    muscles = bo.muscle_forces(model, motion, loads, reserves=1.0)
    muscles["force"].max("time").to_series().nlargest(8).round(0)
    return loads, motion, muscles


@app.cell
def _(bo, loads, model, motion, muscles, np):
    weight = 9.80665 * sum(float(body.mass) for body in model.bodies)
    force = bo.joint_reactions(model, motion, loads, tensions=muscles)["force"]
    peaks = {
        joint: round(float(np.linalg.norm(force.sel(joint=joint), axis=1).max()) / weight, 2)
        for joint in ("hip_r", "knee_r", "ankle_r")
    }
    # Contact forces in body weights; instrumented hips and knees bear 2 to 4.
    peaks
    return (peaks,)


@app.cell
def _(peaks):
    assert 1.8 < peaks["knee_r"] < 4.2
    return


if __name__ == "__main__":
    app.run()
