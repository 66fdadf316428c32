"""A conversation exported as Markdown or Word, with the sources of each answer."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from docx import Document
from docx.shared import Cm
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode as Node

from app.chat.output.markdown import escape_markdown
from app.domain.chat import ChatCitation, ChatLine, Conversation

INDENT = Cm(0.75)  # of each level of a list
MARKS = {"strong": "bold", "em": "italic", "s": "strike"}
_UNWRITABLE = dict.fromkeys({*range(32), 0xFFFE, 0xFFFF} - {9, 10, 13})  # what XML cannot hold
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def transcript(conversation: Conversation, lines: Sequence[ChatLine]) -> str:
    """Questions as quotes, answers as they were shown, each followed by its sources: document, section, page
    and the quoted words.
    """
    parts = [f"# {escape_markdown(conversation.title)}", *filter(None, map(_part, lines))]
    return "\n\n".join(parts) + "\n"


def _part(line: ChatLine) -> str:
    shown = escape_markdown
    if line.role == "assistant":
        notices = [shown(one) for one in line.metadata.get("notices", ())]
        cited = map(ChatCitation.model_validate, line.metadata.get("citations", ()))
        sources = "\n".join(f"{one.marker}. {_source(one)}" for one in cited)
        below = f"**Sources**\n\n{sources}" if sources else ""
        return "\n\n".join(filter(None, (line.content, *notices, below)))
    if line.role == "user":
        lines = line.content.splitlines()
        quoted = "\n".join(f"> {shown(one)}  " if one.strip() else ">" for one in lines)
        return f"**Asked on {line.created_at:%Y-%m-%d %H:%M} UTC**\n\n{quoted}"
    return f"*{shown(line.content)}*" if line.content.strip() else ""


def _source(one: ChatCitation) -> str:
    section = " > ".join(each for each in one.heading_path if each != one.title)
    pages = f"{one.page}" if one.page_end in (None, one.page) else f"{one.page}-{one.page_end}"
    place = [one.title or one.label, section, f"page {pages}" if one.page else "", one.url or ""]
    return f"{', '.join(escape_markdown(each) for each in place if each)}: “{escape_markdown(one.quote)}”"


def word_document(markdown: str) -> bytes:
    """The text as a .docx: headings, lists with their own numbers, tables and quotes. Pictures and HTML
    become text.
    """
    made = Document()
    tree = Node(_MARKDOWN.parse(markdown.translate(_UNWRITABLE)))
    for block in tree.children:
        _write(made, block, 0)
    held = BytesIO()
    made.save(held)
    return held.getvalue()


def _write(made: Any, block: Node, level: int) -> None:  # noqa: ANN401 - python-docx has no types
    """Write a block with those inside it; `level` is its depth in lists."""
    match block.type:
        case "heading":
            _inline(made.add_heading(level=int(block.tag[1])), block)
        case "paragraph":
            written = made.add_paragraph()
            written.paragraph_format.left_indent = INDENT * level
            _inline(written, block)
        case "bullet_list" | "ordered_list":
            _list(made, block, level)
        case "blockquote":
            for one in block.children:
                _inline(made.add_paragraph(style="Intense Quote"), one)
        case "table":
            _table(made, block)
        case "fence" | "code_block":
            made.add_paragraph(block.content)
        case _:
            for one in block.children:
                _write(made, one, level)


def _list(made: Any, block: Node, level: int) -> None:  # noqa: ANN401
    """The numbers are text of the document, since Word counts on from one list to the next."""
    first = int(block.attrs.get("start", 1))
    for number, item in enumerate(block.children, first):
        mark = f"{number}." if block.type == "ordered_list" else "•"
        written = made.add_paragraph(f"{mark}\t")
        written.paragraph_format.left_indent = INDENT * (level + 1)
        written.paragraph_format.first_line_indent = -INDENT
        words = [one for one in item.children[:1] if one.type == "paragraph"]
        for one in words:
            _inline(written, one)
        for one in item.children[len(words) :]:
            _write(made, one, level + 1)


def _table(made: Any, block: Node) -> None:  # noqa: ANN401
    rows = [row for part in block.children for row in part.children]
    table = made.add_table(len(rows), max(len(row.children) for row in rows), style="Table Grid")
    for row, line in zip(table.rows, rows, strict=True):
        for place, cell in zip(row.cells, line.children, strict=False):
            _inline(place.paragraphs[0], cell, *(["bold"] if cell.tag == "th" else []))


def _inline(paragraph: Any, node: Node, *marks: str) -> None:  # noqa: ANN401
    for one in node.children:
        match one.type:
            case "text" | "code_inline" | "softbreak":
                words = " " if one.type == "softbreak" else one.content
                font = paragraph.add_run(words).font
                for mark in marks:
                    setattr(font, mark, True)
            case "hardbreak":
                paragraph.add_run().add_break()
            case _:
                own = [MARKS[one.type]] if one.type in MARKS else []
                _inline(paragraph, one, *marks, *own)
