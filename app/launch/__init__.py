"""Starting everything on one machine: a Chromium with the extension, the backend, the demo page."""
