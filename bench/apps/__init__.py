"""Goals in real applications, through the real extension and server; what came of each is read from
the application's own database or files.

`python -m bench.apps [commands|reasoner] [--app NAME] [--goal ID]`. Each application is what people
run themselves: installed at a pinned version from PyPI, npm or Debian into an environment of its own
under `out/apps`, started empty on a free loopback port, and filled by its own command line, API or
forms. `commands` runs without a model; `reasoner` starts the backend with the Gemini-compatible
endpoint of `--model-url`. Between goals the application is put back to how it was filled, and the
goal gets a new tab, panel and session.

A goal (`goal.py`) is a sentence and a check that was written before the first run: the state that the
application must be in afterwards, derived from the state before, or what the answer must hold. It
says how many questions a person would expect, and what that person answers. `runner.py` plays,
`report.py` judges and prints. To add an application, write a module with a subclass of `App`
(`app.py`), its `GOALS`, and name it in `catalogue.py`.
"""
