"""What is no belief over two states, and what an error says about it."""

import numpy as np

NO_BELIEFS = {
    "too little": ([0.5, 0.4], r"belief sums to 0.9, not 1"),
    "too much": ([1.0, 0.5], r"belief sums to 1.5, not 1"),
    "negative": ([1.5, -0.5], r"belief\[1\] is -0.5; a probability cannot be negative"),
    "not a number": ([np.nan, 0.5], r"belief\[0\] is nan; every entry must be a finite number"),
    "infinite": ([np.inf, -np.inf], r"belief\[0\] is inf"),
    "too many states": ([0.2, 0.3, 0.5], r"belief has shape \(3,\), expected \(X,\) = \(2,\)"),
    "too few states": ([1.0], r"belief has shape \(1,\)"),
    "a table": ([[0.5, 0.5]], r"belief has shape \(1, 2\)"),
    "text": (["0.5", "0.5"], r"belief is not an array of numbers: it holds the text '0.5'"),
    "complex": ([0.5 + 0j, 0.5 + 0j], r"belief is not an array of numbers: it holds complex128"),
}
