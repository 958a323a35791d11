"""What OpenSim's files beside its models say: setups of tools, external loads, sets of forces, tasks and factors."""
