"""What a reader process gives up before it sees a document, so that a document that gets code of its own to
run reaches nothing.

The layers are independent of each other, and none needs root. A layer that the platform lacks is left out;
`Layers` says which ones hold.
"""

import sys

from knowledge.extract.confinement import audit, landlock, limits, privileges, seccomp
from knowledge.extract.confinement.layers import Layers
from knowledge.extract.confinement.places import readable_places

__all__ = ["Layers", "confine"]


def confine(memory: int) -> Layers:
    """Give up files, sockets, other processes and programs, for good. From here on the process reads the code
    of Python and of this package, writes to descriptors that are open already, and allocates `memory` bytes
    more than it has now. Call it before any other thread runs: Landlock binds the calling thread alone.
    """
    places = readable_places()
    limits.set_limits(memory)
    layers = Layers()
    if sys.platform == "linux":
        privileges.drop()
        layers = Layers(landlock=landlock.restrict(places), seccomp=seccomp.install())
    audit.install(places)
    return layers
