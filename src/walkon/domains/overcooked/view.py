"""How a moment of Overcooked looks."""

from dataclasses import dataclass

from walkon.arrays import Floats
from walkon.domains.overcooked.layout import COOK, COUNTERS, HELPER, ROWS, TILES
from walkon.domains.overcooked.world import NOTHING, PANS, STATES, THINGS
from walkon.pictures.scene import Kind, Piece, Scene, Tile


@dataclass(frozen=True)
class KitchenView:
    """Draws the kitchen from above. Everything is seen, so there is no belief to draw."""

    role: str  # the ad hoc agent's

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """One moment: who is where with what in hand, and what is on the counters and in the pan."""
        x = STATES[state]
        who: tuple[Kind, Kind] = ("agent", "teammate") if self.role == "helper" else ("teammate", "agent")
        lies = dict(zip(COUNTERS, x.counters, strict=True))
        tiles = []
        for cell, ground in TILES.items():
            holds = PANS[x.pan] if ground == "pan" else _thing(lies.get(cell, NOTHING))
            tiles.append(Tile(ground, cell, holds))
        return Scene(
            title=f"Overcooked, the ad hoc agent as {self.role}",
            columns=len(ROWS[0]),
            rows=len(ROWS),
            pieces=(
                Piece(who[0], HELPER[x.helper], _thing(x.helper_hand)),
                Piece(who[1], COOK[x.cook], _thing(x.cook_hand)),
            ),
            tiles=tuple(tiles),
            visible=frozenset(TILES) | frozenset(HELPER) | frozenset(COOK),
            notes=(str(x),),
        )


def _thing(thing: int) -> str:
    return "" if thing == NOTHING else THINGS[thing]
