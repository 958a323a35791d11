"""Contributions: what makes up the hip moment in a walk."""

import marimo

app = marimo.App()


@app.cell
def _():
    import numpy as np

    import borelli as bo

    return bo, np


@app.cell
def _(bo):
    walk = bo.library.sample_walk()
    model = bo.load_model(walk.model)
    shares = bo.contributions(model, bo.load_motion(walk.motion, model), bo.load_loads(walk.loads))
    told = bo.explain(shares, "hip_flexion_r_moment", at="peak", by="kind")
    print(told)
    return (shares,)


@app.cell
def _(bo, shares):
    # The same by body: which segment is it?
    print(bo.explain(shares, "hip_flexion_r_moment", at="peak", by="body"))
    return


@app.cell
def _(np, shares):
    # The sum of all contributions is the moment, to round-off.
    hip = shares["generalized_force"].sel(coordinate="hip_flexion_r").sum("source")
    assert np.allclose(hip, shares["total_generalized_force"].sel(coordinate="hip_flexion_r"))
    return


if __name__ == "__main__":
    app.run()
