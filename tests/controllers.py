"""Controllers to test pages with: without a browser, and with policies that are made at once."""

import asyncio

import walkon
from walkon.trials.trial import Trial, WorldSpec
from walkon.web.controller import Controller
from walkon.web.host import Host
from walkon.web.solving import Solving

SMALL = Trial(world=WorldSpec.of("night-pursuit", size=3, noise=0.3, tasks=2), seed=3)


class AtOnce(Solving):
    """Solves nothing: any policy will do where only the page is tested."""

    def __init__(self):
        super().__init__(1)
        self.asked = 0

    async def policies(self, problems, solver, watch=None):
        self.asked += 1
        if watch:
            watch(0.5)
        await asyncio.sleep(0)
        made = [walkon.QMDP().solve(p).policy if isinstance(p, walkon.POMDP) else None for p in problems]
        return [each or walkon.ValueIteration().solve(p).policy for each, p in zip(made, problems, strict=True)]


def staged(*, agents=("atpo",), usual=SMALL, brought=None, query=None):
    """Run a test's coroutine with a controller that has begun."""

    def around(test):
        async def run():
            host = Host(1, brought)
            host.solving = AtOnce()
            shown = []
            controller = Controller(host, usual if brought is None else host.usual, agents, lambda: shown.append(1))
            controller.arrive(query or {})
            await controller.settled()
            await test(controller)
            assert shown

        asyncio.run(run())

    return around
