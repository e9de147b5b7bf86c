"""From authored files to frozen models to Inspect samples."""
