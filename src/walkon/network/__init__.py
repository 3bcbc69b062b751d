"""What all servers share: where they listen, and who may talk to them."""
