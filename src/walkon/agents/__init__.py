"""The ad hoc agents and their memories."""
