"""A walk to learn with: a subject, markers, ground forces and the exact motion, as the files a laboratory has.

The subject is the mean man of de Leva (1996), 73 kg and 1.741 m, with 56 muscles of the legs (architecture of Ward
et al. 2009) and torque generators at trunk, arms and toes. The walk is not recorded: it is a gait in harmonics,
fitted to published curves, and the ground forces are exactly what it asks for. ``tools/walk`` in the repository
makes every file.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from borelli.records import dataclass

_FOLDER = Path(__file__).resolve().parent / "walk"


@dataclass(frozen=True, slots=True)
class SampleWalk:
    """Where the files of the sample walk are.

    Attributes
    ----------
    model : Path
        The subject (``.osim``): 29 coordinates, 56 muscles, 47 markers.
    standing, markers : Path
        Recorded markers (``.trc``, mm, 100 Hz) while standing (0.1 s) and walking (1.9 s), with noise of 0.5 mm.
    motion : Path
        The exact coordinates of the walk (``.mot``, degrees and m).
    loads : Path
        Ground forces on both feet (ExternalLoads ``.xml``, with ``ground_forces.mot`` beside it).

    Examples
    --------
    >>> walk = bo.library.sample_walk()
    >>> isinstance(walk, bo.library.SampleWalk), walk.markers.suffix
    (True, '.trc')
    """

    model: Path
    standing: Path
    markers: Path
    motion: Path
    loads: Path


def sample_walk(folder: str | Path | None = None) -> SampleWalk:
    """Return the files of the sample walk, or copy them to a folder of yours first.

    Parameters
    ----------
    folder : path, optional
        Where to copy them; it is made if it is not there, and files of the same names are replaced. Without it the
        files of the installed package are named, which are not to be changed.

    Returns
    -------
    SampleWalk

    Guarantees, each a test
    -----------------------
    - the exact motion and the ground forces leave less than 0.1 N and 0.1 N m at the pelvis, 0.06 s from the ends
    - the file of the model is what ``tools/walk`` makes of the published tables
    - joint moments and contact forces of hip, knee and ankle lie in published ranges

    Examples
    --------
    >>> import borelli as bo
    >>> walk = bo.library.sample_walk()
    >>> bo.load_model(walk.model).name
    'borelli_walk'
    """
    place = _FOLDER
    if folder is not None:
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        for file in sorted(_FOLDER.iterdir()):
            shutil.copyfile(file, place / file.name)
    return SampleWalk(
        model=place / "subject.osim",
        standing=place / "standing.trc",
        markers=place / "walk.trc",
        motion=place / "walk.mot",
        loads=place / "ground_forces.xml",
    )
