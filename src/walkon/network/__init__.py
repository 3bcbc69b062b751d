"""The address and the guard of all servers."""
