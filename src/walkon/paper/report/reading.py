"""How the paper was read, in short: the decisions that the numbers hang on. docs/reading.md has all of them."""

from typing import NamedTuple


class Decision(NamedTuple):
    """One decision where the paper is silent, ambiguous or wrong."""

    anchor: str
    question: str
    answer: str
    figures: tuple[str, ...]  # the figures it concerns


NIGHT = ("2a", "2b", "3a", "3b", "3c")
DECISIONS = (
    Decision(
        "choosing",
        "How does ATPO choose?",
        "It draws its action from the mixture of the tasks' policies, weighed by their probabilities. A task's "
        "policy is uniform over all actions that its alpha vectors call best.",
        (*NIGHT, "5a", "5b", "6a", "6b"),
    ),
    Decision(
        "entropy",
        "How is entropy measured?",
        "With the logarithm to base K: 1 is no idea, 0 is certainty. Libraries of different size can be compared.",
        ("5b", "6b"),
    ),
    Decision(
        "night-capture",
        "When is Night-time Pursuit solved?",
        "When both predators stand on the two preys in the same step, whichever on which. Steps are actions until "
        "then, and 50 if it never happens.",
        NIGHT,
    ),
    Decision(
        "night-noise",
        "What does the noise do?",
        "It is the chance that a move of the ad hoc agent fails, and that a thing beside it is not seen. The "
        "teammate's moves do not fail.",
        NIGHT,
    ),
    Decision(
        "pool",
        "Which tasks are in the pool?",
        "For each size 32 placements of two preys, drawn once with a fixed seed. The baseline takes the first four.",
        NIGHT,
    ),
    Decision(
        "torus-capture",
        "When is the prey of Pursuit caught?",
        "When the predators stand on opposite sides of it, after all have moved in an order drawn by chance.",
        ("5a", "5b"),
    ),
    Decision(
        "torus-noise",
        "How well does the agent see in Pursuit?",
        "A thing at distance d is read right with probability 1 - 0.15 d. The paper prints this as the probability "
        "of failing, against two sentences of its own text.",
        ("5a", "5b"),
    ),
    Decision(
        "kitchen",
        "What do Upper and Downer do?",
        "They take from one counter only. Standing still, as printed, they could never cook and deliver.",
        ("6a", "6b"),
    ),
    Decision(
        "bopa",
        "What does BOPA believe?",
        "It keeps ATPO's beliefs and acts for the most likely state of each task; where several are equally likely, "
        "it averages over them.",
        ("2a", "3a", "3b", "3c", "5a"),
    ),
    Decision(
        "budgets",
        "When does a solver stop?",
        "By a stated rule of convergence or a count of backups, never by the clock: results do not depend on how "
        "busy the machine is.",
        ("2a", "3a", "3b", "3c", "4a", "5a"),
    ),
    Decision(
        "proposition",
        "Does Proposition 1 hold?",
        "Not as printed: its last line takes one term from each of two choices of η. A library of two tasks breaks "
        "it from the third step on. Drawn and tested is what the proof gives.",
        ("bound",),
    ),
)
