"""What is not done, and why: an input error with the status that HTTP has for it."""

from walkon.errors import InputError

UNKNOWN, CONFLICT, TOO_LARGE, UNUSABLE, BUSY, FAILED, UNWRITTEN, LATE = 404, 409, 413, 422, 429, 500, 503, 504


class RefusalError(InputError):
    """A request that is not done. The message names the value, the place and the remedy."""

    def __init__(self, status: int, message: str, retry_after: int | None = None) -> None:
        """Keep the reason.

        Args:
            status: The status of the answer.
            message: What is wrong, where, and what to do about it.
            retry_after: After how many seconds the same request may be done; None where waiting does not help.
        """
        super().__init__(message)
        self.status, self.retry_after = status, retry_after

    def document(self) -> dict[str, str | int]:
        """The refusal as JSON has it."""
        return {"error": str(self), "status": self.status}
