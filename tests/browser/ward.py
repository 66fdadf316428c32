"""A page of a clinic as single-page apps are: what it knows is behind a menu, a dialog, tabs and a button."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

PASSWORD, TYPED, TOKEN = "correct-horse-battery", "Hans Muster-Typed", "csrf-4f1a9c"
WARD = f"""<!doctype html><html lang="en"><head><title>Ward 7</title>
<meta name="csrf-token" content="{TOKEN}"><meta name="description" content="Rules of ward seven"></head><body>
<main><h1>Ward 7</h1>
<section aria-label="Visiting"><h2>Visiting</h2>
<p id=hours>Visiting hours: 14 to 16 o'clock</p></section>
<input type=hidden name=token value="{TOKEN}">
<label>Name <input id=name></label><label>Password <input id=pass type=password></label>
<label>Note <textarea id=note></textarea></label>
<p id=echo></p>
<button id=actions aria-haspopup=menu onclick="menu.hidden = !menu.hidden">Patient menu</button>
<ul id=menu role=menu aria-label="Patient menu" hidden>
<li role=menuitem>Transfer to the radiology department</li>
<li role=menuitem>Print the discharge letter</li></ul>
<button onclick="rules()">House rules</button>
<div role=tablist>
<button role=tab id=t1 aria-selected=true aria-controls=p1 onclick="pick(1)">Doctors</button>
<button role=tab id=t2 aria-selected=false aria-controls=p2 onclick="pick(2)">Diets</button></div>
<div role=tabpanel id=p1 aria-labelledby=t1><p>Doctor Imhof is on duty on Mondays.</p></div>
<div role=tabpanel id=p2 aria-labelledby=t2 hidden></div>
<h2>Stock</h2><ul id=stock><li>Bandages are kept in cupboard nine</li></ul>
<button onclick="more()">Load more</button>
<ward-note></ward-note></main>
<script>
window.leaked = "script-secret-77";
function rules() {{
  const box = document.createElement("dialog");
  box.setAttribute("aria-label", "Visiting");
  box.innerHTML = "<h2>Visiting</h2><p>Visiting hours: 18 to 20 o'clock</p>"
    + "<p>Children under twelve come with an adult.</p><button>Close</button>";
  box.querySelector("button").onclick = () => box.close();
  document.body.append(box);
  box.showModal();
}}
function pick(n) {{
  for (const at of [1, 2]) {{
    document.getElementById("t" + at).setAttribute("aria-selected", at === n);
    document.getElementById("p" + at).hidden = at !== n;
  }}
  const diet = "<p>The gluten-free diet is ordered before ten o'clock.</p>";
  if (n === 2) setTimeout(() => {{ p2.innerHTML = diet; }}, 60);
}}
function more() {{
  const things = ["Syringes are kept in cupboard twelve", "Splints are kept in the cellar", "Masks: door"];
  const items = things.map(thing => "<li>" + thing + "</li>").join("");
  setTimeout(() => stock.insertAdjacentHTML("beforeend", items), 60);
}}
customElements.define("ward-note", class extends HTMLElement {{
  connectedCallback() {{
    this.attachShadow({{mode: "open"}}).innerHTML = "<p>The night nurse is reached at extension 4410.</p>";
  }}
}});
</script></body></html>"""
SHELL = """<!doctype html><title>Rota</title><noscript>This page needs JavaScript.</noscript>
<div id=root></div><script>
const text = "<main><h1>Rota</h1><p>Doctor Quispe is on call on Sundays.</p></main>";
setTimeout(() => { root.innerHTML = text; }, 50)</script>"""
PAGES = {"/": WARD, "/rota": SHELL}


class _Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        page = PAGES.get(self.path.partition("?")[0])
        self.send_response(200 if page else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write((page or "").encode())

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@dataclass(frozen=True)
class Ward:
    """The site, and where it is."""

    url: str


@contextlib.contextmanager
def opened_ward() -> Iterator[Ward]:
    """The site, served on a port of its own."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Page))
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield Ward(f"http://127.0.0.1:{server.server_port}")
    finally:
        server.shutdown()
        server.server_close()
