"""Decision problems as frozen arrays: MDP, MMDP and POMDP, and the belief update that a POMDP defines."""
