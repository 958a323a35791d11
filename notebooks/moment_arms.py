"""Moment arms: which muscles can turn which joint, and how that changes with posture."""

import marimo

app = marimo.App()


@app.cell
def _():
    import matplotlib.pyplot as plt
    import numpy as np

    import borelli as bo

    return bo, np, plt


@app.cell
def _(bo, np):
    model = bo.load_model(bo.library.sample_walk().model)
    angle = np.radians(np.arange(0, 101, 5))
    q = np.zeros((len(angle), len(model.coordinate_names)))
    q[:, model.coordinate_names.index("knee_angle_r")] = angle
    arms = bo.moment_arms(model, bo.Motion.at_rest(model.coordinate_names, q))
    knee = 100 * arms.sel(coordinate="knee_angle_r", path=["vaslat_r", "semimem_r", "gasmed_r"])  # cm
    return angle, knee


@app.cell
def _(angle, knee, np, plt):
    figure, axes = plt.subplots()
    for path in knee["path"].values:
        axes.plot(np.degrees(angle), knee.sel(path=path), label=str(path))
    axes.set(xlabel="knee flexion (degrees)", ylabel="moment arm (cm), flexion positive")
    axes.legend()
    figure
    return


@app.cell
def _(knee):
    # The vasti extend the knee, the hamstrings flex it, in every posture.
    assert float(knee.sel(path="vaslat_r").max()) < 0 < float(knee.sel(path="semimem_r").min())
    return


if __name__ == "__main__":
    app.run()
