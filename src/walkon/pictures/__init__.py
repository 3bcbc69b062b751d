"""Pictures of the worlds: one description of a scene, drawn as SVG, as text and as pixels."""
