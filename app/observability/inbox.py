"""What waits to be sent elsewhere: bounded in number and size; the oldest goes, counted."""

from collections import deque
from threading import Condition
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Inbox(Generic[Item]):
    """Filled by any thread, which never waits; emptied by one, which may."""

    def __init__(self, most: int, most_size: int) -> None:
        self._most, self._most_size = most, most_size
        self._items: deque[tuple[Item, int]] = deque()
        self._size = 0
        self._stirred = Condition()
        self._closed = False
        self.dropped = 0

    def __len__(self) -> int:
        return len(self._items)

    def put(self, item: Item, size: int) -> None:
        """Take it in. Takes some microseconds."""
        with self._stirred:
            if self._closed:
                self.dropped += 1
                return
            self._items.append((item, size))
            self._size += size
            while len(self._items) > self._most or (
                self._size > self._most_size and len(self._items) > 1
            ):
                self._size -= self._items.popleft()[1]
                self.dropped += 1
            self._stirred.notify()

    def take(self, most: int, wait_s: float, linger_s: float = 0.0) -> list[Item]:
        """Up to `most`; waits `wait_s` for the first of them, then `linger_s` for more."""
        with self._stirred:
            self._stirred.wait_for(lambda: self._items or self._closed, wait_s)
            if self._items and linger_s:
                self._stirred.wait_for(lambda: len(self._items) >= most or self._closed, linger_s)
            taken = [self._items.popleft() for _ in range(min(most, len(self._items)))]
            self._size -= sum(size for _, size in taken)
        return [item for item, _ in taken]

    def close(self) -> None:
        """Nothing more comes; nobody waits any longer."""
        with self._stirred:
            self._closed = True
            self._stirred.notify_all()
