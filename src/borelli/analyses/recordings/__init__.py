"""From a recording to a motion and its loads."""
