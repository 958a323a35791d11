# The public names, each with the module that defines it. Type checkers read this list, and borelli.lazy at run time.

from borelli.library import lifting_arm as lifting_arm
from borelli.library.anthropometry import Person as Person
from borelli.library.arm import curl as curl
from borelli.library.arm import hand_spring as hand_spring
from borelli.library.arm import reach as reach
from borelli.library.arm import reaching_arm as reaching_arm
from borelli.library.arm import two_link_arm as two_link_arm
from borelli.library.composite_joint import composite_angle as composite_angle
from borelli.library.composite_joint import composite_joint as composite_joint
from borelli.library.finger import finger as finger
from borelli.library.finger import finger_flexion as finger_flexion
from borelli.library.leg import foot_span as foot_span
from borelli.library.leg import leg_squat as leg_squat
from borelli.library.leg import squat_to_stand as squat_to_stand
from borelli.library.neck import neck as neck
from borelli.library.neck import neck_angle as neck_angle
from borelli.library.neck import neck_angle_per_driver as neck_angle_per_driver
from borelli.library.spine import spine as spine
from borelli.library.spine import spine_bend as spine_bend
from borelli.library.trajectories import minimum_jerk as minimum_jerk
from borelli.library.trajectories import posture_sequence as posture_sequence
