"""The step-in service: a saved agent behind HTTP and WebSocket, for robots and programs in any language.

A session is one stay in one team. The client gets an action, executes it, sends the observation, and gets the next
action. `vocabulary` translates messages for the agent, `decision` is one step, `journal` stores all steps, `sessions`
combines these; `executor` runs the work within a deadline, `app` speaks HTTP and WebSocket, `client` is the other end.
"""
