"""The public questions, one file each: objects in, a labelled answer out. A folder holds those of one subject.

``recordings``: from a recording to a motion and its loads
    recording_steps, scale_factors, scale, place_markers, place_sensors, hip_centers, functional_joints,
    inverse_kinematics, plate_loads, ground_reaction
``movement``: how a model moves
    body_poses, mass_centre, jacobian, constraints, assemble, energy, joint_power, paths, scene
``forces``: which forces a motion needs, and where they come from
    inverse_dynamics, joint_reactions, contributions, induced, sensitivities
``equations``: the equations of motion and their matrices
    mass_matrix, mass_matrix_solve, lagrangian, equations_of_motion
``simulation``: which motion forces cause
    forward_dynamics, driven, simulate
``muscles``: what muscles can do, and what they do
    moment_arms, effective_torque, sweep, muscle_forces, muscle_balance, muscle_strength, muscle_states,
    muscle_dynamics
For a quick start
    warm_up

What they are made of, where it has labels, is in folders of its own: marker_fit (inverse kinematics), postures (and
static trials, that several start from). Arrays without labels are in borelli.mechanics.
"""
