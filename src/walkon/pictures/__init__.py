"""Pictures of the worlds: a scene is described once and drawn as SVG, text or pixels."""
