"""Nothing is lost: workers and client killed, a full disk, two runs at once; results are those of a serial run."""

from __future__ import annotations

import importlib.util
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.cli.terminal.study_progress import StudyBar
from borelli.errors import InvalidValueError, UnsolvableError
from borelli.studies.dask_engine import MOST_TOGETHER, run_some, together
from borelli.studies.preload import LIBRARIES
from borelli.studies.running import running
from tests.full_disk import no_file_above
from tests.studies.arm_study import QUICK, write_arm_study
from tests.studies.client import start

distributed = pytest.importorskip("distributed")
KILLS, LONGEST_S = 10, 600.0


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a study, by its name; what the study asked for names its own place nowhere."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def unlike(folder: Path, expected: dict[str, bytes]) -> dict[str, tuple[bytes, bytes]]:
    """Files of a study that are not as expected: what surrounds the first byte that differs, here and there."""
    found = contents(folder)
    told = {}
    for name in sorted(found.keys() | expected.keys()):
        one, other = found.get(name, b"(missing)"), expected.get(name, b"(missing)")
        if one != other:
            shorter = min(len(one), len(other))
            at = next((k for k in range(shorter) if one[k] != other[k]), shorter)
            told[name] = one[max(at - 40, 0) : at + 40], other[max(at - 40, 0) : at + 40]
    return told


@pytest.fixture(scope="module")
def serial(tmp_path_factory) -> tuple[Path, dict[str, bytes]]:
    """A study of 60 trials, and every file of its results when run in one process."""
    path = write_arm_study(tmp_path_factory.mktemp("killed"), 5, 6, **QUICK)
    found = bo.study(path, out=path.parent / "serial")
    assert found.computed == 60 and not found.failed
    return path, contents(path.parent / "serial")


def done(out: Path) -> int:
    return len(list(out.glob("trials/*/*/[!.]*/result.json")))


def moments(client: BaseProcess) -> Iterator[None]:
    """Short moments, for as long as a client may take."""
    end = time.monotonic() + LONGEST_S
    while time.monotonic() < end and client.is_alive():
        yield
        time.sleep(0.01)


def ended(client: BaseProcess) -> int | None:
    """How a client ended."""
    client.join(LONGEST_S)
    return client.exitcode


def test_killed_workers_and_a_killed_client_lose_nothing(serial, tmp_path):
    study, expected = serial
    out, chance = tmp_path / "out", random.Random(3)
    client = start(study, out)
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
    assert ended(client) == -signal.SIGKILL and 0 < done(out) < 60
    client = start(study, out)
    before = done(out)
    for _ in moments(client):
        now = running(out)
        if now and len(killed) < KILLS and done(out) >= before + 3 * (len(killed) - KILLS // 2):
            victim = chance.choice(now).process
            if victim not in killed:
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)
    assert ended(client) == 0 and len(killed) == KILLS
    assert not unlike(out, expected)
    assert not [path for path in out.rglob("*") if ".borelli-" in path.name]


@pytest.fixture(scope="module")
def few(tmp_path_factory) -> tuple[Path, dict[str, bytes]]:
    """A study of 12 trials, and every file of its results when run in one process."""
    path = write_arm_study(tmp_path_factory.mktemp("few"), 2, 3, **QUICK)
    assert not bo.study(path, out=path.parent / "serial", threads=2).failed
    return path, contents(path.parent / "serial")


def test_two_runs_at_once_in_one_folder_share_the_work_and_spoil_nothing(few, tmp_path):
    study, expected = few
    both = [start(study, tmp_path / "out", workers=0) for _ in range(2)]
    assert [ended(client) for client in both] == [0, 0]
    assert not unlike(tmp_path / "out", expected)


TOLD = r"Interrupted after \d+ trials\. What was computed is kept: the same command computes the rest\.\n"


def goes_on(few: tuple[Path, dict[str, bytes]], out: Path) -> None:
    study, expected = few
    kept = done(out)
    assert 3 <= kept < 12 and not running(out)
    found = bo.study(study, out=out)
    assert found.computed == 12 - kept and not unlike(out, expected)


def test_what_is_interrupted_by_hand_says_so_and_the_same_command_computes_the_rest(
    few, tmp_path, monkeypatch, capsys
):
    class Impatient(StudyBar):
        def ended(self, receipt):
            super().ended(receipt)
            if self.trials_ended == 3:
                signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("borelli.cli.study.StudyBar", Impatient)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(SystemExit) as end:
            main(["study", str(few[0]), "--out", str(tmp_path / "out"), "--workers", "0"])
    finally:
        signal.signal(signal.SIGINT, before)
    assert end.value.code == 130 and re.fullmatch(TOLD, capsys.readouterr().err)
    goes_on(few, tmp_path / "out")


def test_workers_that_are_interrupted_with_the_client_keep_silent(few, tmp_path):
    out = tmp_path / "out"
    # Where a shell runs tests in the background, they would not hear it.
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += "from borelli.cli.main import main; main()"
    client = subprocess.Popen(
        [sys.executable, "-c", code, "study", few[0], "--out", out, "--workers", "2"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    while client.poll() is None and done(out) < 3:
        time.sleep(0.01)
    # As a terminal does it: all processes of the group.
    os.killpg(client.pid, signal.SIGINT)
    told = client.communicate(timeout=LONGEST_S)[1]
    assert client.returncode == 130 and re.fullmatch(TOLD, told), told
    goes_on(few, out)


def test_a_cluster_that_exists_computes_the_same(few, tmp_path, capsys):
    study, expected = few
    with distributed.LocalCluster(n_workers=0, protocol="tcp", dashboard_address="127.0.0.1:0") as cluster:
        address = cluster.scheduler_address
        worker = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "dask",
                "worker",
                address,
                "--no-nanny",
                "--nthreads",
                "2",
                "--no-dashboard",
            ],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stderr=subprocess.DEVNULL,
        )
        try:
            assert address.startswith("tcp://")
            with distributed.Client(cluster) as client:
                client.wait_for_workers(1)
            words = ["study", study, "--out", tmp_path / "out", "--scheduler", address]
            with pytest.raises(SystemExit) as end:
                main([*map(str, words)])
        finally:
            worker.kill()
            worker.wait()
    assert end.value.code == 0, capsys.readouterr().err
    assert not unlike(tmp_path / "out", expected)
    told = capsys.readouterr().err
    assert "workers of the cluster have up to 2 threads, and trials of one process take turns" in told
    with pytest.raises(InvalidValueError, match="No Dask scheduler answers at 'nowhere'"):
        bo.study(study, out=tmp_path / "out", scheduler="nowhere")
    with pytest.raises(SystemExit):
        main([*map(str, words), "--workers", "2"])
    assert "--workers and --scheduler cannot be combined" in capsys.readouterr().err


def test_what_workers_have_loaded_beforehand_is_there():
    # A name that is wrong would only make them slower.
    assert all(importlib.util.find_spec(name) for name in LIBRARIES)


def test_a_scheduler_that_is_gone_is_told_with_what_to_do(few, tmp_path):
    # Nobody works for it, so that it is waited for until it ends.
    cluster = distributed.LocalCluster(n_workers=0, protocol="tcp", dashboard_address="127.0.0.1:0")
    end = threading.Timer(0.5, cluster.close)

    class Begun(bo.Watcher):
        def planned(self, plan, engine, now):
            end.start()

    with pytest.raises(
        UnsolvableError, match=r"The scheduler is gone\.\n.*\n  Remedy:  run the same command again"
    ):
        bo.study(few[0], out=tmp_path / "out", scheduler=cluster.scheduler_address, watcher=Begun())
    end.join()


def test_a_full_disk_loses_nothing_and_the_same_command_goes_on_when_there_is_room(tmp_path):
    study = write_arm_study(tmp_path, 1, 2, **QUICK)
    bo.study(study, out=tmp_path / "roomy")
    out = tmp_path / "out"
    # Results are larger than this, the markers of running trials and the study's design are not.
    with no_file_above(20_000):
        found = bo.study(study, out=out)
    assert len(found.failed) == 4 and "could not be written: File too large" in found.failed[0].error
    assert found.result is None and not [path for path in out.rglob("*") if ".borelli-" in path.name]
    again = bo.study(study, out=out)
    assert not again.failed and not unlike(out, contents(tmp_path / "roomy"))


def test_short_trials_travel_together_and_the_last_alone():
    # A fifth of a second each: five at a time while there are many, fewer towards the end, one where trials are long.
    assert [together(0.2, waiting, 8) for waiting in (1000, 40, 20, 8, 1)] == [5, 5, 2, 1, 1]
    assert together(30.0, 1000, 8) == 1 and together(0.0, 10_000, 8) == MOST_TOGETHER


def test_trials_that_travel_together_are_given_back_when_their_time_is_over(monkeypatch):
    assert run_some(str, [1, 2, 3]) == ["1", "2", "3"]
    monkeypatch.setattr("borelli.studies.dask_engine.TOGETHER_S", 0.0)
    assert run_some(str, [1, 2, 3]) == ["1"]


def test_a_script_that_new_processes_would_run_again_is_told_what_to_do(tmp_path):
    study = write_arm_study(tmp_path)
    script = tmp_path / "script.py"
    script.write_text(f"import borelli as bo\nbo.study({str(study)!r}, workers=1)\n")
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 1
    assert "UnsolvableError: no process could be started" in ended.stderr
    assert 'under if __name__ == "__main__":' in ended.stderr
