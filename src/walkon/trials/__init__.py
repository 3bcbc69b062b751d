"""Records that the rooms above share: what determines a trial, and its episode."""
