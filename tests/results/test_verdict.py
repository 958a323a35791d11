"""The verdict in one line."""

from borelli.results.verdict import Check, Verdict


def test_one_check_is_not_called_all():
    check = Check("shares add up", "green", 1e-16, 1e-9, "1", "The shares add up.", "")
    assert Verdict.of([check]).sentence == "The only check passed."
    assert Verdict.of([check, check]).sentence == "All 2 checks passed."
