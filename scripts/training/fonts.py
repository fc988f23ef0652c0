"""Which fonts lines of text are set in, and what of them belongs to training.

`fonts.txt` lists the Debian packages. FONTS may name another folder, for a machine without them.
"""
import functools
import glob
import os
from dataclasses import dataclass

from PIL import ImageFont

# Lines are drawn at one size and then made smaller: an opened font is kept for each size, and there are 850.
LINE_SIZE = 40
FOLDER = os.environ.get("FONTS", "/usr/share/fonts")

# Whole designs are kept apart: what was drawn after another font stands on the side of that one
# (Noto Sans came from Open Sans, Carlito from Lato, Liberation and Nimbus from the same Helvetica).
HELD_OUT = ("OpenSans", "NotoSans-", "NotoSansDisplay", "NotoSerif-", "NotoSerifDisplay", "RomandeADF", "Junicode", "Cantarell", "LinLibertine", "LinBiolinum",
            "BebasNeue", "Quattrocento", "Vollkorn", "Jura", "Oxygen", "Quicksand", "GoudyBookletter", "IkariusADF", "MekanusADF", "Karla", "Play-",
            "PTS", "PTF", "PTN", "Averia", "Tuffy", "tuffy", "Manrope", "LeagueSpartan", "OldStandard", "Yrsa", "Rasa", "RG2014",
            "ipaex", "Nanum", "wqy")
# Symbols, initials, hands and wrecks that people do not read as letters either.
USELESS = ("STIXIntegrals", "STIXSize", "STIXVariants", "STIXNonUnicode", "STIXMath", "DejaVuMath", "BerenisADFProMath", "StandardSymbols", "D050000L",
           "Balker", "Wargames", "Penguin", "Junkyard", "El_Abogado", "MarkedFool", "Winks", "flatline", "progenisis", "It_wasn_t_me", "Swift", "Domestic",
           "Zainer-Initials", "Rusch-R", "UnPilgi", "UnDinaru", "KarlaTamil", "fonts-japanese", "NationalPark-Outline", "MuseumBible",
           "LinLibertine_I.", "LinBiolinum_K", "BetecknaGS Mac", "Radis", "ElstobD.", "Ptolemy", "Hamlet")
PER_SCRIPT = {"japanese": ("NotoSansCJK", "NotoSerifCJK", "VL-", "ipaex"), "korean": ("NotoSansCJK", "NotoSerifCJK", "UnBatang", "UnDotum", "UnGraphic", "UnGungseo", "Nanum"),
              "chinese": ("NotoSansCJK", "NotoSerifCJK", "uming", "wqy")}
# Letters as high and as low as any of the script.
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
    found = sorted(f for end in ("otf", "ttf", "ttc") for f in glob.glob(f"{FOLDER}/**/*.{end}", recursive=True))
    # Noto has a file for each script of the world: only those with Latin letters are of use here.
    named = lambda f: os.path.basename(f)
    return tuple(f for f in found if not named(f).startswith(USELESS)
                 and (not named(f).startswith("Noto") or named(f).startswith(("NotoSans-", "NotoSansDisplay", "NotoSerif-", "NotoSerifDisplay", "NotoSansCJK", "NotoSerifCJK"))))


@functools.lru_cache(maxsize=None)
def designs(held_out: bool, script: str = "latin") -> tuple[tuple[Face, ...], ...]:
    """The files of each design, so that one with twenty weights is not drawn twenty times as often."""
    asian = tuple(p for names in PER_SCRIPT.values() for p in names)
    groups: dict[str, list[Face]] = {}
    for path in _files():
        base = os.path.basename(path)
        noto = base.startswith(("NotoSansCJK", "NotoSerifCJK"))
        # There is but one broad collection of Asian fonts: its serif judges, its sans teaches.
        judged = base.startswith("NotoSerifCJK") if noto else base.startswith(HELD_OUT)
        wanted = base.startswith(PER_SCRIPT[script]) if script in PER_SCRIPT else not base.startswith(asian)
        if judged == held_out and wanted:
            key = base.split(".")[0].split("-")[0].rstrip("_RBIZDM0123456789").removesuffix("Bold").removesuffix("Italic")
            groups.setdefault(key, []).append(Face(path, _NOTO_FACE[script] if noto else 0))
    if not groups:
        raise SystemExit("Fonts are missing: apt-get install $(cat fonts.txt)")
    return tuple(tuple(faces) for faces in groups.values())


@functools.lru_cache(maxsize=1000)
def load(face: Face, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(face.path, size, index=face.index, layout_engine=ImageFont.Layout.BASIC)


@functools.lru_cache(maxsize=None)
def fallback() -> Face:
    """For stars and bullets, which few fonts have and cards print in any of them."""
    return next(Face(f) for f in _files() if f.endswith(_FALLBACK))


def _shape(face: Face, char: str):
    mask, offset = load(face, LINE_SIZE).getmask2(char)
    return mask.size, offset, bytes(mask)


@functools.lru_cache(maxsize=None)
def _missing(face: Face) -> tuple:
    return tuple(hash(_shape(face, c)) for c in "\uffff\u0378")


@functools.lru_cache(maxsize=None)
def covers(face: Face, char: str) -> bool:
    """Whether the font has the character: a missing one is drawn as the same box as any other missing one."""
    if char == " ":
        return True
    try:
        shape = _shape(face, char)
    except OSError:
        return False
    return shape[0][0] > 0 and any(shape[2]) and hash(shape) not in _missing(face)


def pick(rng, held_out: bool, text: str, script: str = "latin") -> Face:
    """A font of this side that can set the text; symbols may come from elsewhere."""
    needed = [c for c in set(text + TALL[script]) if c not in "★•™®©—"]
    groups = designs(held_out, script)
    for _ in range(40):
        faces = groups[rng.integers(len(groups))]
        face = faces[rng.integers(len(faces))]
        if all(covers(face, c) for c in needed):
            return face
    return fallback()
