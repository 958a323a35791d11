"""Error bars: how sure are joint angles, given noisy markers?"""

import marimo

app = marimo.App()


@app.cell
def _():
    import numpy as np

    import borelli as bo

    return bo, np


@app.cell
def _(bo, np):
    walk = bo.library.sample_walk()
    model = bo.load_model(walk.model)
    # The markers have noise of 0.5 mm in each direction.
    fit = bo.inverse_kinematics(model, bo.load_markers(walk.markers), covariance=0.0005)
    degrees = np.degrees(fit["q_std"].mean("time").to_series()).drop(["pelvis_tx", "pelvis_ty", "pelvis_tz"])
    print(degrees.sort_values().round(2).to_string())
    return fit, model, walk


@app.cell
def _(bo, fit, model, np, walk):
    # The walk is known exactly, so the error bars can be tested: two thirds of all errors should lie within one.
    exact = bo.load_motion(walk.motion, model)
    error = fit["q"].values - exact.q
    inside = float(np.mean(np.abs(error) < fit["q_std"].values))
    print(f"{100 * inside:.0f} % of the errors are within one standard deviation; 68 % were expected.")
    assert 0.6 < inside < 0.76
    return


if __name__ == "__main__":
    app.run()
