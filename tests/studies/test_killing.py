"""Nothing is lost: workers and client killed, a full disk, two runs at once; results are those of a serial run."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import borelli as bo
from borelli.studies.running import running
from tests.full_disk import no_file_above
from tests.studies.arm_study import write_arm_study

pytest.importorskip("distributed")
SIMPLE = {"more": 'pages = "none"', "bare": True}
KILLS, LONGEST_S = 10, 600.0
CLIENT = """
import sys
import borelli as bo
if __name__ == "__main__":
    found = bo.study(sys.argv[1], out=sys.argv[2], workers=2)
    sys.exit(1 if found.failed else 0)
"""


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a study, by its name; what the study asked for names its own place nowhere."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def serial(tmp_path_factory) -> tuple[Path, dict[str, bytes]]:
    """A study of 60 trials, and every file of its results when run in one process."""
    path = write_arm_study(tmp_path_factory.mktemp("killed"), 5, 6, **SIMPLE)
    found = bo.study(path, out=path.parent / "serial")
    assert found.computed == 60 and not found.failed
    return path, contents(path.parent / "serial")


def start(script: Path, study: Path, out: Path) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen([sys.executable, script, study, out], env=environment, cwd=script.parent)


def done(out: Path) -> int:
    return len(list(out.glob("trials/*/*/*/result.json")))


def moments(client: subprocess.Popen[bytes]) -> Iterator[None]:
    """Short moments, for as long as a client may take."""
    end = time.monotonic() + LONGEST_S
    while time.monotonic() < end and client.poll() is None:
        yield
        time.sleep(0.01)


def test_killed_workers_and_a_killed_client_lose_nothing(serial, tmp_path):
    study, expected = serial
    script, out = tmp_path / "client.py", tmp_path / "out"
    script.write_text(CLIENT)
    chance = random.Random(3)
    client = start(script, study, out)
    killed = []
    for _ in moments(client):
        now = running(out) if out.is_dir() else []
        if now and len(killed) < KILLS // 2 and done(out) >= 3 * len(killed):
            victim = chance.choice(now).process
            assert victim != client.pid
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)
        elif len(killed) == KILLS // 2 and now:
            client.kill()
    assert client.wait() == -signal.SIGKILL and 0 < done(out) < 60
    client = start(script, study, out)
    before = done(out)
    for _ in moments(client):
        now = running(out)
        if now and len(killed) < KILLS and done(out) >= before + 3 * (len(killed) - KILLS // 2):
            victim = chance.choice(now).process
            if victim not in killed:
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)
    assert client.wait() == 0 and len(killed) == KILLS
    assert contents(out) == expected
    assert not [path for path in out.rglob("*") if ".borelli-" in path.name]


def test_two_runs_at_once_in_one_folder_share_the_work_and_spoil_nothing(serial, tmp_path):
    study, expected = serial
    script, out = tmp_path / "client.py", tmp_path / "out"
    script.write_text(CLIENT.replace("workers=2", "workers=0"))
    both = [start(script, study, out) for _ in range(2)]
    assert [client.wait(LONGEST_S) for client in both] == [0, 0]
    assert contents(out) == expected


def test_a_full_disk_loses_nothing_and_the_same_command_goes_on_when_there_is_room(tmp_path):
    study = write_arm_study(tmp_path, 1, 2, **SIMPLE)
    bo.study(study, out=tmp_path / "roomy")
    out = tmp_path / "out"
    # Results are larger than this, the markers of running trials and the study's design are not.
    with no_file_above(20_000):
        found = bo.study(study, out=out)
    assert len(found.failed) == 4 and "make sure that the disk is not full" in found.failed[0].error
    assert found.result is None and not [path for path in out.rglob("*") if ".borelli-" in path.name]
    again = bo.study(study, out=out)
    assert not again.failed and contents(out) == contents(tmp_path / "roomy")
