"""Many trials: what a study file asks for, run durably, and answered as one."""
