"""The public questions, one file each: objects in, a labelled answer out.

From a recording to a motion and its loads
    recording_steps, scale_factors, scale, place_markers, place_sensors, hip_centers, functional_joints,
    inverse_kinematics, plate_loads, ground_reaction
How a model moves
    body_poses, mass_centre, jacobian, constraints, assemble, energy, joint_power, scene
Which forces a motion needs, and where they come from
    inverse_dynamics, joint_reactions, contributions, induced, sensitivities, mass_matrix,
    mass_matrix_solve, lagrangian, equations_of_motion
Which motion forces cause
    forward_dynamics, driven, simulate
Paths and muscles
    paths, moment_arms, effective_torque, sweep, muscle_forces, muscle_balance, muscle_strength, muscle_states,
    muscle_dynamics
For a quick start
    warm_up

What they are made of, where it has labels, is in folders: marker_fit (inverse kinematics), postures (that several start
from). Arrays without labels are in borelli.mechanics.
"""
