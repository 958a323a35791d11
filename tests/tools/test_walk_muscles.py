"""The muscle table of the sample walk agrees with a model that others made from the same source."""

import math

import pytest

from tools.walk.muscles import OPTIMAL_SARCOMERE, WARD_2009

# Optimal fibre length (m) and pennation at it (deg) of the model of Rajagopal et al. (2016), IEEE Trans. Biomed. Eng.
# 63:2068-2079, which took fibre lengths, sarcomere lengths and pennation from Ward et al. (2009). Muscles that it
# splits into parts of unequal fibre length (gluteus and adductor magnus) have their middle part or none here.
RAJAGOPAL_2016 = {
    "psoas": (0.1169, 12.35),
    "iliacus": (0.1066, 16.04),
    "gluteus_maximus": (0.157, 21.05),
    "gluteus_medius": (0.073, 18.14),
    "sartorius": (0.403, 1.50),
    "rectus_femoris": (0.0759, 12.43),
    "vastus_lateralis": (0.0994, 14.49),
    "vastus_intermedius": (0.0993, 3.62),
    "vastus_medialis": (0.0968, 24.19),
    "gracilis": (0.2278, 9.85),
    "adductor_longus": (0.1082, 7.89),
    "adductor_brevis": (0.1031, 6.58),
    "biceps_femoris_long": (0.0976, 10.08),
    "biceps_femoris_short": (0.1103, 15.14),
    "semitendinosus": (0.193, 13.83),
    "semimembranosus": (0.069, 14.59),
    "tibialis_anterior": (0.0683, 11.18),
    "peroneus_longus": (0.0508, 14.21),
    "peroneus_brevis": (0.0454, 11.76),
    "gastrocnemius_medialis": (0.051, 9.49),
    "gastrocnemius_lateralis": (0.0588, 12.05),
    "soleus": (0.044, 21.85),
    "tibialis_posterior": (0.0378, 12.98),
}


@pytest.mark.parametrize("muscle", RAJAGOPAL_2016)
def test_fibre_and_sarcomere_length_and_pennation_are_those_of_a_published_model(muscle):
    _, fibre, sarcomere, pennation, _ = WARD_2009[muscle]
    length, angle = RAJAGOPAL_2016[muscle]
    # The model rounds lengths to 0.1 mm or, of the gluteus, to 1 mm.
    assert fibre / 100.0 == pytest.approx(length, abs=4e-4)
    # A muscle keeps its thickness, so that the sine of its pennation grows as its fibres shorten.
    at_optimum = math.asin(sarcomere / OPTIMAL_SARCOMERE * math.sin(math.radians(pennation)))
    # Half of the last printed digit of pennation (0.05 deg) and sarcomere length would be more than this.
    assert math.degrees(at_optimum) == pytest.approx(angle, abs=0.011)


def test_a_sarcomere_length_that_is_off_by_two_hundredths_would_be_found():
    assert abs(math.degrees(math.asin(3.26 / OPTIMAL_SARCOMERE * math.sin(math.radians(8.2)))) - 9.85) > 0.05
