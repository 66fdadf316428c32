"""Results of the web beside what the documents say, cited apart."""

from app.chat.web.beside import Web, beside, sought

__all__ = ["Web", "beside", "sought"]
