"""MADP's `.dpomdp` format: Cassandra's, with several agents.

    actions:                                            observations:
    listen open-left open-right                         2
    listen open-left open-right                         hear-left hear-right
    T: listen * : tiger-left : tiger-right : 0.1        O: 4 :
                                                        uniform

Each agent's actions and observations stand on a line of their own. A joint action is its number, row-major over the
agents, or an action or `*` for each agent, or a single `*`; so are joint observations. A colon stands before the
numbers too. What remains is as in Cassandra's format, and is read by the same modules.
"""
