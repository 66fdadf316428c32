"""The applications, by name."""

from bench.apps.app import App
from bench.apps.calibreweb import CalibreWeb
from bench.apps.fava import Fava
from bench.apps.ihatemoney import IHateMoney
from bench.apps.nodered import NodeRed
from bench.apps.roundup import Roundup
from bench.apps.tiddlywiki import TiddlyWiki

APPS: dict[str, type[App]] = {
    one.name: one for one in (Roundup, TiddlyWiki, CalibreWeb, Fava, IHateMoney, NodeRed)
}
