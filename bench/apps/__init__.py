"""Goals in real applications, through the real extension and server, judged by the application's own
database or files.

`python -m bench.apps [commands|reasoner] [--app NAME] [--goal ID]`. The applications are published ones:
each is installed at a pinned version from PyPI, npm or Debian into its own environment under `out/apps`,
started empty on a free loopback port, and filled by its command line, API or forms. `commands` runs
without a model; `reasoner` starts the backend with the Gemini-compatible endpoint of `--model-url`.
Before each goal the application is reset to its initial data, and the goal gets a new tab, panel and
session.

A goal (`goal.py`) is a sentence and a check, both written before the first run. The check derives the
expected state from the state before, or says what the answer must contain. A goal also states how many
questions a person would expect, and what that person answers. `runner.py` runs the goals,
`report.py` prints the results. To add an application, write a module with a subclass of `App`
(`app.py`) and its `GOALS`, and add it to `catalogue.py`.
"""
