"""The measurements of `walkon bench`: how fast walkon is on this machine."""
