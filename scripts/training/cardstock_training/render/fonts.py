"""The fonts that lines are set in, split between training and evaluation.

`fonts.txt` lists the Debian packages. Set FONTS to use another folder.
"""
import functools
import glob
import os
from dataclasses import dataclass

from PIL import ImageFont

from cardstock_training import paths

# Lines are drawn at one size and scaled down: each open font holds memory per size, and there are 850 fonts.
LINE_SIZE = 40

# Splits by design: derived fonts belong to the same split as their original
# (Noto Sans derives from Open Sans, Carlito from Lato, Liberation and Nimbus from Helvetica).
HELD_OUT = ("OpenSans", "NotoSans-", "NotoSansDisplay", "NotoSerif-", "NotoSerifDisplay", "RomandeADF", "Junicode", "Cantarell", "LinLibertine", "LinBiolinum",
            "BebasNeue", "Quattrocento", "Vollkorn", "Jura", "Oxygen", "Quicksand", "GoudyBookletter", "IkariusADF", "MekanusADF", "Karla", "Play-",
            "PTS", "PTF", "PTN", "Averia", "Tuffy", "tuffy", "Manrope", "LeagueSpartan", "OldStandard", "Yrsa", "Rasa", "RG2014",
            "ipaex", "Nanum", "wqy")
# Symbols, initials, handwriting and distorted designs that people cannot read either.
USELESS = ("STIXIntegrals", "STIXSize", "STIXVariants", "STIXNonUnicode", "STIXMath", "DejaVuMath", "BerenisADFProMath", "StandardSymbols", "D050000L",
           "Balker", "Wargames", "Penguin", "Junkyard", "El_Abogado", "MarkedFool", "Winks", "flatline", "progenisis", "It_wasn_t_me", "Swift", "Domestic",
           "Zainer-Initials", "Rusch-R", "UnPilgi", "UnDinaru", "KarlaTamil", "fonts-japanese", "NationalPark-Outline", "MuseumBible",
           "LinLibertine_I.", "LinBiolinum_K", "BetecknaGS Mac", "Radis", "ElstobD.", "Ptolemy", "Hamlet")
# Fonts of evaluate/foreign_games.py and slab_labels.py, which neither the training nor the other evaluations draw.
FOREIGN = ("Amiri", "BIZUD", "Cardo", "FiraCode", "Harmattan", "KleeOne", "Manjari", "Mplus", "RocknRoll", "SmileySans", "cmun", "eurof", "tiresias_")
PER_SCRIPT = {"japanese": ("NotoSansCJK", "NotoSerifCJK", "VL-", "ipaex"), "korean": ("NotoSansCJK", "NotoSerifCJK", "UnBatang", "UnDotum", "UnGraphic", "UnGungseo", "Nanum"),
              "chinese": ("NotoSansCJK", "NotoSerifCJK", "uming", "wqy")}
# Characters that reach the ascender and the descender of each script.
TALL = {"latin": "Hdgp", "cyrillic": "Hdgp", "japanese": "国", "korean": "한", "chinese": "国"}
_NOTO_FACE = {"japanese": 0, "korean": 1, "chinese": 2}
_FALLBACK = "DejaVuSans-Bold.ttf"


@dataclass(frozen=True)
class Face:
    path: str
    index: int = 0

    @property
    def base(self) -> str:
        return os.path.basename(self.path)


@functools.lru_cache(maxsize=None)
def _files() -> tuple[str, ...]:
    found = sorted(f for end in ("otf", "ttf", "ttc") for f in glob.glob(f"{paths.FONTS}/**/*.{end}", recursive=True))
    # Noto has one file per script: skips those without Latin letters.
    named = lambda f: os.path.basename(f)
    return tuple(f for f in found if not named(f).startswith(USELESS + FOREIGN)
                 and (not named(f).startswith("Noto") or named(f).startswith(("NotoSans-", "NotoSansDisplay", "NotoSerif-", "NotoSerifDisplay", "NotoSansCJK", "NotoSerifCJK"))))


@functools.lru_cache(maxsize=None)
def designs(held_out: bool, script: str = "latin") -> tuple[tuple[Face, ...], ...]:
    """Groups the font files by design, so that a design with many weights is not drawn more often."""
    asian = tuple(p for names in PER_SCRIPT.values() for p in names)
    groups: dict[str, list[Face]] = {}
    for path in _files():
        base = os.path.basename(path)
        noto = base.startswith(("NotoSansCJK", "NotoSerifCJK"))
        # Only one broad collection of Asian fonts exists: sans is for training, serif for the evaluation.
        is_held_out = base.startswith("NotoSerifCJK") if noto else base.startswith(HELD_OUT)
        wanted = base.startswith(PER_SCRIPT[script]) if script in PER_SCRIPT else not base.startswith(asian)
        if is_held_out == held_out and wanted:
            key = base.split(".")[0].split("-")[0].rstrip("_RBIZDM0123456789").removesuffix("Bold").removesuffix("Italic")
            groups.setdefault(key, []).append(Face(path, _NOTO_FACE[script] if noto else 0))
    if not groups:
        raise SystemExit("Fonts are missing. Run: apt-get install $(cat fonts.txt)")
    return tuple(tuple(faces) for faces in groups.values())


@functools.lru_cache(maxsize=1000)
def load(face: Face, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(face.path, size, index=face.index, layout_engine=ImageFont.Layout.BASIC)


@functools.lru_cache(maxsize=None)
def fallback() -> Face:
    """Returns the font for stars and bullets, which few fonts have."""
    return next(Face(f) for f in _files() if f.endswith(_FALLBACK))


def _shape(face: Face, char: str):
    mask, offset = load(face, LINE_SIZE).getmask2(char)
    return mask.size, offset, bytes(mask)


@functools.lru_cache(maxsize=None)
def _missing(face: Face) -> tuple:
    return tuple(hash(_shape(face, c)) for c in "\uffff\u0378")


@functools.lru_cache(maxsize=None)
def covers(face: Face, char: str) -> bool:
    """Returns whether the font has the character. All missing characters are drawn as the same box."""
    if char == " ":
        return True
    try:
        shape = _shape(face, char)
    except OSError:
        return False
    return shape[0][0] > 0 and any(shape[2]) and hash(shape) not in _missing(face)


def pick(rng, held_out: bool, text: str, script: str = "latin") -> Face:
    """Returns a random font of the split that has all letters of the text; symbols may use the fallback font."""
    needed = [c for c in set(text + TALL[script]) if c not in "★•™®©—"]
    groups = designs(held_out, script)
    for _ in range(40):
        faces = groups[rng.integers(len(groups))]
        face = faces[rng.integers(len(faces))]
        if all(covers(face, c) for c in needed):
            return face
    return fallback()
