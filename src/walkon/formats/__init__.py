"""Files: the formats that the field already has, and walkon's own."""
