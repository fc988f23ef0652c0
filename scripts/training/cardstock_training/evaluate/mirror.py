"""Writes the catalogs of the evaluation sets as mirrors in the layout of the upstream."""
import json
from dataclasses import dataclass
from pathlib import Path

DAY = "2026-11-15T20:05:50"


@dataclass(frozen=True)
class ListedSet:
    game: int
    id: int
    name: str
    code: str
    year: int


@dataclass(frozen=True)
class ListedCard:
    id: int
    set: int
    name: str
    number: str
    rarity: str = "Common"
    file: str | None = None  # path of its picture in the mirror


def write(root: Path, games: dict[int, str], sets: list[ListedSet], cards: list[ListedCard]) -> None:
    """Writes games (name by id), their sets and cards, and one price of each card."""

    def save(path: str, **content) -> None:
        file = root / "tcgplayer" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "w") as out:
            json.dump(dict(content, success=True, errors=[]), out)

    def product(card: ListedCard, game: int) -> dict:
        return dict(productId=card.id, name=card.name, cleanName=card.name, imageUrl=card.file, categoryId=game, groupId=card.set,
                    url=f"https://marketplace.example/product/{card.id}", modifiedOn=DAY, imageCount=int(card.file is not None),
                    presaleInfo=dict(isPresale=False, releasedOn=None, note=None),
                    extendedData=[dict(name="Number", displayName="Number", value=card.number), dict(name="Rarity", displayName="Rarity", value=card.rarity)])

    of_set: dict[int, list[ListedCard]] = {}
    for card in cards:
        of_set.setdefault(card.set, []).append(card)
    save("categories", totalItems=len(games), results=[
        dict(categoryId=id, name=name, displayName=name, seoCategoryName=name, categoryDescription="", categoryPageTitle=name, sealedLabel="Sealed Products",
             nonSealedLabel="Single Cards", conditionGuideUrl="https://marketplace.example/conditions", isScannable=True, popularity=1, isDirect=True, modifiedOn=DAY)
        for id, name in games.items()])
    for game in games:
        own = [s for s in sets if s.game == game]
        save(f"{game}/groups", totalItems=len(own), results=[
            dict(groupId=s.id, name=s.name, abbreviation=s.code, isSupplemental=False, publishedOn=f"{s.year}-01-01T00:00:00", modifiedOn=DAY, categoryId=game) for s in own])
        for s in own:
            listed = of_set.get(s.id, [])
            save(f"{game}/{s.id}/products", totalItems=len(listed), results=[product(c, game) for c in listed])
            save(f"{game}/{s.id}/prices", results=[
                dict(productId=c.id, lowPrice=1, midPrice=2, highPrice=3, marketPrice=2, directLowPrice=None, subTypeName="Normal") for c in listed])
    with open(root / "last-updated.txt", "w") as out:
        out.write(f"{DAY}+0000\n")
