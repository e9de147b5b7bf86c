"""The errors of the sandbox."""


class CannotSandbox(RuntimeError):
    """This machine cannot run the sandbox as asked; the message says what is missing and what to do."""


class ExecTimeoutError(TimeoutError):
    """A command was ended by its timeout, with all it had started."""

    def __init__(self, message: str, truncated_output: str) -> None:
        super().__init__(message)
        self.truncated_output = truncated_output
        """What it had written until then; Inspect shows it to the model."""
