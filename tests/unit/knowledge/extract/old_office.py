"""A Word 97 file, byte by byte: no library writes them. [MS-CFB] and [MS-DOC]."""

import struct

SECTOR = 512
FREE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
LEAST = 4_096  # bytes: shorter streams live elsewhere


def compound(streams: dict[str, bytes]) -> bytes:
    """A compound file of these streams, each padded to where it needs no mini stream."""
    padded = {
        name: data.ljust(max(LEAST, -(-len(data) // SECTOR) * SECTOR), b"\0")
        for name, data in streams.items()
    }
    fat, entries, body, at = [FAT, END], [_entry("Root Entry", 5, END, 0, child=1)], b"", 2
    for number, (name, data) in enumerate(padded.items(), 1):
        sectors = len(data) // SECTOR
        fat += [*range(at + 1, at + sectors), END]
        after = number + 1 if number < len(padded) else FREE
        entries.append(_entry(name, 2, at, len(data), right=after))
        body += data
        at += sectors
    directory = b"".join(entries).ljust(SECTOR, b"\0")
    table = struct.pack(f"<{len(fat)}I", *fat).ljust(SECTOR, b"\xff")
    head = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16)
    head += struct.pack(
        "<HHHHH6xIIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, LEAST, END, 0, END, 0, 0
    )
    return head.ljust(SECTOR, b"\xff") + table + directory + body


def _entry(
    name: str, kind: int, start: int, size: int, right: int = FREE, child: int = FREE
) -> bytes:
    spelled = name.encode("utf-16-le") + b"\0\0"
    tree = struct.pack("<HBBIII", len(spelled), kind, 1, FREE, right, child)
    return spelled.ljust(64, b"\0") + tree + bytes(36) + struct.pack("<IQ", start, size)


def doc(text: str) -> bytes:
    """A document of one piece, in UTF-16."""
    words = text.encode("utf-16-le")
    pieces = struct.pack("<III", 0, len(text), 0)[:8] + struct.pack("<HIH", 0, 1_536, 0)
    found = b"\x02" + struct.pack("<I", len(pieces)) + pieces
    head = bytearray(1_536)
    struct.pack_into("<HH", head, 0, 0xA5EC, 0xC1)
    struct.pack_into("<H", head, 0x0A, 0x0200)  # the pieces are in 1Table
    struct.pack_into("<II", head, 0x18, 1_536, 1_536 + len(words))
    struct.pack_into("<H", head, 0x20, 14)
    struct.pack_into("<H", head, 0x3E, 22)
    struct.pack_into("<I", head, 0x4C, len(text))
    struct.pack_into("<H", head, 0x98, 93)
    struct.pack_into("<II", head, 0x1A2, 0, len(found))
    return compound({"WordDocument": bytes(head) + words, "1Table": found})
