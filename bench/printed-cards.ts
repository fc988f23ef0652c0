// Prints cards of a catalog as lines of text, as a reader would return them, with misread and missing lines.
import { printedNames } from '#rules/catalog/names.ts'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import type { CtcOutput, PrintedLine } from '#rules/photos/text-line.ts'
import type { SeededRandom } from '../scripts/tools/seed/random.ts'

export type CardToPrint = {
  id: number
  game: string
  name: string
  number: string | null
  set_code: string | null
  /** Largest number of the set without a total. */
  total: number
  /** Names of attacks and lines of rules. */
  rules: string[]
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Layouts, by the place of the name: in the header, in the middle, or at the bottom. */
const NAME_TOPS = [0.05, 0.05, 0.58, 0.85]

/** Returns what a reader may see on a photo of a card without an indexed picture. */
export function printCard(card: CardToPrint, random: SeededRandom): PhotoObservation {
  const [title = card.name] = printedNames(card.name)
  const nameTop =
    card.game === 'lorcana' || card.game === 'one-piece' ? random.pick(NAME_TOPS) : 0.05
  const lines = [
    ...seen(title, { top: nameTop, heightPx: 36 }, random),
    ...seen(numberLine(card, random), { top: 0.94, heightPx: 20 }, random),
    ...card.rules.flatMap((text, index) =>
      seen(text, { top: 0.62 + 0.06 * index, heightPx: 24 }, random),
    ),
  ]
  return {
    photo: { width: 1536, height: 2048 },
    kind: 'raw',
    items: 1,
    quality: {
      px_per_mm: 9,
      blur_mm: 0.2,
      glare: 0,
      brightness: 130,
      is_cut_off: false,
      cornerConfidence: 0.97,
    },
    isMirrored: false,
    finish: undefined,
    neighbors: [],
    lines,
  }
}

/** Returns the collector line in a format of the game. */
function numberLine({ game, number, set_code, total }: CardToPrint, random: SeededRandom): string {
  const own = (number ?? '').replace(/(?<=[0-9])(?:_[a-z][0-9]+|s?[★†]|sb?|p)$/, '')
  if (!/^[0-9]+$/.test(own)) return own
  const withTotal = `${own.padStart(3, '0')}/${String(total).padStart(3, '0')}`
  if (game === 'magic') {
    return random.pick([
      `${withTotal} R`,
      `R ${own.padStart(4, '0')}`,
      `${set_code} • EN ${withTotal}`,
    ])
  }
  return game === 'lorcana' ? `${own}/${total} • EN • 4` : withTotal
}

/** Returns the line as it was read: missing, right, or with a letter that is unsure or wrong. */
function seen(
  printed: string,
  { top, heightPx }: { top: number; heightPx: number },
  random: SeededRandom,
): PrintedLine[] {
  if (printed === '' || random.happens(0.08)) return []
  const at = random.below(printed.length)
  const letter = printed[at] ?? ''
  const isMisread = random.happens(0.2) && /[A-Za-z0-9]/.test(letter)
  const alike = /[0-9]/.test(letter) ? '0123456789' : LETTERS
  const other = random.pick([...alike])
  // The wrong letter is as certain as readings of photos are: seldom more than 0.9.
  const share = isMisread ? 0.35 + 0.6 * random.unit() ** 0.7 : 0
  const text = share > 0.5 ? printed.slice(0, at) + other + printed.slice(at + 1) : printed
  const sureness = random.happens(0.8) ? 0.998 : 0.95
  const ctc = spell(
    printed,
    sureness,
    isMisread && other !== letter ? { at, other, share } : undefined,
  )
  const doubt = isMisread ? Math.max(share, 1 - share) : 1
  return [
    {
      text,
      confidence: sureness ** printed.length * doubt,
      legibility: 0.97,
      script: 'latin',
      kind: 'other',
      box: { left: 0.06, top, right: 0.06 + 0.02 * printed.length, bottom: top + 0.03 },
      heightPx,
      ctc,
    },
  ]
}

function spell(
  text: string,
  sureness: number,
  misread: { at: number; other: string; share: number } | undefined,
): CtcOutput {
  const alphabet = [...new Set(['', ...` ${LETTERS}/-•.,'`, ...text])]
  const rest = (1 - sureness) / alphabet.length
  const step = (shares: ReadonlyMap<string, number>) =>
    alphabet.map((one) => Math.log(rest + sureness * (shares.get(one) ?? 0)))
  const blank = step(new Map([['', 1]]))
  const logs = [...text].flatMap((letter, index) => {
    const { other, share } = misread?.at === index ? misread : { other: letter, share: 0 }
    const shares =
      other === letter
        ? [[letter, 1] as const]
        : [[letter, 1 - share] as const, [other, share] as const]
    return [...step(new Map(shares)), ...blank]
  })
  return { alphabet, logProbabilities: Float32Array.from([...blank, ...logs]) }
}
