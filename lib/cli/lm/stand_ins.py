"""Makes the CUDA build of torch, the one that PyPI has for Linux, importable without CUDA's libraries.

    python stand_ins.py        after `pip install --no-deps torch`, with that environment's python

Every CUDA library that torch's own libraries ask for and that is not there becomes an empty library; all of them lean on
one, `libnocuda.so`, which answers each call with error 100, "no device". So torch finds no GPU and computes on the CPU.
Invariant: does nothing where nothing is missing (macOS, ARM). Needs gcc and readelf where something is.
"""

import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import List, Set, Tuple

CUDA_LIBRARY = re.compile(r"lib(cu|nv|nccl)")
CUDA_SYMBOL = re.compile(r"_{0,2}(cu|nv|nccl)\w*$")
ANSWERS_TEXT = re.compile(r"ErrorString|ErrorName|StatusString|GetStatusName")
NO_DEVICE = 100
COMPILE = ("gcc", "-w", "-O1", "-fno-builtin", "-shared", "-fPIC")


def run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def missing_from(folder: Path) -> Tuple[List[str], List[str]]:
    """CUDA libraries that are asked for and not there, and the CUDA symbols that nobody defines."""
    needed: Set[str] = set()
    wanted: Set[str] = set()
    defined: Set[str] = set()
    for library in folder.glob("lib*.so*"):
        needed.update(re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-dW", str(library))))
        for line in run("readelf", "--dyn-syms", "-W", str(library)).splitlines():
            columns = line.split()
            if len(columns) < 8 or columns[4] not in ("GLOBAL", "WEAK"):
                continue
            name = columns[7].partition("@")[0]
            if columns[6] != "UND":
                defined.add(name)
            elif columns[4] == "GLOBAL":
                wanted.add(name)
    there = {entry.name for entry in folder.iterdir()}
    libraries = sorted(name for name in needed - there if CUDA_LIBRARY.match(name))
    return libraries, sorted(name for name in wanted - defined if CUDA_SYMBOL.match(name))


def source_of(symbols: List[str]) -> str:
    text = 'const char *%s(void) { return "no CUDA"; }'
    number = f"long %s(void) {{ return {NO_DEVICE}; }}"
    return "\n".join((text if ANSWERS_TEXT.search(name) else number) % name for name in symbols) + "\n"


def main() -> None:
    folder = Path(sysconfig.get_paths()["purelib"]) / "torch" / "lib"
    if not sys.platform.startswith("linux"):
        return
    libraries, symbols = missing_from(folder)
    if not libraries:
        return
    with tempfile.TemporaryDirectory() as scratch:
        full, empty = Path(scratch) / "full.c", Path(scratch) / "empty.c"
        full.write_text(source_of(symbols))
        empty.write_text("")
        run(*COMPILE, "-o", str(folder / "libnocuda.so"), str(full), "-Wl,-soname,libnocuda.so")
        # without a symbol of its own a library needs no version table: the loader finds the call in libnocuda.so and takes it
        lean = ("-Wl,--no-as-needed", f"-L{folder}", "-lnocuda", "-Wl,-rpath,$ORIGIN")
        for name in libraries:
            run(*COMPILE, "-o", str(folder / name), str(empty), f"-Wl,-soname,{name}", *lean)


if __name__ == "__main__":
    main()
