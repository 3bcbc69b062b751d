"""Reads XML from untrusted sources, element by element, with the place of every error."""

from abc import ABC, abstractmethod
from xml.parsers import expat

from walkon.formats.files import FormatError, error_at


class XMLFile(ABC):
    """A file that is being read. It has no document type, and so no entities."""

    def __init__(self, name: str, kind: str, encoding: str | None = None) -> None:
        """Prepare to read a file of a kind, such as "a policy", in an encoding whatever the file declares."""
        self.name, self.kind = name, kind
        self.text: list[str] = []  # since the last tag
        self.parser = expat.ParserCreate(encoding)
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse_document_type
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text.append

    @abstractmethod
    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin an element."""

    @abstractmethod
    def end(self, tag: str) -> None:
        """End an element."""

    @property
    def place(self) -> tuple[int, int]:
        """The line and the column that are being read, from 1 on."""
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def parse(self, data: bytes) -> None:
        """Read the whole file."""
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as cause:
            message = f"the file is not well-formed XML: {expat.ErrorString(cause.code)}"
            raise error_at(self.name, cause.lineno, cause.offset + 1, message) from None
        except FormatError:
            raise
        except (LookupError, ValueError, UnicodeError) as cause:  # an encoding that Python does not have
            raise FormatError(f"{self.name}: the file is not well-formed XML: {cause}: save it as UTF-8") from None

    def error(self, message: str) -> FormatError:
        """Return an error at the place that is being read."""
        return error_at(self.name, *self.place, message)

    def _refuse_document_type(self, *_: object) -> None:
        raise self.error(f"{self.kind} has no document type (<!DOCTYPE ...>): remove it")
