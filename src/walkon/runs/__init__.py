"""Running many trials: what a run consists of, who does the work, and where results are kept."""
