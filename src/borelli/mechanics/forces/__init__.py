"""Everything that acts on the bodies: tensions, actuators, springs, contact, given loads."""
