"""What Inspect discovers. Imports only; a module that is slow or fails here hides the whole package."""

from kwsuite.sandbox.provider import BwrapSandboxEnvironment

__all__ = ["BwrapSandboxEnvironment"]
