"""Decision problems as read-only arrays: MDP, MMDP and POMDP, and the belief update of a POMDP."""
