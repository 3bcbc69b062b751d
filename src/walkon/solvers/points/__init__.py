"""The parts that Ascent and SARSOP share: vectors, belief points, and proven bounds on both sides."""
