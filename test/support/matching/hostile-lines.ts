// Lines of lists that are written to take long: each kind combines texts that a catalog really has.
import { pick, randomFrom } from '../random.ts'

/** Texts of a catalog, of which lines are made. */
export type CatalogTexts = {
  /** Names of cards, and those with the most cards. */
  names: readonly string[]
  reprinted: readonly string[]
  /** Words of the most names. */
  words: readonly string[]
  /** Codes and names of sets. */
  sets: readonly string[]
  /** Codes and names of the sets with the most cards, and codes that several sets share. */
  largeSets: readonly string[]
  printings: readonly string[]
  numbers: readonly string[]
}

/** A line and its kind. */
export type HostileLine = { kind: string; line: string }

type Draw = {
  name(): string
  reprinted(): string
  word(): string
  set(): string
  largeSet(): string
  printing(): string
  number(): string
  junk(): string
  random: () => number
}

const KINDS: Record<string, (draw: Draw) => string> = {
  'unknown suffixes': ({ name, junk, number }) =>
    `7 ${name()} (${junk()}) ${number()} [${junk()}] *F*`,
  'unknown suffixes of a reprinted name': ({ reprinted, junk, number }) =>
    `7 ${reprinted()} (${junk()}) ${number()} [${junk()}]`,
  'suffixes of other cards': ({ reprinted, word, number }) =>
    `${reprinted()} (${word()}) ${number()} [${word()}] {${word()}}`,
  'several sets': ({ reprinted, set }) =>
    `${reprinted()} (${set()}) [${set()}] {${set()}} <${set()}>`,
  'several large sets': ({ reprinted, largeSet }) =>
    `${reprinted()} (${largeSet()}) [${largeSet()}] {${largeSet()}} <${largeSet()}>`,
  'large sets of a misspelt name': (draw) =>
    `${misspell(draw.name(), draw)} (${draw.largeSet()}) [${draw.largeSet()}] {${draw.largeSet()}} ${draw.number()}`,
  'large sets as words': (draw) =>
    `${misspell(draw.name(), draw)} ${draw.largeSet()} ${draw.largeSet()} ${draw.largeSet()} ${draw.number()}`,
  'large sets of many words': (draw) =>
    `${repeat(100, draw.word).join(' ').slice(0, 800)} (${draw.largeSet()}) [${draw.largeSet()}]`,
  'large sets as fields': (draw) =>
    `${draw.reprinted()}|${draw.largeSet()}|${draw.set()}|${draw.largeSet()}|${draw.largeSet()}`,
  'codes joined by colons': (draw) =>
    `${draw.reprinted()} (${repeat(100, draw.largeSet).join(':').slice(0, 450)}) [${repeat(100, draw.set).join('#').slice(0, 450)}]`,
  'some codes joined by colons': (draw) =>
    `${draw.reprinted()} (${draw.set()}:${draw.largeSet()}) [${draw.set()}#${draw.largeSet()}] {${draw.set()}:${draw.number()}}`,
  'a beginning in a large set': (draw) =>
    `${draw.name().slice(0, 1 + Math.floor(draw.random() * 4))} (${draw.largeSet()}) [${draw.word()}] ${draw.number()}`,
  'a beginning with printings': (draw) =>
    `${draw.name().slice(0, 1 + Math.floor(draw.random() * 4))} (${draw.printing()}) [${draw.word()}] {${draw.printing()}} <${draw.word()}>`,
  'printings as suffixes': ({ reprinted, printing }) =>
    `${reprinted()} (${printing()}) [${printing()}] {${printing()}} <${printing()}>`,
  'sets as words': ({ reprinted, set, number }) =>
    `3 ${reprinted()} ${set()} ${set()} ${set()} ${number()}`,
  'sets of a misspelt name': (draw) =>
    `${misspell(draw.name(), draw)} (${draw.set()}) [${draw.set()}] ${draw.number()}`,
  'a misspelt name with suffixes': (draw) =>
    `${misspell(misspell(draw.name(), draw), draw)} (${draw.junk()}) ${draw.number()}`,
  'a beginning of many names': ({ word, number, junk, random }) =>
    `${word().slice(0, 1 + Math.floor(random() * 3))} (${junk()}) ${number()}`,
  'readings that all match': ({ word }) => `${word()} (${word()}) [${word()}] <${word()}>`,
  'words of names': (draw) => repeat(8, draw.word).join(' '),
  'many words': (draw) => repeat(160, draw.word).join(' '),
  'one name again and again': ({ reprinted }) => `${reprinted()} `.repeat(100),
  'many brackets': (draw) => draw.reprinted() + repeat(80, () => ` (${draw.word()})`).join(''),
  'open brackets': ({ name }) => `${name()} ${'([{<'.repeat(200)}`,
  'empty brackets': ({ name }) => `${name()} ${'()[]{}<>'.repeat(100)}`,
  'many numbers': (draw) => `${draw.name()} ${repeat(120, draw.number).join(' ')}`,
  'a long number': ({ name }) => `${name()} ${'1'.repeat(900)}`,
  'numbers in brackets': (draw) =>
    draw.reprinted() + repeat(4, () => ` (${draw.number()})`).join(''),
  'coded numbers': ({ random }) =>
    `4x${'ABCDEFGHIJ'[Math.floor(random() * 10)]}${Math.floor(random() * 999)}-${Math.floor(random() * 99) + 10}`,
  'small numbers in brackets': ({ reprinted }) => `${reprinted()} (1) [2] {3} <4>`,
  zalgo: (draw) =>
    [...draw.name()].map((letter) => letter + '\u0301\u0323\u0489'.repeat(5)).join(''),
  'accents on everything': (draw) =>
    `${[...draw.name()].map((letter) => `${letter}\u0308`).join('')} (${draw.junk()})`,
  'mixed scripts': ({ name, junk }) => `${name()} リザードン Пикачу 皮卡丘 ᚠᛇᚻ (${junk()}) 7/49`,
  symbols: ({ name }) => `★♂♀!?&%$ ${name()} ${'!?*#^~'.repeat(150)}`,
  emoji: ({ name }) => `${name()} ${'🔥'.repeat(450)}`,
  tags: ({ name }) => `2 ${name()} #a ^b,#37d67a^ *F* ${'^x^'.repeat(250)}`,
  fields: (draw) =>
    `${draw.reprinted()}|${draw.set()}|${draw.number()}${`|${draw.word()}`.repeat(90)}`,
  'words behind the card': (draw) =>
    `2 X ${draw.reprinted()} (${draw.junk()}) ${draw.number()} ${repeat(90, draw.word).join(' ')} NM foil`,
  'conditions and languages': ({ reprinted, word }) =>
    `2 x ${reprinted()} ${word()}${' near mint (EN) foil $1.50'.repeat(30)}`,
  'brackets behind a complete line': (draw) =>
    `1 ${draw.reprinted()} (${draw.largeSet()}) ${draw.number()}${repeat(80, () => ` (${draw.word()})`).join('')}`,
  'a variant of a common name': ({ reprinted, random }) =>
    `1 ${reprinted()} (${pick(random, VARIANTS)}) *${pick(random, [...'FEP'])}*`,
  'variants behind a complete line': ({ reprinted, largeSet, number, random }) =>
    `1 ${reprinted()} (${largeSet()}) ${number()} ${repeat(4, () => `(${pick(random, VARIANTS)})`).join(' ')} *P*`,
  'many short brackets': ({ reprinted, random }) =>
    reprinted() + repeat(240, () => ` (${pick(random, [...'abcxyz'])})`).join(''),
  'many faces': ({ name }) => repeat(90, name).join(' // '),
  'a long word': ({ random }) =>
    repeat(990, () => String.fromCharCode(97 + Math.floor(random() * 26))).join(''),
  'one letter': ({ random }) => String.fromCharCode(97 + Math.floor(random() * 26)),
}

/** Words that distinguish products of a name from others. */
const VARIANTS = ['Borderless', 'Full Art', 'Extended Art', 'Master Ball', 'Showcase', 'Staff']

/** Draws so many lines of each kind. */
export function drawHostileLines(
  texts: CatalogTexts,
  { each, seed }: { each: number; seed: number },
): HostileLine[] {
  const random = randomFrom(seed)
  const draw: Draw = {
    name: () => pick(random, texts.names),
    reprinted: () => pick(random, texts.reprinted),
    word: () => pick(random, texts.words),
    set: () => pick(random, texts.sets),
    largeSet: () => pick(random, texts.largeSets),
    printing: () => pick(random, texts.printings),
    number: () => pick(random, texts.numbers),
    junk: () => repeat(4, () => pick(random, [...'bcdfghjklmnpqrstvwxz'])).join(''),
    random,
  }
  return Object.entries(KINDS).flatMap(([kind, write]) =>
    repeat(each, () => ({ kind, line: write(draw).slice(0, 1_000) })),
  )
}

function repeat<T>(times: number, create: () => T): T[] {
  return Array.from({ length: times }, create)
}

/** Drops or doubles a letter. */
function misspell(name: string, { random }: Draw): string {
  const at = Math.floor(random() * name.length)
  const letter = name[at] ?? ''
  return name.slice(0, at) + (random() < 0.5 ? '' : letter + letter) + name.slice(at + 1)
}
