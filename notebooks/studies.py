"""Studies: several walks as one data set."""

import marimo

app = marimo.App()


@app.cell
def _():
    import tempfile
    from pathlib import Path

    import borelli as bo

    return Path, bo, tempfile


@app.cell
def _(Path, bo, tempfile):
    # Two subjects with the same walk; take yours in their place.
    folder = Path(tempfile.mkdtemp())
    for subject in ("s01", "s02"):
        bo.library.sample_walk(folder / "data" / subject)
    (folder / "study.toml").write_text(
        """
out = "results"
pages = "none"
outputs = ["knee_angle_r_moment", "ankle_angle_r_moment"]
[trials]
model = "data/{subject}/subject.osim"
motion = "data/{subject}/walk.mot"
loads = "data/{subject}/ground_forces.xml"
[analysis]
muscles = "none"
cutoff_hz = 10.0
[cycles]
by = "contact"
side = "foot_r"
""",
        encoding="utf-8",
    )
    return (folder,)


@app.cell
def _(bo, folder):
    run = bo.study(folder / "study.toml")
    print(f"{len(run.entries)} trials, {len(run.failed)} failed")
    assert len(run.entries) == 2 and not run.failed
    return


if __name__ == "__main__":
    app.run()
