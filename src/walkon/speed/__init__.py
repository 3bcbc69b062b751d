"""How fast this machine is with walkon: what `walkon bench` measures."""
