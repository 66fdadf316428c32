"""Measure what observing adds to a page: the growth of its longest task, and whether memory stays flat."""

from dataclasses import dataclass

from playwright.async_api import BrowserContext, CDPSession, Page

from bench.observation.latency import evaluate, install_scripts

REPEATS = 7
LOOKS = (50, 500)
MIB = 1024 * 1024

# One task of the page and the effects of its mutations: ms until the next task begins.
_TASKS = {
    "10,000 nodes appended": """
      const list = document.createElement("ul");
      document.body.append(list);
      for (let n = 0; n < 10000; n++) list.append(document.createElement("li"));
      done = () => list.remove();""",
    "10,000 nodes in one go": """
      const part = document.createDocumentFragment();
      for (let n = 0; n < 10000; n++) part.append(document.createElement("p"));
      document.body.append(part);
      done = () => document.body.replaceChildren();""",
    "10,000 attributes": """
      const boxes = Array.from({length: 10000}, () => document.createElement("div"));
      document.body.append(...boxes);
      await next();
      began = performance.now();
      for (const [n, box] of boxes.entries()) box.className = `notice-${n % 7}`;
      done = () => document.body.replaceChildren();""",
}
_TASK = """async () => {
  const next = () => new Promise((done) => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => done();
    port2.postMessage(0);
  });
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  let done, began = performance.now();
  %s
  await next();
  const taken = performance.now() - began;
  done();
  await next();
  return taken;
}"""

# A list rerendered before each observation, as a framework does without keys.
_LOOKS = """(async (from, to) => {
  for (let n = from; n < to; n++) {
    const row = (at) => `<li><b>Record ${n}-${at}</b> <button>Edit</button> <a href="#${at}">Open</a>`;
    const rows = Array.from({length: 20}, (_, at) => row(at));
    document.body.innerHTML = `<h1>Round ${n}</h1><ul>${rows.join("")}</ul>`;
    const request = {id: n, kind: "observe", taskKey: "bench", nextId: 1};
    const {ok, error} = await globalThis.__tabwright.answer(request);
    if (!ok) throw new Error(error.message);
  }
})"""


@dataclass(frozen=True, slots=True)
class ObservationCost:
    """`added_ms` to each task of the page by observing; the heap in bytes after that many observations."""

    added_ms: dict[str, float]
    heap: dict[int, int]

    def lines(self) -> str:
        """Both as text."""
        task, most = max(self.added_ms.items(), key=lambda one: one[1])
        heaps = ", ".join(f"{size / MIB:.2f} MiB at look {at}" for at, size in self.heap.items())
        return f"watching adds at most {most:.1f} ms to a task ({task})\nheap: {heaps}"


async def measure_overhead(context: BrowserContext) -> ObservationCost:
    """Measure both on a page of their own."""
    page = await context.new_page()
    session = await context.new_cdp_session(page)
    try:
        world = await install_scripts(session)
        added = {
            name: await _added(page, session, world, _TASK % task) for name, task in _TASKS.items()
        }
        heap = await _heap(session, world)
    finally:
        await page.close()
    return ObservationCost(added, heap)


async def _added(page: Page, session: CDPSession, world: int, task: str) -> float:
    """The shortest of alternating runs, unobserved and observed: frames and other processes can only add
    time.
    """
    taken: dict[str, list[float]] = {"stop": [], "start": []}
    for _ in range(REPEATS):
        for change, times in taken.items():
            await evaluate(session, world, f"void __tabwright.activity.{change}()")
            times.append(await page.evaluate(task))
    return min(taken["start"]) - min(taken["stop"])


async def _heap(session: CDPSession, world: int) -> dict[int, int]:
    """Bytes in use after a garbage collection."""
    sizes: dict[int, int] = {}
    before = 0
    for at in LOOKS:
        await evaluate(session, world, f"{_LOOKS}({before}, {at})")
        await session.send("HeapProfiler.collectGarbage")
        sizes[at], before = (await session.send("Runtime.getHeapUsage"))["usedSize"], at
    return sizes
