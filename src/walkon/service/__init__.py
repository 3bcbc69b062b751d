"""The step-in service: a saved agent behind HTTP and WebSocket, for robots and programs in any language.

A session is one joining of one team. Whoever opens it is told an action, executes it, tells what was read, and is told
the next one. `words` understands what is told, `turn` is one moment, `journal` keeps all of them, `sessions` puts these
together; `desk` has the work done in time, `app` speaks HTTP and WebSocket, `client` is the other end.
"""
