"""The step-in service: a saved agent behind HTTP and WebSocket, for robots and programs in any language.

A session is one stay in one team. The client gets an action, executes it, sends the observation, and gets the next
action. `vocabulary` translates messages for the agent, `journal` stores all steps, `sessions` takes them, `recomputing`
resumes and replays them; `executor` runs the work, `connections` and `middleware` keep the limits, `app` speaks HTTP
and `conversation` WebSocket, `client` is the other end.
"""
