"""Counts of answers, as text for Prometheus."""

from collections import Counter
from collections.abc import Mapping

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds


class Metrics:
    """Counts since the start."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()  # by kind and status
        self.seconds: Counter[float] = Counter()  # answers in each bucket
        self.total = 0.0

    def answered(self, what: str, status: int, seconds: float) -> None:
        """Count an answer."""
        self.requests[what, status] += 1
        self.seconds[next((most for most in BUCKETS if seconds <= most), float("inf"))] += 1
        self.total += seconds

    def text(self, now: Mapping[str, float]) -> str:
        """Return all counts, and the present values of gauges."""
        lines = ["# TYPE walkon_requests_total counter"]
        for (what, status), count in sorted(self.requests.items()):
            lines.append(f'walkon_requests_total{{what="{what}",status="{status}"}} {count}')
        lines.append("# TYPE walkon_request_seconds histogram")
        within = 0
        for most in (*BUCKETS, float("inf")):
            within += self.seconds[most]
            label = "+Inf" if most == float("inf") else f"{most:g}"
            lines.append(f'walkon_request_seconds_bucket{{le="{label}"}} {within}')
        lines += [f"walkon_request_seconds_sum {self.total:.6f}", f"walkon_request_seconds_count {within}"]
        for name, value in now.items():
            lines += [f"# TYPE walkon_{name} gauge", f"walkon_{name} {value:g}"]
        return "\n".join(lines) + "\n"
