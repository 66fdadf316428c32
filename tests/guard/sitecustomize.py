"""Guards a Python process that a test starts; see `loopback.py`."""

import loopback

loopback.be_a_child()
loopback.forbid()
