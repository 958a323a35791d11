"""A muscle at joints that it does not span: nothing directly, something through the motion it causes."""

from __future__ import annotations

import numpy as np

from borelli import library, planar

LEG, LANDING = library.leg_squat(), library.squat_to_stand(rate_hz=25.0)
KNEE = {"joint": "knee", "source": "muscle:soleus"}


def test_the_soleus_loads_the_knee_through_motion_alone():
    """Its induced share is the mass beyond the knee times the acceleration that it gives that mass: Newton's law."""
    tensions = {"soleus": 1500.0}
    direct = planar.analyze(LEG, LANDING, tensions=tensions)
    assert not direct["reaction_share"].sel(KNEE).any()
    whole = planar.induced(LEG, LANDING, tensions=tensions)
    share = whole["reaction_share"].sel(KNEE).values
    caused = whole["induced_acceleration"].sel(source="muscle:soleus").values
    still = planar.Motion(LANDING.time, LANDING.angle, np.zeros_like(caused), caused)
    moved = planar.kinematics(LEG, still)["com_acceleration"].sel(link=["thigh", "trunk"]).values
    mass = np.array([link.mass for link in LEG.links[1:]])
    np.testing.assert_allclose(share, np.einsum("l,tla->ta", mass, moved), atol=1e-9)
    assert np.hypot(*share.T).min() > 100.0  # not small


def test_at_rest_the_others_take_up_what_it_would_move():
    """Held still by torques, the knee's reaction is the same however hard the soleus pulls."""
    still = planar.Motion.static(LANDING.angle[0])
    slack, tense = (planar.analyze(LEG, still, tensions={"soleus": pull}) for pull in (0.0, 1500.0))
    np.testing.assert_array_equal(slack["reaction"].sel(joint="knee"), tense["reaction"].sel(joint="knee"))
    assert np.abs(slack["reaction"] - tense["reaction"]).sel(joint="ankle").max() > 1000.0
