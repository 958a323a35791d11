"""Formats whose files keep their form: models, setups, trials, planar chains and results, with the content changed."""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.fuzz.mutate import mutated
from tests.fuzz.questions import chain_answers, model_answers, result_is_whole_or_refused, setup_stays_home
from tests.fuzz.runs import ANALYZE as RUN
from tests.fuzz.runs import DYNAMICS, run_reader
from tests.fuzz.structured import json_mutated, toml_mutated, xml_mutated

Mutation = Callable[[bytes, random.Random], bytes]
Format = tuple[list[bytes], Callable[[bytes], Any], Mutation]

ANALYZE = b"""<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="40000"><AnalyzeTool name="walk"><model_file>arm26.osim</model_file>
 <replace_force_set>false</replace_force_set><force_set_files>reserves.xml</force_set_files>
 <results_directory>Results</results_directory><output_precision>8</output_precision>
 <initial_time>0.1</initial_time><final_time>0.9</final_time>
 <solve_for_equilibrium_for_auxiliary_states>false</solve_for_equilibrium_for_auxiliary_states>
 <AnalysisSet><objects>
  <JointReaction name="JRA"><on>true</on><step_interval>1</step_interval><in_degrees>true</in_degrees>
   <forces_file>forces.sto</forces_file><joint_names>ALL</joint_names><apply_on_bodies>child</apply_on_bodies>
   <express_in_frame>ground</express_in_frame></JointReaction>
  <StaticOptimization name="SO"><on>true</on><use_model_force_set>true</use_model_force_set>
   <activation_exponent>2</activation_exponent><use_muscle_physiology>true</use_muscle_physiology>
   <optimizer_convergence_criterion>0.0001</optimizer_convergence_criterion></StaticOptimization>
  <BodyKinematics name="BK"><bodies>all</bodies><express_results_in_body_local_frame>false
   </express_results_in_body_local_frame></BodyKinematics>
  <MuscleAnalysis name="MA"><muscle_list>all</muscle_list><compute_moments>true</compute_moments></MuscleAnalysis>
  <PointKinematics name="PK"><body_name>hand</body_name><point_name>tip</point_name>
   <point>0 0 0</point></PointKinematics>
 </objects></AnalysisSet><external_loads_file>loads.xml</external_loads_file>
 <coordinates_file>walk.mot</coordinates_file>
 <lowpass_cutoff_frequency_for_coordinates>6</lowpass_cutoff_frequency_for_coordinates>
</AnalyzeTool></OpenSimDocument>
"""
TRIAL = b"""model = "arm26.osim"
motion = "walk.mot"
loads = "loads.xml"
out = "results"

[options]
cutoff_hz = 6.0
muscles = "shared"
"""
CHAIN = b"""{"links": [{"name": "thigh", "length": 0.43, "mass": 7.2, "inertia": 0.11, "com": [0.19, 0.01]},
 {"name": "shank", "length": 0.43, "mass": 3.0, "inertia": 0.05, "com": [0.2, 0.0]}],
 "theta": [0.3, 0.5], "gravity": [0, -9.81]}
"""


def _model_reader(folder: Path, name: str) -> Callable[[bytes], Any]:
    from borelli.io.load_model import load_model

    def read(data: bytes) -> Any:
        path = folder / name
        path.write_bytes(data)
        return model_answers(load_model(path), data)

    return read


def _file_reader(folder: Path, name: str, read: Callable[[Path], Any]) -> Callable[[bytes], Any]:
    def from_bytes(data: bytes) -> Any:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return read(path)

    return from_bytes


def _model_toml(folder: Path, model: bytes) -> bytes:
    from borelli.io.load_model import load_model
    from borelli.io.toml.model_toml import model_to_toml

    (folder / "seed.osim").write_bytes(model)
    return model_to_toml(load_model(folder / "seed.osim")).encode()


def _chain_reader(data: bytes) -> Any:
    from borelli.io.planar.chain_file import parse_chain

    return chain_answers(parse_chain(data))


# A result is three parts: the manifest, the data, and whether the hash of the data is mended.
_PARTS = struct.Struct("<II?")


def _packed(manifest: bytes, data: bytes, mend: bool) -> bytes:
    return _PARTS.pack(len(manifest), len(data), mend) + manifest + data


def _result_mutated(seed: bytes, rng: random.Random) -> bytes:
    size, _, _ = _PARTS.unpack_from(seed)
    manifest, data = seed[_PARTS.size : _PARTS.size + size], seed[_PARTS.size + size :]
    if rng.random() < 0.6:
        manifest = json_mutated(manifest, rng) if rng.random() < 0.8 else mutated(manifest, rng)
        return _packed(manifest, data, False)
    changed = bytearray(data)
    for _ in range(rng.choice((1, 2, 5, 20))):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return _packed(manifest, bytes(changed), rng.random() < 0.7)


def _result_format(folder: Path) -> Format:
    from borelli.results.saving.manifest import DATA, MANIFEST, listed
    from borelli.results.saving.save import save_result
    from tests.results.problems import result

    place = save_result(result().isel(time=slice(0, 3)), folder / "result", tables=())
    seed = _packed((place / MANIFEST).read_bytes(), (place / DATA).read_bytes(), False)

    def read(packed: bytes) -> Any:
        size, _, mend = _PARTS.unpack_from(packed)
        manifest, data = packed[_PARTS.size : _PARTS.size + size], packed[_PARTS.size + size :]
        (place / DATA).write_bytes(data)
        if mend:
            manifest = json.dumps(json.loads(manifest) | {"files": {DATA: listed(place / DATA)}}).encode()
        (place / MANIFEST).write_bytes(manifest)
        return result_is_whole_or_refused(place, packed)

    return [seed], read, _result_mutated


def tree_formats(folder: Path) -> dict[str, Format]:
    """Return, for each format, sound files, the reader that takes bytes, and how they are changed."""
    from borelli.io.toml.trial_toml import load_trial
    from tests.fuzz.seeds import MODEL, SETUP, _models

    everything = _models(folder)
    return {
        "osim tree": ([MODEL, *everything], _model_reader(folder, "tree.osim"), xml_mutated),
        "setup tree": (
            [SETUP, ANALYZE],
            _file_reader(folder, "study/trial/setup/setup.xml", setup_stays_home),
            xml_mutated,
        ),
        "setup run": ([DYNAMICS, RUN], run_reader(folder), xml_mutated),
        "model toml": ([_model_toml(folder, MODEL)], _model_reader(folder, "tree.toml"), toml_mutated),
        "trial toml": ([TRIAL], _file_reader(folder, "trial.toml", load_trial), toml_mutated),
        "planar json": ([CHAIN], _chain_reader, json_mutated),
        "result": _result_format(folder),
    }


def all_formats(folder: Path) -> dict[str, Format]:
    """Every format: damaged byte by byte, then those whose files keep their form."""
    from tests.fuzz.seeds import formats

    plain = {name: (seeds, read, mutated) for name, (seeds, read) in formats(folder).items()}
    return {**plain, **tree_formats(folder)}
