"""The command line: what a person types, and what is printed in answer; one module for each command."""
