"""The key by which people are drawn."""


def draw_key(person, site):
    """Give the key from the digits of both codes: a person's backwards, then the site's, times 31, modulo 97."""
    digits = "".join(filter(str.isdigit, person))[::-1] + "".join(filter(str.isdigit, site))
    return int(digits) * 31 % 97
