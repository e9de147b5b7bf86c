"""A corpus of tagged binary messages, sound ones and odd ones. Standard library only."""

WORDS = "pump valve rotor intake boiler filter drain sluice gauge feeder mixer chimney".split()
PLACES = ["Søndal", "Kärven", "Bréval", "Lindmoor", "Ostrava quay", "north hall", "basin B", "São Tiro"]
STATES = ["running", "idle", "in repair", "starting", "switched off", "waiting for parts"]
# Each sign grows by the number of code points that stands beside it when it is brought to a compatibility form.
GROWING = [("ﬁlter clean", 1), ("oﬃce line", 2), ("inﬂow steady", 1), ("½ open", 2), ("mark Ⅳ", 1), ("at ℃ scale", 1)]
SAME = ["channel ４７", "area in m²", "ｂｏｉｌｅｒ", "zone ①"]
SHRINKING = "Bre\u0301val, Ka\u0308rven, Se\u0301ro\u0301n"
CHECKS = [(0xB94D, 0x37A2), (0x8408, 0xFFFF), (0x8408, 0x0000), (0xA001, 0xFFFF), (0xA001, 0x0000)]

WIRE = """# Telemetry message: layout on the wire

All numbers are unsigned, the most significant byte first. Lengths are in bytes.

Header:

| part | length | content |
|---|---|---|
| magic | 1 | 0xA7 |
| version | 1 | 0x01 |
| checksum | 2 | over all bytes behind the header; zero if the sender sets none |

Behind the header stand elements, one after the other, up to the end of the message.

Element:

| part | length | content |
|---|---|---|
| tag | 1 | which field it is |
| kind | 1 | 0x01 number, 0x02 text, 0x03 group |
| length | 2 | of the content |
| content | as given | number: up to 8 bytes; text: UTF-8; group: elements, one after the other |
"""

PARSER = '''"""Reads telemetry messages. Written for senders that we trust."""

import struct
import sys

NUMBER, TEXT, GROUP = 1, 2, 3
HEAD = struct.Struct(">BBH")


def parse(data):
    """Read a message into a dictionary."""
    magic, version, check = HEAD.unpack_from(data, 0)
    if magic != 0xA7 or version != 0x01:
        raise ValueError("no message of ours")
    return read_elements(data, HEAD.size)


def read_elements(data, at):
    """Read the elements from a position on."""
    fields = {}
    while at < len(data):
        tag, kind, length = HEAD.unpack_from(data, at)
        at += HEAD.size
        fields[str(tag)] = read_content(kind, data[at : at + length])
        at += length
    return fields


def read_content(kind, content):
    """Read what an element holds."""
    if kind == NUMBER:
        return int.from_bytes(content, "big")
    if kind == TEXT:
        return content.decode("utf-8", "replace")
    if kind == GROUP:
        return read_elements(content, 0)
    return content


if __name__ == "__main__":
    for line in sys.stdin:
        name, digits = line.strip().split(",")
        print(name, parse(bytes.fromhex(digits)))
'''


def generate(rng):
    """Make the files and name the planted messages of each convention."""
    make = Maker(rng)
    made = [("", make.message(make.some(rng.randint(3, 7)))) for _ in range(40)]

    def add(role, *parts, check=0):
        body = make.some(rng.randint(1, 3)) + [part if isinstance(part, bytes) else make.text(part) for part in parts]
        rng.shuffle(body)
        made.append((role, make.message(body, check)))

    for low, high, role in [(300, 1900, ""), (2060, 2600, "size_limit"), (2610, 4090, "size_limit")] * 2:
        made.append((role, make.sized(rng.randint(low, high))))
    for low, high in [(4200, 6000), (6500, 9500)]:
        made.append(("size_limit", make.sized(rng.randint(low, high))))
    for levels in {23, 24, *rng.sample(range(8, 38), 14), rng.randint(17, 22), rng.randint(25, 32)}:
        add("depth_limit" if levels > 16 else "", make.nested(levels))
    for even in (0, 1, 0, 1):
        tag = 2 * rng.randint(101, 120) + even
        twins = [element(tag, 1, number(value)) for value in rng.sample(range(100, 60000), 2)]
        add("duplicates", *(twins if rng.random() < 0.5 else [make.group(twins)]))
    for growth in (1, 2, 3, 4):
        add("text_form", make.grown(growth))
    add("text_form", rng.choice(SAME))
    add("text_form", make.group([make.text(rng.choice(SAME)), make.text(make.grown(2))]))
    add("text_form", SHRINKING)
    add("text_form", "Lindmoor, Bre\u0301val")
    for shape in ("{} \0{}", "{} {}\0", "{}\0\0{}"):
        add("nul", shape.format(rng.choice(WORDS), rng.choice(STATES)))
    for bits in (43, 45, 48, 51):
        value = element(make.tag(), 1, number(rng.randrange(2**bits, 2 ** (bits + 1))))
        add("saturation", value if rng.random() < 0.6 else make.group([value]))
    for bits in (33, 36, 39, 41):
        add("", element(make.tag(), 1, number(rng.randrange(2**bits, 2 ** (bits + 1)))))

    even_twins = [element(2 * rng.randint(101, 120), 1, number(77))] * 2
    for _ in range(2):
        made.append(("check_order", make.sized(rng.randint(2700, 3900), "broken")))
        add("check_order", make.overlong(), check="broken")
        add("check_order", make.nested(rng.randint(70, 90)), make.garbled())
        add("check_order", *even_twins, make.garbled())
        add("codes", make.overlong())
        add("codes", make.garbled())
        add("codes", make.nested(rng.randint(70, 90)))
        add("codes", check="broken")
        add("checksum", check="right")
        add("checksum", check="broken")

    rng.shuffle(made)
    planted = {role: [] for role in "size_limit depth_limit duplicates text_form nul".split()}
    planted |= {role: [] for role in "saturation check_order codes checksum".split()}
    lines = ["message,hex"]
    for at, (role, data) in enumerate(made, start=1):
        lines.append(f"m{at:03d},{data.hex()}")
        if role:
            planted[role].append(f"m{at:03d}")
    files = {"corpus.csv": "\n".join(lines) + "\n", "wire.md": WIRE, "parser.py": PARSER}
    return {"files": files, "planted": planted}


def element(tag, kind, content, more=0):
    """Write an element; its length may say more than it holds."""
    return bytes([tag, kind]) + (len(content) + more).to_bytes(2, "big") + content


def number(value):
    """Write a number in as few bytes as it takes."""
    return value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big")


def check16(body, polynomial, start):
    """Give a reflected checksum of 16 bits."""
    value = start
    for byte in body:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ polynomial if value & 1 else value >> 1
    return value


class Maker:
    """Makes parts of messages."""

    def __init__(self, rng):
        self.rng = rng
        self.free, self.recent = list(range(1, 200)), []

    def tag(self):
        """Give a tag below 200 that is none of the last 120, so that no message has one twice."""
        tag = self.free.pop(self.rng.randrange(len(self.free)))
        self.recent.append(tag)
        if len(self.recent) > 120:
            self.free.append(self.recent.pop(0))
        return tag

    def text(self, content):
        """Make a text."""
        return element(self.tag(), 2, content.encode())

    def group(self, parts):
        """Make a group."""
        return element(self.tag(), 3, b"".join(parts))

    def phrase(self):
        """Make up a plain text."""
        rng = self.rng
        return f"{rng.choice(WORDS)} {rng.randint(1, 60)}, {rng.choice(PLACES)}, {rng.choice(STATES)}"

    def some(self, count):
        """Make elements that nothing is wrong with."""
        parts = []
        for _ in range(count):
            draw = self.rng.random()
            if draw < 0.45:
                parts.append(element(self.tag(), 1, number(self.rng.randrange(2 ** self.rng.randint(3, 32)))))
            elif draw < 0.8:
                parts.append(self.text(self.phrase()))
            else:
                parts.append(self.group(self.some(self.rng.randint(0, 3))))
        return parts

    def nested(self, levels):
        """Make a group with groups inside one another."""
        part = element(self.tag(), 1, number(self.rng.randrange(5000)))
        for _ in range(levels):
            part = self.group([part])
        return part

    def grown(self, growth):
        """Make a text that grows by so many code points."""
        chosen, left = [], growth
        while left:
            text, step = self.rng.choice([one for one in GROWING if one[1] <= left])
            chosen.append(text)
            left -= step
        return ", ".join(chosen)

    def garbled(self):
        """Make a text that is not UTF-8."""
        content = self.phrase().encode()
        cut = self.rng.randint(1, len(content) - 1)
        while content[cut] & 0xC0 == 0x80:
            cut -= 1
        wrong = self.rng.choice([b"\xff", b"\xc3", b"\xe2\x82"])
        return element(self.tag(), 2, content[:cut] + wrong + b"." + content[cut:])

    def overlong(self):
        """Make a group whose last element reaches beyond it."""
        last = element(self.tag(), 2, self.phrase().encode(), self.rng.randint(1, 30))
        return self.group([*self.some(1), last])

    def sized(self, size, check=0):
        """Make a message of a size."""
        parts = self.some(2)
        room = size - 4 - len(b"".join(parts)) - 4
        words = []
        while len(" ".join(words)) < room:
            words.append(self.rng.choice(WORDS))
        parts.insert(self.rng.randint(0, 2), self.text(" ".join(words)[:room]))
        return self.message(parts, check)

    def message(self, parts, check=0):
        """Put elements behind a header, with no checksum, a right one or a broken one."""
        body = b"".join(parts)
        known = [check16(body, *one) for one in CHECKS] if check else []
        while check == "right" and (not known[0] or known[0] in known[1:]):
            body += self.text(self.phrase())
            known = [check16(body, *one) for one in CHECKS]
        field = known[0] if check == "right" else 0
        while check == "broken" and (not field or field in known):
            field = self.rng.randrange(1, 65536)
        return b"\xa7\x01" + field.to_bytes(2, "big") + body
