"""Runs CanIToolCall's fixtures with its own runner and checks: run.py OUT."""
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from canitoolcall.runner import RunConfig, run_and_write  # noqa: E402

KEPT = ("DENO", "PROJECT", "POLICY")
folder = [Path(os.environ["FIXTURES"])] if "FIXTURES" in os.environ else []
run_and_write(
    RunConfig(
        fixtures=folder,
        validate=not folder,
        engine="dragoman_adapter:DragomanAdapter",
        python=Path(sys.executable),
        env={"PYTHONPATH": str(HERE)} | {name: os.environ[name] for name in KEPT if name in os.environ},
        out_dir=Path(sys.argv[1]),
        include_observed="all",
        ids=[],
        jobs=2,
    )
)
