"""Office, OpenDocument and EPUB files, most of them zip packages of XML."""
