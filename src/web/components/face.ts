/** Members of a card, a set or a game that a drawn face shows. */
export type Face = {
  name: string
  /** Slug of its game, which has a color of its own. Where it is not known, the set has one. */
  game_slug?: string | undefined
  /** Name of its set, or its code. */
  set_name?: string | null | undefined
  number?: string | null | undefined
  rarity?: string | null | undefined
}

/** Initials that are read as one mark. */
const INITIALS_MAX = 3

/** Returns the initials of a name, such as `OP` of "One Piece"; numbers count only where there is nothing else. */
export function initialsOf(name: string): string {
  const bare = name.normalize('NFC').replaceAll(/['’]/gu, '')
  const words = bare.match(/\p{L}[\p{L}\p{M}]*/gu) ?? bare.match(/\p{N}+/gu) ?? []
  return words
    .map((word) => [...word][0])
    .slice(0, INITIALS_MAX)
    .join('')
    .toUpperCase()
}

/**
 * Returns the colors of a face as custom properties: `--hue` of its game, and `--turn` of its name and number, both in
 * degrees, so that cards of one game are alike but not the same.
 */
export function tintOf(face: Face): Record<`--${string}`, number> {
  const { name, number, set_name, game_slug } = face
  const turn = hash([name, number].join()) % 360
  return { '--hue': hash(game_slug ?? set_name ?? name) % 360, '--turn': turn }
}

/** FNV-1a with 32 bits, whose low bits differ for texts that differ in one letter. */
function hash(text: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum >>> 0
}
