"""What the tests share."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

#: The repository. WORLDLINES_REPOSITORY names it where the tests were copied elsewhere.
ROOT = Path(os.environ.get("WORLDLINES_REPOSITORY") or Path(__file__).resolve().parents[2]).resolve()
EXECUTABLE = "worldlines.exe" if os.name == "nt" else "worldlines"


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder `corpus/` of the repository."""
    folder = ROOT / "corpus"
    if not folder.is_dir():
        pytest.skip("needs the repository: corpus/ is not here")
    return folder


@pytest.fixture(scope="session")
def command() -> str:
    """The command `worldlines`: of WORLDLINES_COMMAND, of a release build, or of the path."""
    candidates = [os.environ.get("WORLDLINES_COMMAND"), str(ROOT / "target/release" / EXECUTABLE), shutil.which("worldlines")]
    for candidate in candidates:
        if candidate and Path(candidate).is_file():
            return candidate
    pytest.skip("needs the command: cargo build --release")
