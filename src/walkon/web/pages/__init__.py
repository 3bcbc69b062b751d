"""The pages, in NiceGUI: they place the parts, hand keys and clicks to the controller, and show what it says."""
