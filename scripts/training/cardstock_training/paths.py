"""Folders that the modules read and write. Environment variables override the defaults."""
import os
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
# Banks of pictures (2.3 GB) and checkpoints.
BANK = Path(os.environ.get("BANK", REPOSITORY / "data/run/train"))
# Scans and textures that do not belong to this repository. Optional.
SHARED = Path(os.environ.get("SHARED", REPOSITORY / "../shared"))
FONTS = os.environ.get("FONTS", "/usr/share/fonts")
EVALUATION = Path(os.environ.get("EVALUATION", REPOSITORY / "data/run/evaluation"))
PRINTINGS = Path(os.environ.get("PRINTINGS", REPOSITORY / "data/run/printings"))
SCANS = Path(os.environ.get("SCANS", REPOSITORY / "data/run/scans"))
LEARNING = Path(os.environ.get("LEARNING", REPOSITORY / "data/run/learning"))
PAGES = Path(os.environ.get("PAGES", REPOSITORY / "data/run/pages"))
LAYOUTS = Path(os.environ.get("LAYOUTS", REPOSITORY / "data/run/layouts"))
SLABS = Path(os.environ.get("SLABS", REPOSITORY / "data/run/slabs"))
LINES = Path(os.environ.get("LINES", REPOSITORY / "data/run/lines"))
MODEL = REPOSITORY / "data/model"
PEERS = REPOSITORY / "bench/peer"
THRESHOLDS = REPOSITORY / "src/rules/photos/thresholds.ts"
