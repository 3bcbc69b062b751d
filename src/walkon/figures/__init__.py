"""What a person sees of the results: the paper's figures, drawn from the table of results, and the report."""
