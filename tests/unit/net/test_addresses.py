"""Which addresses are public, in every notation."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import AddressRefused
from app.net.guard import Guard
from app.net.policy import NOT_PUBLIC, Policy, is_metadata, is_public

FULL_WIDTH_ZERO = 0xFF10
NOT_V4 = [network for network in NOT_PUBLIC if network.version == 4]


@st.composite
def inside(draw: st.DrawFn) -> IPv4Address:
    """An IPv4 address that is not of the public web."""
    network = draw(st.sampled_from(NOT_V4))
    offset = draw(st.integers(0, network.num_addresses - 1))
    return IPv4Address(int(network.network_address) + offset)


def spellings(address: IPv4Address) -> list[str]:
    """How some reader somewhere writes this address in a URL."""
    number, (a, b, c, d) = int(address), address.packed
    wide = str(address).translate({ord("0") + n: FULL_WIDTH_ZERO + n for n in range(10)})
    hexed = f"{number:08x}"
    return [
        f"{address}", f"{address}.", f"{number}", f"0x{number:x}", f"0{number:o}", f"0X{number:X}",
        f"{a}.{(b << 16) | (c << 8) | d}", f"{a}.{b}.{(c << 8) | d}",
        f"0{a:o}.0{b:o}.0{c:o}.0{d:o}", f"0x{a:x}.0x{b:x}.0x{c:x}.0x{d:x}", f"0x{a:x}.{b}.{c}.{d}",
        f"{a:03d}.{b:03d}.{c:03d}.{d:04d}", f"{a}.{b}.{c}.0x{d:x}", wide, str(address).replace(".", "。"),
        f"{a}%2e{b}%2e{c}%2e{d}", f"example.com@{address}", f"{address}\\@example.com",
        f"example.com\t@{address}", f"{address}\u200b", f"[::ffff:{address}]", f"[::ffff:0:{address}]",
        f"[::{address}]", f"[64:ff9b::{address}]", f"[64:ff9b:1::{address}]",
        f"[2002:{hexed[:4]}:{hexed[4:]}::1]", f"[2001:0:{hexed[:4]}:{hexed[4:]}::1]",
        f"[::ffff:{hexed[:4]}:{hexed[4:]}]",
    ]  # fmt: skip


@given(inside())
async def test_rejects_every_spelling_of_an_internal_address(address: IPv4Address) -> None:
    guard = Guard(Policy(), resolver=_not_asked)
    for spelling in spellings(address):
        with pytest.raises(AddressRefused) as refused:
            await guard.check(f"http://{spelling}/")
        assert str(address) not in refused.value.detail


@given(inside(), st.sampled_from(["::ffff:{}", "64:ff9b::{}", "{}"]))
async def test_rejects_names_that_resolve_to_internal_addresses(
    address: IPv4Address, form: str
) -> None:
    async def answers(host: str, port: int) -> list[str]:
        return ["93.184.216.34", form.format(address), "2606:2800:220:1::1"]

    with pytest.raises(AddressRefused):
        await Guard(Policy(), answers).check("https://site.example/")


@given(st.ip_addresses(v=6))
def test_only_allocated_ipv6_is_public(address: IPv6Address) -> None:
    if is_public(address):
        wrapped = address in ip_network("::ffff:0:0/96") or address in ip_network("64:ff9b::/96")
        assert wrapped or address in ip_network("2000::/3")
        assert not address.is_private or wrapped


@given(st.ip_addresses(v=4))
def test_what_python_considers_private_is_not_public(address: IPv4Address) -> None:
    if address.is_private or address.is_multicast or address.is_reserved:
        assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "169.254.169.254", "169.254.170.2", "fd00:ec2::254", "168.63.129.16", "100.100.100.200",
        "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "fe80::1", "192.0.0.192", "fd20:ce::254",
    ],
)  # fmt: skip
def test_knows_metadata_services(address: str) -> None:
    assert is_metadata(ip_address(address))
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    "address",
    ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "64:ff9b::808:808", "100.128.0.1"],
)
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(ip_address(address))


async def _not_asked(host: str, port: int) -> list[str]:
    raise AssertionError(f"a number was looked up as a name: {host}")
