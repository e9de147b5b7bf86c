"""How a prompt says what it is about."""

MESSAGE_KEY = "kwsuite"
"""Key of a message's metadata under which our ids travel to the provider; ids only, never labels."""
