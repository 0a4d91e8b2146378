"""Tasks on a Dask cluster: the same results in the same order as on one worker, and a worker that dies loses nothing.

Dask's own futures are used rather than joblib's Dask backend: they come back one by one in order, only a bounded
number is under way, and what a dead worker was doing, or had done and not yet handed over, is done again elsewhere.
"""

from __future__ import annotations

import gc
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

import cloudpickle

from mazzo.errors import MazzoError, UnreadableError
from mazzo.version import __version__

__all__ = ["LOCAL", "connected", "run_on_cluster"]

Task = TypeVar("Task")
Result = TypeVar("Result")

LOCAL = "local"
"""The address of a cluster that is started for the work on this machine, a process a core, and ended after it."""

PATIENCE = 10.0
"""Seconds to wait for a scheduler to answer, and for it to have a worker."""

_TASKS_A_THREAD = 4


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise UnreadableError("--cluster needs Dask, which is not installed: pip install 'mazzo[cluster]'") from None
    return distributed


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """A client of the scheduler at an address (or of a cluster started here for `local`), with workers we can use."""
    distributed = _distributed()
    if address == LOCAL:
        started = distributed.LocalCluster(threads_per_worker=1, dashboard_address=":0")
        with started as cluster, distributed.Client(cluster) as client:
            yield client
        return
    client = _client(address)
    with client:
        _check_workers(client, address)
        yield client


def _client(address: str) -> Any:
    distributed = _distributed()
    try:
        # What is no address, or where nobody listens, is refused here: a client starts a thread before it looks.
        distributed.comm.registry.get_backend(distributed.comm.parse_address(address)[0])
        _knock(*distributed.comm.get_address_host_port(address, strict=True))
        return distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        reason = str(error)
    # A client that failed closes itself when it is collected. Were that while another one starts, both would wait
    # for ever for the same lock: it is done now.
    gc.collect()
    raise UnreadableError(
        f"no Dask scheduler answers at {address!r} ({reason}); give the address that `dask scheduler` prints, "
        f"such as tcp://10.0.0.5:8786, or {LOCAL!r}"
    )


def _knock(host: str, port: int) -> None:
    socket.create_connection((host, port), timeout=PATIENCE).close()


def _mazzo_there() -> str:
    try:
        from mazzo.version import __version__ as found
    except ImportError:
        return "none"
    return found


def _check_workers(client: Any, address: str) -> None:
    """Workers without Mazzo, or with another one, would fail late or give other results: say so now."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise UnreadableError(
            f"the scheduler at {address} has no workers; start some: dask worker {address} --nthreads 1"
        ) from None
    for worker, found in client.run(_mazzo_there).items():
        if found != __version__:
            raise UnreadableError(
                f"the worker {worker} has {'no mazzo' if found == 'none' else f'mazzo {found}'} where this is "
                f"{__version__}; install there: pip install 'mazzo[cluster]=={__version__}'"
            )


def _keep(pickled: bytes) -> bytes:
    return pickled


def _apply(pickled: bytes, task: Any) -> Any:
    # Every task gets a function of its own, as from any other worker: what an agent remembers does not leak between
    # tasks that share a process.
    return cloudpickle.loads(pickled)(task)


def run_on_cluster(function: Callable[[Task], Result], tasks: Iterable[Task], address: str) -> Iterator[Result]:
    """Apply `function` to each task on a cluster, yielding results in order as they come.

    What is not yet done is cancelled when the caller stops asking, is interrupted, or a task fails.
    """
    waiting = iter(tasks)
    with connected(address) as client:
        under_way: deque[Any] = deque()
        # A task, not scattered data: Dask makes it again when the worker that held it dies.
        pickled = client.submit(_keep, cloudpickle.dumps(function), pure=False)
        try:
            while True:
                room = _TASKS_A_THREAD * max(1, sum(client.nthreads().values())) - len(under_way)
                for task in islice(waiting, max(room, 0)):
                    under_way.append(client.submit(_apply, pickled, task, pure=False))
                if not under_way:
                    return
                yield _result(under_way[0], address)
                under_way.popleft()
        finally:
            _cancel(client, [pickled, *under_way])


def _result(future: Any, address: str) -> Any:
    distributed = _distributed()
    try:
        return future.result()
    except distributed.KilledWorker as error:
        raise MazzoError(
            f"a part of the work ended {error.allowed_failures + 1} workers one after the other, the last at "
            f"{error.last_worker.address}: it may need more memory than they have"
        ) from None
    except (distributed.client.FutureCancelledError, distributed.comm.CommClosedError):
        raise MazzoError(
            f"the connection to the scheduler at {address} was lost; what a checkpoint holds is kept"
        ) from None


def _cancel(client: Any, futures: list[Any]) -> None:
    if client.status == "running":
        client.cancel(futures)
