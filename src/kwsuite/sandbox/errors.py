"""The one error for a machine that cannot run the sandbox."""


class CannotSandbox(RuntimeError):
    """This machine cannot run the sandbox as asked; the message says what is missing and what to do."""
