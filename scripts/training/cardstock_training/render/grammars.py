"""Random text of cards and labels, line by line.

Numbers have the formats of real games; names, words and codes are invented or everyday words. `held_out`
selects formats, words and syllables that training never uses.
"""
import functools
from dataclasses import dataclass

ALPHABET = (" 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz/-.:'&,!?#()+*\"%=_—★•™®©"
            "àáâäãåæçèéêëìíîïñòóôöõøœùúûüßÀÁÂÄÃÅÇÈÉÊËÌÍÎÏÑÒÓÔÖÕÙÚÛÜŒ")
# `other` is what is no line of text in these: see render/distractions.py.
SCRIPTS = ("latin", "japanese", "korean", "chinese", "cyrillic", "other")
KINDS = ("name", "number", "other")  # names and numbers are read first


@dataclass(frozen=True)
class Line:
    text: str
    kind: str
    script: str = "latin"


# Weight and format: 0 is a digit, A a capital, a a lower-case variant letter, @ a set code; other characters
# are literal.
_NUMBERS = (
    (14, "000/000"), (6, "00/00"), (5, "00/000"), (3, "0/000"), (2, "0/00"), (6, "000"), (3, "00"), (2, "0"), (3, "0000"), (1, "00000"),
    (8, "@00-000"), (4, "A-000"), (3, "@-AA000"), (3, "@-A000"), (3, "@-000"), (4, "@000"), (2, "0@000"), (2, "@0-000"), (3, "@00-00"),
    (3, "A 0000"), (3, "A 000/000"), (3, "000/000 A"), (2, "000/000 AA"), (3, "A00"), (3, "AA00"), (2, "AA0"), (2, "AA000"), (2, "@ 00"),
    (3, "AA00/AA00"), (2, "AA000/AA000"), (2, "A00/A00"), (2, "SWSH000"), (1, "SM000"), (1, "XY000"), (1, "SVP 000"), (2, "TG00/TG00"), (2, "GG00/GG00"),
    (2, "00a"), (2, "000a"), (1, "00a/000"), (1, "000★"), (1, "00★"), (1, "000/000★"), (2, "No. 00"), (1, "No. 0000"), (1, "No. 000"), (1, "#000"),
    (2, "@ EN 000/000"), (2, "@ 000/000"), (2, "000/@-P"), (1, "PROMO 000"), (2, "@ A 000"), (1, "PD0-000"), (2, "P00"), (2, "@ • 000/000"),
    (2, "000/000 • EN • 0"), (1, "@00-000 A"), (1, "@00-000 AA"), (1, "@00-000_a0"), (1, "@00/000"), (1, "@ 0-000"), (1, "@-A00"),
)
_NUMBERS_HELD_OUT = (
    (8, "000/000"), (3, "00/000"), (3, "000"), (4, "@00-000"), (3, "A 0000"), (3, "@-AA000"), (4, "@000"),  # common formats, in held-out fonts
    (2, "@00/A00-000"), (2, "@/A00-A000"), (2, "00AA-000"), (2, "AA0/000"), (2, "@-AAA00"), (2, "000a/000 A"), (2, "@.000"), (2, "A000/A000"),
    (2, "@ 000a"), (2, "A-00/00"), (1, "No.00/00"), (2, "@00-A00"), (2, "AA-000/000"), (2, "@ DE 00/000"),
)
_CODES = ("OP ST EB PRB BT EX LM FB SB FS WTR ARC CRU MON ELE UPR DYN OUT DTD EVO HVY MST ROS HNT SEA KSU IRA LOB MRD SDK PSV LON BLMM RA MP SVI PAL OBF MEW PAR TEF TWM SFA SCR SSP PRE JTG "
          "DSK BLB OTJ MKM LCI WOE MOM ONE BRO DMU SNC NEO VOW MID AFR STX KHM ZNR IKO THB ELD WAR RNA GRN M21 M15 MH3 2XM CMM LTR TSR SVP PR SM XY BW DP HS SW TFC ROF ITI URR SSK AZS ARI").split()
_CODES_HELD_OUT = "GRA KTK FRF ORI BFZ SOI EMN AER AKH HOU XLN RIX DOM EOE TDM DFT FIN SPM FDN BLK WHT PFL MEG UE UA SOR SHD TWI JTL LOF RVN ALT DOA FTL".split()

_SYLLABLES = ("an ar bel bor cal cor dan dor el en fal fen gar gol hal hel il is jor kal kor lan lor mar mir nal nor ol or pan pel qua ral rin sal sil tar tor ul "
              "um val ver wil wyn xan yor zan bra chi cla dra flo gri kra ne pi pla pri sco she sta thu tri vo wa zu ja ka lu mo ni ri to ya ze").split()
_SYLLABLES_HELD_OUT = ("aer bix cyn dul esh fyr gho hux iva jix kuz lym myx nyt oph pyr quo rhe syb tyl uth vyx wro xil yad zeph blu cre dwi fje glo hra ingu "
                       "kle mna pto psi rus sly tsu urk vla whi").split()
_WORDS = ("Fire Water Stone Storm Shadow Light Dark Dragon Knight Wolf Forest Mountain Island Plains Swamp Blade Shield Master Lord Queen King Angel Demon Spirit Soul Heart Hand Eye Wing Claw Fang Blood "
          "Bone Iron Steel Gold Silver Crystal Star Moon Sun Night Day Dawn Dusk Sky Sea River Wind Thunder Lightning Flame Ember Ash Frost Ice Snow Thorn Root Vine Flower Seed Giant Elf Goblin Zombie Vampire "
          "Wizard Warrior Rogue Cleric Hunter Scout Guard Captain Pirate Sailor Ninja Samurai Monk Priest Oracle Prophet Sage Witch Curse Charm Ring Crown Throne Gate Tower Temple Tomb Ruins Path Road Bridge "
          "Ancient Elder Young Great Little Wild Savage Holy Fallen Lost Hidden Secret Silent Swift Sudden Final First Last Ultimate Burning Frozen Broken Rising Blazing Mystic Arcane Radiant Rapid Energy "
          "Trainer Research Professor Ball Potion Switch Search Rare Candy Strike Charge Rush Blast Beam Wave Pulse Surge Ritual Pact Bargain Return Recall Summon Destroy Exile Counter Draw Discard").split()
_WORDS_HELD_OUT = ("Anvil Beacon Cinder Drake Echo Falcon Grave Harbor Idol Jester Kraken Lantern Mirror Nomad Orchid Phantom Quarry Raven Sentinel Talon Urchin Vault Warden Yonder Zealot Amber Brook Cobalt Driftwood "
                   "Eclipse Feather Glacier Hollow Ivory Juniper Keeper Labyrinth Meadow Nightfall Obelisk Prism Quill Rampart Scarab Tempest Umbral Vortex Willow Wretched Gilded Verdant Molten Whispering Towering Forgotten").split()
_FOREIGN = ("Île Forêt Épée Chevalier Démon Étoile Rêve Château Réveil Âme Façade Garçon Sœur Cœur Hôte Maître Pêche Gardien Évoli Ténèbres Königin Jäger Zauberer Drache Wächter Geist Fluß Größe Schlüssel Höhle Übermut Öl Äther "
            "Blütezeit Süden Wald Sonne Schatten Dragón Corazón Espíritu Niño Señor Luz Montaña Árbol Ángel Último Día Fénix Océano Relámpago Città Volontà Libertà Perché Guerriero Cavaliere Oscurità Drago Luce Foresta "
            "Coração Dragão Espírito Irmão Lâmina Maçã Poção Trovão Leão Sombra Estação Vampiro Pokémon Flabébé Café Jötun Séance Dandân Lim-Dûl Márton Ghazbán Juzám Khabál Bösium").split()
_FOREIGN_HELD_OUT = ("Fée Bénédiction Forgeron Hérisson Mélodie Où Légende Nécropole Aïeul Goûter Würger Mörder Rückkehr Böse Täuschung Straße Fräulein Nächte Señal Búsqueda Cazador Pájaro Ilusión Destrucción Però Così Virtù Più "
                     "Ação Balão Canção Último Trovões Órgão Éowyn Théoden Nazgûl Barad-dûr Andúril Hôtel").split()
_TITLES = "EX ex GX V VMAX VSTAR V-UNION BREAK LV.X Prime LEGEND Star".split()
_PLACES = "Hisui Galar Alola Rocket Team Aqua Magma Lake Valley Isle North South East West".split()
_TYPES = ("Creature Artifact Enchantment Instant Sorcery Land Legendary Basic Snow Planeswalker Battle Aura Equipment Vehicle Saga Token Tribal Kindred Human Soldier Beast Bird Merfolk Construct Character Event Stage Leader "
          "Stage 1 Stage 2 Item Supporter Tool Stadium Action Attack Reaction Block Hero Weapon Generic Guardian Brute Spell Monster Trap Effect Fusion Synchro Storyborn Dreamborn Hero Ally Song Location").split()
_RULES = ("the a of to and you your this that it card cards deck hand draw discard damage opponent player each turn until end may put on top into from play when whenever if then choose target creature control "
          "one two three up to all other during battle attack defending active bench energy attached search shuffle gain life power counter flip coin heads tails prevent effects cost pay reveal look at bottom "
          "cannot be blocked except by it's don't more than enters graveyard exile untap tap add mana any color return owner's sacrifice target's").split()
ARTISTS = "Illus. Artist: Illustrated by Ill. by".split()
FIRST_NAMES = "Anna Ben Carla Dan Eva Finn Greta Hugo Ida Jan Kazuo Lena Mia Noah Olga Pia Ryo Sara Tom Uma Yuki Zoe Mitsuhiro Ken Naoki".split()
STAMPS = ("1st Edition", "1st edition", "1ST EDITION", "Limited Edition", "LIMITED EDITION", "Unlimited", "UNLIMITED", "Prerelease", "PRERELEASE", "PRE-RELEASE", "Staff", "STAFF", "Promo", "PROMO", "Promo Pack", "First Edition",
           "WINNER", "Winner", "Judge", "League", "CHAMPION", "Finalist", "TOP 8", "Edition 1")
_TIERS = {10: "GEM MT|GEM MINT|PRISTINE|PERFECT|GEM-MT|BLACK LABEL", 9.5: "GEM MINT|MINT+|MINT +", 9: "MINT|MT", 8.5: "NM-MT+|NM/Mint+|NM MT+", 8: "NM-MT|NM/MINT|NM MT", 7.5: "NEAR MINT+|NM+", 7: "NEAR MINT|NM", 6.5: "EX-NM+|EX/NM+",
          6: "EX-MT|EX/NM|EX MT", 5.5: "EX+|EXCELLENT+", 5: "EX|EXCELLENT", 4.5: "VG-EX+|VG/EX+", 4: "VG-EX|VG/EX", 3.5: "VG+", 3: "VG|VERY GOOD", 2.5: "GOOD+|GD+", 2: "GOOD|GD", 1.5: "FAIR|FR", 1: "POOR|PR"}
_GRADERS = ("PSA", "PSA", "PSA", "BGS", "BECKETT", "CGC", "CGC CARDS", "CGC TRADING CARDS", "SGC", "TAG", "TAG GRADING", "ACE", "ACE GRADING")
_SUBGRADES = "CENTERING CORNERS EDGES SURFACE Centering Corners Edges Surface".split()

_KANA = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをんがぎぐげござじずぜぞだでどばびぶべぼぱぴぷぺぽっゃゅょ"
_KATAKANA = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンガギグゲゴザジズゼゾダデドバビブベボパピプペポッャュョーァィェォ"
_KANJI = "火水草雷光闇竜王女神剣盾力心魂星月日夜空海山森風炎氷石鉄金銀血骨手札山場番自分相手枚引選以下効果攻撃進化特性基本進入身体大小上中前後出入発動使用時間対象破壊召喚条件"
_HANZI = "的一是不了在人有我他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里所去行过家十用发天如然作方成者多日都三小军二无同么经法当起与好看学进种将还分此心前面又定见只主没公从火水龙王剑魔法师战士光暗森林山海风雷冰之神秘古老力量卡牌抽弃目标生物控制造成伤害點傷害對手張卡從牌庫進場時戰鬥階段"
_CYRILLIC = "Рыцарь Дракон Огонь Вода Лес Гора Остров Равнина Болото Ангел Демон Дух Сила Меч Щит Король Маг Воин Тень Свет Звезда Луна Солнце Ночь Буря Молния Лёд Камень Железо Кровь Кость Врата Башня Храм Тайна Путь Зверь Птица Волк Эльф Гоблин Существо Заклинание".split()
_CYRILLIC_RULES = "когда вы можете взять карту цель игрок теряет жизни до конца хода существо под вашим контролем получает если оно умирает каждый оппонент сбрасывает положите это на поле битвы".split()


def pick(rng, options):
    return options[rng.integers(len(options))]


@functools.lru_cache(maxsize=None)
def _cumulative(held_out: bool):
    shapes = _NUMBERS_HELD_OUT if held_out else _NUMBERS
    total, sums = 0, []
    for weight, _ in shapes:
        total += weight
        sums.append(total)
    return shapes, sums, total


def code(rng, held_out: bool) -> str:
    """Returns a set code. Most are random letters, because the codes of future sets cannot be learned."""
    if rng.random() < 0.4:
        return pick(rng, _CODES_HELD_OUT if held_out else _CODES)
    return "".join(chr(65 + rng.integers(26)) for _ in range(int(rng.choice([2, 3, 3, 3, 4]))))


def number(rng, held_out: bool) -> str:
    shapes, sums, total = _cumulative(held_out)
    at = rng.integers(total)
    shape = next(s for (_, s), upto in zip(shapes, sums) if at < upto)
    # Literal letters of a format ("SWSH", "No.", "EN") stay.
    fixed = {"SWSH", "SM", "XY", "SVP", "TG", "GG", "EN", "DE", "PROMO", "PD", "No", "P"}
    out, word = [], ""
    for c in shape + "\0":
        if c.isalpha() and c != "\0":
            word += c
            continue
        if word:
            own = word in fixed and not (word == "P" and "-P" not in shape and not shape.startswith("P"))
            out.append(word if own else "".join(chr(65 + rng.integers(26)) if x == "A" else pick(rng, "abcdefsprtwxyz") if x == "a" else x for x in word))
            word = ""
        out.append(code(rng, held_out) if c == "@" else str(rng.integers(10)) if c == "0" else c if c != "\0" else "")
    return "".join(out)


def _word(rng, held_out: bool) -> str:
    roll = rng.random()
    if roll < 0.45:
        syllables = _SYLLABLES_HELD_OUT if held_out else _SYLLABLES
        made = "".join(pick(rng, syllables) for _ in range(rng.integers(1, 4))).title()
        if rng.random() < 0.06:
            made = _accented(rng, made)
        return made if rng.random() > 0.04 or len(made) < 4 else made[:2] + "'" + made[2:]
    if roll < 0.87:
        return pick(rng, _WORDS_HELD_OUT if held_out else _WORDS)
    return pick(rng, _FOREIGN_HELD_OUT if held_out else _FOREIGN)


_ACCENTS = {"a": "àáâäãå", "e": "èéêë", "i": "ìíîï", "o": "òóôöõø", "u": "ùúûü", "c": "ç", "n": "ñ"}


def _accented(rng, text: str) -> str:
    places = [i for i, c in enumerate(text) if c in _ACCENTS]
    if not places:
        return text
    i = pick(rng, places)
    return text[:i] + pick(rng, _ACCENTS[text[i]]) + text[i + 1:]


def name(rng, held_out: bool) -> str:
    w = lambda: _word(rng, held_out)
    roll = rng.integers(20)
    made = (f"{w()}" if roll < 5 else f"{w()} {w()}" if roll < 9 else f"{w()} of {w()}" if roll == 9 else f"{w()} of the {w()}" if roll == 10
            else f"{w()}, {w()} {w()}" if roll == 11 else f"{w()}'s {w()}" if roll == 12 else f"{w()} // {w()}" if roll == 13 else f"{w()}-{w()}" if roll == 14
            else f"{w()} {pick(rng, _TITLES)}" if roll == 15 else f"{pick(rng, _PLACES)} {w()}" if roll == 16 else f"{w()} & {w()}-GX" if roll == 17
            else f"{w()}, the {w()}" if roll == 18 else f"{w()} {w()} {w()}")
    return made.upper() if rng.random() < 0.1 else made


def rules_line(rng, _held_out: bool) -> str:
    """Returns a line of rules text. Its common words are not split, because rules are not evaluated."""
    text = " ".join(pick(rng, _RULES) for _ in range(rng.integers(3, 8)))
    text = text[0].upper() + text[1:] if rng.random() < 0.4 else text
    if rng.random() < 0.3:
        text = text.replace(" ", f" {rng.integers(1, 100)} ", 1)
    return text + pick(rng, ("", "", ".", ",", ":"))


def type_line(rng, held_out: bool) -> str:
    left = " ".join(pick(rng, _TYPES) for _ in range(rng.integers(1, 3)))
    if rng.random() < 0.6:
        left += pick(rng, (" — ", " - ", " • ", " / ")) + " ".join(pick(rng, _TYPES if rng.random() < 0.7 else _WORDS) for _ in range(rng.integers(1, 3)))
    return left


def small_line(rng, held_out: bool) -> str:
    """Returns small print near a number: artist, year, language, points."""
    person = f"{pick(rng, FIRST_NAMES)} {_word(rng, held_out)}"
    year = int(rng.integers(1993, 2027))
    return pick(rng, (f"Illus. {person}", f"{code(rng, held_out)} • EN {person}", f"{code(rng, held_out)} ★ EN", f"© {year} {_word(rng, held_out)}", f"©{year} {_word(rng, held_out)} Inc.", f"TM & © {year} {_word(rng, held_out)} of the {_word(rng, held_out)}",
                      f"HP {10 * rng.integers(3, 35)}", f"{10 * rng.integers(3, 35)} HP", f"{10 * rng.integers(1, 35)}", f"{rng.integers(0, 13)}/{rng.integers(0, 13)}", f"{1000 * rng.integers(1, 13)}", f"+{1000 * rng.integers(1, 3)}",
                      f"LV.{rng.integers(5, 70)}", f"Cost {rng.integers(1, 10)}", f"{person}", "Weakness x2", f"-{10 * rng.integers(1, 4)}", f"ATK/{100 * rng.integers(1, 40)}", f"DEF/{100 * rng.integers(1, 40)}", f"{_word(rng, held_out)} {rng.integers(1, 10)}+",
                      code(rng, held_out), f"{code(rng, held_out)} EN", f"{pick(rng, 'CURMSL')}", pick(rng, ("SR", "SEC", "UC", "RR", "AR", "SAR", "UR", "HR"))))


def grade(rng) -> tuple[float | None, str]:
    """Returns a grade and its tier; None for a card that is only authenticated."""
    if rng.random() < 0.06:
        return None, pick(rng, ("AUTHENTIC", "AUTHENTIC ALTERED", "Authentic", "AUTH", "ALTERED"))
    value = pick(rng, (10, 10, 10, 9.5, 9.5, 9, 9, 9, 8.5, 8, 8, 7.5, 7, 6.5, 6, 5.5, 5, 4.5, 4, 3.5, 3, 2.5, 2, 1.5, 1))
    return value, pick(rng, _TIERS[value].split("|"))


def label(rng, held_out: bool, card: tuple[str, str, str] | None = None) -> list[str]:
    """Returns the lines of a grading label, in order. `card` is the name, the number and the code of the card in the slab."""
    value, tier = grade(rng)
    shown = "" if value is None else f"{value:g}"
    game = pick(rng, ("POKEMON", "POKEMON GAME", "MAGIC", "MAGIC: THE GATHERING", "YU-GI-OH!", "ONE PIECE", "LORCANA", "P.M. JAPANESE", "DIGIMON", "FLESH AND BLOOD"))
    year = int(rng.integers(1993, 2027))
    who, listed, of = card or (name(rng, held_out), number(rng, held_out), code(rng, held_out))
    who, short = who.upper()[:24], listed.split("/")[0].lstrip("0") if card else rng.integers(1, 300)
    grader = pick(rng, _GRADERS)
    shape = rng.integers(4)
    if shape == 0:
        lines = [f"{year} {game}", f"#{short}", who, tier, pick(rng, ("HOLO", "1ST EDITION", "REV.FOIL", "FULL ART", "SPECIAL ILLUSTRATION RARE", "UNLIMITED")), shown, f"{rng.integers(10 ** 7, 10 ** 8)}", grader]
    elif shape == 1:
        lines = [grader, who.title(), f"{game.title()} - {of} - {listed}", tier, shown, f"{rng.integers(10 ** 9, 10 ** 10)}"]
    elif shape == 2:
        lines = [f"{year} {game} {of}", f"{listed} {who}", f"{tier} {shown}".strip(), *(f"{s} {pick(rng, ('10', '9.5', '9', '8.5', '8'))}" for s in _SUBGRADES[:4]), f"{rng.integers(10 ** 9, 10 ** 10)}", grader]
    else:
        lines = [grader, shown, tier, f"{year}", who, f"{game} #{listed}", f"{pick(rng, 'ABCDEFGH')}{rng.integers(10 ** 6, 10 ** 7)}"]
    return [x for x in lines if x]


def foreign(rng, script: str) -> str:
    """Returns meaningless text in another script; the recognizer only learns the script."""
    n = int(rng.integers(2, 13))
    if script == "japanese":
        # Always with kana: kanji alone could be Chinese.
        kana = _KATAKANA if rng.random() < 0.5 else _KANA
        text = "".join(pick(rng, kana if rng.random() < 0.65 else _KANJI) for _ in range(n)) + pick(rng, kana) + pick(rng, kana)
    elif script == "korean":
        text = "".join(chr(0xAC00 + int(rng.integers(19)) * 588 + int(rng.choice((0, 1, 4, 5, 8, 13, 18, 20))) * 28 + int(rng.choice((0, 0, 0, 1, 4, 8, 16, 17, 21)))) + (" " if rng.random() < 0.25 else "") for _ in range(n)).strip()
    elif script == "chinese":
        text = "".join(pick(rng, _HANZI) for _ in range(n))
    else:
        words = _CYRILLIC if rng.random() < 0.6 else _CYRILLIC_RULES
        text = " ".join(pick(rng, words) for _ in range(rng.integers(1, 5)))
    if rng.random() < 0.12:
        text += f" {rng.integers(10, 330)}"
    return text


def line(rng, held_out: bool) -> Line:
    """Returns a random line; numbers and names are the most frequent."""
    roll = rng.random()
    if roll < 0.42:
        return Line(number(rng, held_out), "number")
    if roll < 0.66:
        return Line(name(rng, held_out), "name")
    if roll < 0.78:
        return Line(pick(rng, label(rng, held_out)), "label")
    if roll < 0.82:
        return Line(pick(rng, STAMPS), "stamp")
    if roll < 0.88:
        return Line(small_line(rng, held_out), "small")
    if roll < 0.91:
        return Line(type_line(rng, held_out), "type")
    if roll < 0.94:
        return Line(rules_line(rng, held_out), "rules")
    script = SCRIPTS[1 + rng.integers(4)]
    return Line(foreign(rng, script), "foreign", script)


def readable(text: str) -> str:
    """Removes characters that the recognizer has no class for."""
    return "".join(c for c in text if c in ALPHABET)
