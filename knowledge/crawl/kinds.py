"""What an answer or an address is a document of, as far as that is told before it is read."""

_TEXT = {
    "application/xhtml+xml", "application/xml", "application/json", "application/ld+json",
    "application/yaml", "application/x-yaml",
}  # fmt: skip
_DOCUMENTS = {
    "application/pdf", "application/msword", "application/rtf", "application/epub+zip",
    "application/vnd.ms-excel", "application/vnd.ms-powerpoint", "message/rfc822",
}  # fmt: skip
_FAMILIES = (
    "application/vnd.openxmlformats-officedocument.",
    "application/vnd.oasis.opendocument.",
)
_UNSAID = {"", "application/octet-stream", "binary/octet-stream", "application/x-download"}
_NOT_TEXT = {"text/css", "text/javascript", "text/ecmascript", "text/x-component", "text/calendar"}
HTML = ("text/html", "application/xhtml+xml")

# Ends of addresses that are never read: pictures, sound, films, programs, archives, a page's own parts.
# The speech in sound and films takes a model and long: only what somebody uploads is listened to.
_LEFT_OUT = frozenset({
    "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "bmp", "ico", "tif", "tiff", "heic", "psd", "ai",
    "eps", "mp3", "wav", "ogg", "oga", "flac", "m4a", "aac", "mp4", "m4v", "mov", "avi", "mkv", "webm", "wmv",
    "flv", "css", "js", "mjs", "map", "woff", "woff2", "ttf", "otf", "eot", "zip", "gz", "tgz", "bz2", "xz",
    "7z", "rar", "tar", "zst", "iso", "dmg", "pkg", "deb", "rpm", "apk", "exe", "msi", "jar", "war", "whl",
    "bin", "dll", "so", "wasm", "swf", "torrent", "ics", "vcf", "asc", "sig", "sha256", "md5",
})  # fmt: skip


def is_read(kind: str) -> bool:
    """Whether a media type is one that there may be an extractor for; unsaid ones are looked at."""
    if kind in _UNSAID or kind in _TEXT or kind in _DOCUMENTS or kind.startswith(_FAMILIES):
        return True
    return (kind.startswith("text/") and kind not in _NOT_TEXT) or kind.endswith(("+xml", "+json"))


def worth_asking(url: str) -> bool:
    """Whether an address may lead to something that is read, by the end of its path."""
    last = url.partition("://")[2].partition("?")[0].rpartition("/")[2]
    stem, _, end = last.rpartition(".")
    return not stem or end.lower() not in _LEFT_OUT
