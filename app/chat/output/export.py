"""Exports a conversation as Markdown or Word, with the sources of each answer."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from docx import Document
from docx.shared import Cm
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode as Node

from app.chat.output.markdown import escape_markdown
from app.domain.chat import ChatCitation, ChatLine, Conversation

INDENT = Cm(0.75)  # per level of a list
MARKS = {"strong": "bold", "em": "italic", "s": "strike"}
_UNWRITABLE = dict.fromkeys({*range(32), 0xFFFE, 0xFFFF} - {9, 10, 13})  # what XML cannot hold
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def transcript(conversation: Conversation, lines: Sequence[ChatLine]) -> str:
    """Questions are quoted; answers are followed by their sources: document, section, page and quote."""
    parts = [f"# {escape_markdown(conversation.title)}", *filter(None, map(_part, lines))]
    return "\n\n".join(parts) + "\n"


def _part(line: ChatLine) -> str:
    if line.role == "assistant":
        notices = map(escape_markdown, line.metadata.get("notices", ()))
        citations = map(ChatCitation.model_validate, line.metadata.get("citations", ()))
        sources = "\n".join(f"{one.marker}. {_source(one)}" for one in citations)
        section = f"**Sources**\n\n{sources}" if sources else ""
        return "\n\n".join(filter(None, (line.content, *notices, section)))
    if line.role == "user":
        lines = line.content.splitlines()
        quote = "\n".join(f"> {escape_markdown(one)}  " if one.strip() else ">" for one in lines)
        return f"**Asked on {line.created_at:%Y-%m-%d %H:%M} UTC**\n\n{quote}"
    return f"*{escape_markdown(line.content)}*" if line.content.strip() else ""


def _source(citation: ChatCitation) -> str:
    title, page, last = citation.title, citation.page, citation.page_end
    section = " > ".join(heading for heading in citation.heading_path if heading != title)
    pages = f"page {page}" if last in (None, page) else f"page {page}-{last}"
    parts = (title or citation.label, section, pages if page else "", citation.url or "")
    place = ", ".join(escape_markdown(part) for part in parts if part)
    return f"{place}: “{escape_markdown(citation.quote)}”"


def word_document(markdown: str) -> bytes:
    """Convert Markdown to a .docx with headings, lists, tables and quotes. Images and HTML become text."""
    document = Document()
    for block in Node(_MARKDOWN.parse(markdown.translate(_UNWRITABLE))).children:
        _write_block(document, block, 0)
    buffer = BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _write_block(document: Any, block: Node, level: int) -> None:  # noqa: ANN401 - python-docx has no types
    """Write a block with its children; `level` is its depth in lists."""
    match block.type:
        case "heading":
            _write_inline(document.add_heading(level=int(block.tag[1])), block)
        case "paragraph":
            paragraph = document.add_paragraph()
            paragraph.paragraph_format.left_indent = INDENT * level
            _write_inline(paragraph, block)
        case "bullet_list" | "ordered_list":
            _write_list(document, block, level)
        case "blockquote":
            for child in block.children:
                _write_inline(document.add_paragraph(style="Intense Quote"), child)
        case "table":
            _write_table(document, block)
        case "fence" | "code_block":
            document.add_paragraph(block.content)
        case _:
            for child in block.children:
                _write_block(document, child, level)


def _write_list(document: Any, block: Node, level: int) -> None:  # noqa: ANN401
    """Numbers are written as text, since Word would continue the numbers of the previous list."""
    first = int(block.attrs.get("start", 1))
    for number, item in enumerate(block.children, first):
        mark = f"{number}." if block.type == "ordered_list" else "•"
        paragraph = document.add_paragraph(f"{mark}\t")
        paragraph.paragraph_format.left_indent = INDENT * (level + 1)
        paragraph.paragraph_format.first_line_indent = -INDENT
        text = [child for child in item.children[:1] if child.type == "paragraph"]
        for child in text:
            _write_inline(paragraph, child)
        for child in item.children[len(text) :]:
            _write_block(document, child, level + 1)


def _write_table(document: Any, block: Node) -> None:  # noqa: ANN401
    rows = [row for part in block.children for row in part.children]
    columns = max(len(row.children) for row in rows)
    table = document.add_table(len(rows), columns, style="Table Grid")
    for table_row, row in zip(table.rows, rows, strict=True):
        for table_cell, cell in zip(table_row.cells, row.children, strict=False):
            _write_inline(table_cell.paragraphs[0], cell, *(["bold"] if cell.tag == "th" else []))


def _write_inline(paragraph: Any, node: Node, *marks: str) -> None:  # noqa: ANN401
    for child in node.children:
        match child.type:
            case "text" | "code_inline" | "softbreak":
                text = " " if child.type == "softbreak" else child.content
                font = paragraph.add_run(text).font
                for mark in marks:
                    setattr(font, mark, True)
            case "hardbreak":
                paragraph.add_run().add_break()
            case _:
                own = [MARKS[child.type]] if child.type in MARKS else []
                _write_inline(paragraph, child, *marks, *own)
