"""What a file reader says when a file is malformed: which file, where in it, what was expected and what was found."""

from walkon.errors import InputError


class FormatError(InputError):
    """A file that cannot be read. Lines and columns count from 1; None where the mistake has no single place."""

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def at(name: str, line: int, column: int, message: str) -> FormatError:
    """The error of one place in a file: `tiger.pomdp, line 3, column 9: message`."""
    return FormatError(f"{name}, line {line}, column {column}: {message}", line=line, column=column)
