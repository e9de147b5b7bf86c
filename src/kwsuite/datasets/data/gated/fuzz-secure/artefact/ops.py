"""The checksum of a message."""


def check16(data):
    """Give the checksum of bytes, as a number below 65536.

    Args:
        data: All bytes behind the header.
    """
    value = {{checksum.start}}
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ {{checksum.polynomial}} if value & 1 else value >> 1
    return value
