"""The web page: play the teammate, compare agents, browse results. The logic is plain Python; NiceGUI only shows it."""
