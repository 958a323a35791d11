"""Lengths of paths as OpenSim 4.6 measures them, for scaled models that carry OpenSim's numbers; used for nothing else.

OpenSim's lines over surfaces are near the shortest ones, but not the shortest: a plane section of an ellipsoid, a
cylinder for a ring, tangents to a tenth of a degree. Its ScaleTool multiplies fibre and slack lengths by the ratio of
two such lengths. Everything else in Borelli follows the shortest line (:mod:`borelli.kernels.paths`).
"""
