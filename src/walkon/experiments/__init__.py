"""What is measured: the trials of the paper and their statistics, from a run's definition to its verdicts."""
