"""A process that has loaded what takes long to load, and forks processes that begin where it stands.

python [-W ACTION] forking.py

Each line of standard input is a request for a child: its arguments, its environment, its folder, and the files that
take what it writes. The answer is its exit code. The modules of the command line are not loaded before: they look at
the environment.
"""

import gc
import json
import multiprocessing
import os
import runpy
import sys
from types import ModuleType

FORK = multiprocessing.get_context("fork")


def load():
    """Import what the commands import, and call what they compile."""
    import walkon.formats.library_file
    import walkon.paper.run
    from walkon.simulation.play import play, play_many
    from walkon.speed.solving import compile_solvers
    from walkon.testing.problems import random_library

    compile_solvers()
    library = random_library(0)
    player = walkon.agent("atpo", library, jobs=1)
    play(library[0], player, seed=0, horizon=2)
    play_many(library[0], player, range(2), horizon=2)


def become(arguments, environment, folder, out, err):
    """Be the process that was asked for: `python ARGUMENTS`, either `-m MODULE ...` or `-c PROGRAM`."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for name, number in ((out, 1), (err, 2)):
        file = os.open(name, os.O_WRONLY)
        os.dup2(file, number)
        os.close(file)
    kind, what, *rest = arguments
    sys.argv[:] = [kind, *rest]
    sys.path[0] = folder
    if kind == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        main = sys.modules["__main__"] = ModuleType("__main__")
        exec(compile(what, "<string>", "exec"), vars(main))


def serve():
    for line in sys.stdin:
        child = FORK.Process(target=become, kwargs=json.loads(line))
        child.start()
        child.join()
        print(child.exitcode, flush=True)


if __name__ == "__main__":
    load()
    gc.freeze()  # a child that collects garbage need not copy what was loaded
    serve()
