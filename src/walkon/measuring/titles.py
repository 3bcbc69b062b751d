"""What agents are called in sentences, tables and figures."""

TITLES = {
    "value-iteration": "Value Iteration",
    "perseus": "Perseus",
    "atpo": "ATPO",
    "atpo-greedy": "ATPO greedy",
    "atpo-q": "ATPO-Q",
    "atpo-look": "ATPO look",
    "atpo-search": "ATPO search",
    "bayes": "Bayes",
    "bopa": "BOPA",
    "assistant": "Assistant",
    "random": "Random",
    "random-picker": "Random picker",
}


def title_of(agent: str) -> str:
    """The title of an agent; its name where it is one of your own."""
    return TITLES.get(agent, agent)
