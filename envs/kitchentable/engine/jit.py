"""`kernel`: Numba's njit with a disk cache that no edit can make stale.

Numba keys its cache by the one file that defines a function. A helper or a constant
that is edited in another file is not noticed, not even by an upgrade of the installed
package (https://github.com/numba/numba/issues/1833), and a loop that closes over a
game's kernels is never found again. Here the key is a hash of every source file that a
kernel can depend on: the engine, the cards, and the folder of each game it closes over;
for a kernel that lives elsewhere its own file too, so it may call none of a third file.

Processes may fill one cache at the same time. Numba numbers the files of compiled code by
what the index has at the moment, so that two processes can take the same number, and then
one of them runs the code of the other. Here a file is named after what it is compiled from.

This leans on private parts of Numba; `tests/engine/test_jit.py` pins the behaviour.
"""

import functools
import glob
import hashlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import config, njit
from numba.core import caching

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parents[1]
_SHARED = ("engine", "cards")
_SLOW_COMPILATION = 1.0
"""Seconds of compiling after which the terminal is told, once a process."""

COMPILED: Any = hasattr(njit(lambda: None), "py_func")
"""False under NUMBA_DISABLE_JIT=1, when kernels are plain Python."""


@functools.cache
def _hash_of(source: str) -> str:
    """Return the hash of a file, or of all sources below a folder of this package."""
    path = _PACKAGE / source
    sources = [path] if path.is_file() else sorted(path.rglob("*.py"))
    named = (p.name.encode() + b"\0" + p.read_bytes() for p in sources)
    return hashlib.sha256(b"\0".join(named)).hexdigest()


def _parts(function: Any) -> list[Any]:
    """Return the function and, at every depth, what it closes over."""
    plain = getattr(function, "py_func", function)
    cells = getattr(plain, "__closure__", None) or ()
    return [plain, *(part for cell in cells for part in _parts(cell.cell_contents))]


def _sources(function: Any) -> list[str]:
    """Return the folders, and the files elsewhere, that decide what `function` compiles to."""
    parts = _parts(function)
    modules = {getattr(part, "__module__", None) or "" for part in parts}
    games = {module.split(".games.")[1] for module in modules if ".games." in module}
    folders = [*_SHARED, *sorted({_game_folder(game) for game in games})]
    files = {part.__code__.co_filename for part in parts if hasattr(part, "__code__")}
    covered = tuple(f"{_PACKAGE / folder}{os.sep}" for folder in folders)
    return [*folders, *sorted(file for file in files if not file.startswith(covered))]


def _game_folder(dotted: str) -> str:
    """Return the folder of the game that a module below `games` belongs to."""
    folder = Path("games").joinpath(*dotted.split("."))
    while not (_PACKAGE / folder).is_dir():
        folder = folder.parent
    return folder.as_posix()


def fingerprint(function: Any) -> str:
    """Return the hash of all sources that `function` can depend on."""
    return "-".join(_hash_of(source)[:16] for source in _sources(function))


def _stamped(locator: Any) -> Any:
    """Return a Numba cache locator whose stamp is the fingerprint of the function."""

    def from_function(cls: Any, py_func: Any, py_file: Any) -> Any:
        found = locator.from_function.__func__(cls, py_func, py_file)
        if found is not None:
            found.fingerprint = fingerprint(py_func)
        return found

    members = {
        "from_function": classmethod(from_function),
        "get_source_stamp": lambda self: self.fingerprint,
    }
    return type(locator.__name__, (locator,), members)


class _Impl(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = [_stamped(c) for c in caching.CacheImpl._locator_classes]  # noqa: RUF012

    def __init__(self, function: Any) -> None:
        """Give a loop files of its own for each game whose kernels it closes over."""
        super().__init__(function)
        names = _closed_over(function)
        if names:
            self._filename_base += f"-{_short_hash(names)}"


class _File(caching.IndexDataCacheFile):  # type: ignore[misc]
    def save(self, key: Any, data: Any) -> None:
        """Save compiled code under a name that no other code can have, then the index."""
        overloads = self._load_index()
        if not overloads:
            self._remove_stale()
        name = f"{self._base}.{_short_hash((self._source_stamp, key))}.nbc"
        self._save_data(name, data)
        self._save_index({**overloads, key: name})

    @property
    def _base(self) -> str:
        return str(self._index_name).removesuffix(".nbi")

    def _remove_stale(self) -> None:
        """Remove compiled code of other sources; whoever still wants it compiles it anew."""
        for path in Path(self._cache_path).glob(f"{glob.escape(self._base)}.*.nbc"):
            path.unlink(missing_ok=True)


class _Cache(caching.FunctionCache):  # type: ignore[misc]
    _impl_class = _Impl

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _File(self._cache_path, self._impl.filename_base, stamp)

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """Name what a loop closes over: a dispatcher pickles anew in every process."""
        names = _closed_over(self._py_func)
        return sig, codegen.magic_tuple(), names, getattr(config, "BOUNDSCHECK", None)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save a compiled function, and say once that compiling happens once."""
        super().save_overload(sig, data)
        _tell_of_compiling()


_FIRST_MISS = [0.0]


def _tell_of_compiling() -> None:
    """Tell the terminal, once, that time goes into compiling."""
    now = time.monotonic()
    if _FIRST_MISS[0] == 0.0:
        _FIRST_MISS[0] = now
    elif 0 < _FIRST_MISS[0] < now - _SLOW_COMPILATION:
        _FIRST_MISS[0] = -1.0
        if sys.stderr.isatty():
            print("compiling the rules for this machine (once) ...", file=sys.stderr)


def _closed_over(function: Any) -> tuple[str, ...]:
    """Return the names of what a function closes over, at every depth."""
    return tuple(_name(part) for part in _parts(function)[1:])


def _short_hash(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


def _name(part: Any) -> str:
    name = getattr(part, "__qualname__", None)
    return f"{part.__module__}.{name}" if name else repr(part)


def kernel(function: F) -> F:
    """Compile `function` for the engine; plain Python under NUMBA_DISABLE_JIT=1.

    It releases Python's lock while it runs, so that threads can share the games.
    """
    compiled: Any = njit(nogil=True)(function)
    if compiled is not function:
        cache: Any = _Cache
        compiled._cache = cache(function)
    return cast(F, compiled)


@kernel
def wide(number: int) -> int:
    """Return a number of a record as wide as kernels count: one version is compiled then."""
    return int(number) + 0
