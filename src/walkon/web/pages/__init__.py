"""The pages, in NiceGUI: they place the parts, hand keys and clicks to the stage, and show what it says."""
