"""Small worlds that can be defined with tables and without, as objects with a few functions."""


class Lamp:
    """A lamp that has to be on or off: the teammate presses at times, and the sensor has two parts."""

    actions, teammate_actions = ["press", "wait"], ["wait", "press"]
    discount, horizon = 0.9, 12

    def __init__(self, wanted, noise=0.3):
        self.name, self.wanted, self.noise = wanted, wanted, noise

    own = ("wanted", "noise")

    def start(self):
        return {("on", 0): 0.5, ("off", 0): 0.5}

    def teammates(self, x):
        return {"wait": 0.9, "press": 0.1} if x[0] == self.wanted else {"wait": 0.4, "press": 0.6}

    def moves(self, x, a, b):
        lamp, n = x
        other = "off" if lamp == "on" else "on"
        after = other if (a == "press") != (b == "press") else lamp
        return [((after, min(n + 1, 3)), 0.9), ((lamp, n), 0.1)]

    def sensor(self, a, y):
        bright = 1 - self.noise if y[0] == "on" else self.noise
        return {"light": {"bright": bright, "dark": 1 - bright}, "late": {0: 0.6, 1: 0.4} if y[1] > 1 else 0}

    def reward(self, x, a, b, y):
        return (1.0 if y[0] == self.wanted else 0.0) - (0.1 if a == "press" else 0.0)

    def advice(self, x):
        return "wait" if x[0] == self.wanted else "press"


class Pair(Lamp):
    """The same with two teammates, who press one after the other."""

    @property
    def teammates(self):
        return [super().teammates, lambda x: {"wait": 0.8, "press": 0.2} if x[1] else "wait"]

    def moves(self, x, a, b):
        return super().moves(x, a, "press" if b in (("press", "wait"), ("wait", "press")) else "wait")


class Walk:
    """A walk on a line without end, of which only noise is heard; it is solved at its goal."""

    actions, teammate_actions = ["left", "right"], ["stay"]
    discount, horizon, own = 0.95, 20, ("goal",)

    def __init__(self, goal):
        self.goal, self.name = goal, f"goal {goal}"

    def start(self, rng):
        return int(rng.integers(-3, 4))

    def teammates(self, x):
        return "stay"

    def moves(self, x, a, b):
        step = -1 if a == "left" else 1
        return [(x + step, 0.7), (x, 0.2), (x - step, 0.1)]

    def sensor(self, a, y):
        return {y: 0.5, y + 1: 0.25, y - 1: 0.25}

    def reward(self, x, a, b, y):
        return 1.0 if y == self.goal else 0.0

    def solved(self, x):
        return x == self.goal

    def counts(self, x, a, b):
        return a == "left"

    tally = "lefts"

    def advice(self, x):
        return "left" if x > self.goal else "right"


class Doors:
    """A prize behind one of two doors. Looking costs, and shows `bits` numbers that each tell a little."""

    actions, teammate_actions = ["open 0", "open 1", "look"], ["watch"]
    discount, horizon, own = 0.95, 10, ("bits", "favourite")

    def __init__(self, bits, favourite):
        self.bits, self.favourite, self.name = bits, favourite, f"{bits} bits, door {favourite}"

    def start(self):
        return {f"prize {self.favourite}": 0.8, f"prize {1 - self.favourite}": 0.2}

    def teammates(self, x):
        return "watch"

    def moves(self, x, a, b):
        return x if a == "look" else "done"

    def sensor(self, a, y):
        if a != "look":
            return "nothing"
        p = {"prize 0": 0.35, "prize 1": 0.65, "done": 0.5}[y]
        return tuple({0: 1 - p, 1: p} for _ in range(self.bits))

    def reward(self, x, a, b, y):
        if a == "look":
            return -0.5
        return 10.0 if a[-1] == x[-1] else -10.0

    def solved(self, x):
        return x == "done"
