// Codes and names by which apps and collectors name a set, in addition to those of the catalog.
import codeTable from '../../../data/set-code-aliases.csv' with { type: 'text' }
import nameTable from '../../../data/set-name-aliases.csv' with { type: 'text' }
import { isSameSeries, listSetForms, parseSetForm, type SetForm } from './set-forms.ts'
import { normalizeName } from './trigrams.ts'

/** Texts that name a set. */
export type SetLabels = { game_slug: string; name: string; abbreviation: string | null }

/**
 * Lists the normalized codes of a set: its abbreviation, the codes within its name ("SWSH12: Silver
 * Tempest", "ROMANCE DAWN [OP-01]"), and those of data/set-code-aliases.csv.
 */
export function listSetCodes(set: SetLabels): string[] {
  return listSetAliases(set).codes
}

/** Lists the codes of a set, and names that other sources and languages have for it (data/set-name-aliases.csv). */
export function listSetAliases(set: SetLabels): { codes: string[]; names: string[] } {
  const { name, abbreviation } = set
  const [, prefix = ''] = /^([A-Z]+\d+):/.exec(name) ?? []
  const bracketed = /\[([^\]]+)\]\s*$/.exec(name)?.[1] ?? ''
  const written = [abbreviation ?? '', prefix, ...(bracketed.match(BRACKETED_CODES) ?? [])]
  const forms = listSetForms(name)
  const ofTable = (table: Aliases) => listAliases(table, set, forms).map(({ alias }) => alias)
  const codes = [...written, ...ofTable(CODES)].map(normalizeName)
  return {
    codes: [...new Set(codes)].filter((code) => code !== ''),
    names: ofTable(NAMES),
  }
}

/** Returns the code by which a source of data/set-code-aliases.csv knows a set; null without one. */
export function findSourceCode(set: SetLabels, source: string): string | null {
  const aliases = listAliases(CODES, set, listSetForms(set.name))
  return aliases.find((one) => one.source === source)?.alias ?? null
}

/** Lists the normalized names of a set: in full, and without its series ("SM - Team Up"). */
export function listSetNames(name: string): string[] {
  const names = [name, name.replace(/^[^:]*:\s*/, ''), name.replace(/^.*?\s-\s/, '')]
  return [...new Set(names.map(normalizeName))].filter((key) => key !== '')
}

/** `OP14-EB04` are two codes, `OP-01` is one. */
const BRACKETED_CODES = /[A-Z]+-?\d+/g

type Alias = Pick<SetForm, 'series'> & { alias: string; source: string }

/** Aliases by game and form of a set's name. */
type Aliases = ReadonlyMap<string, readonly Alias[]>

/** The tables have no quoted cells, because neither codes nor names contain commas. */
function readAliases(table: string): Aliases {
  const aliases = new Map<string, Alias[]>()
  for (const row of table.trim().split(/\r?\n/).slice(1)) {
    const [game = '', alias = '', set = '', source = ''] = row.split(',')
    const { own, series } = parseSetForm(set)
    const key = `${game} ${own}`
    aliases.set(key, [...(aliases.get(key) ?? []), { alias, series, source }])
  }
  return aliases
}

const CODES = readAliases(codeTable)
const NAMES = readAliases(nameTable)

function listAliases(table: Aliases, { game_slug }: SetLabels, forms: readonly SetForm[]): Alias[] {
  return forms.flatMap(({ own, series }) =>
    (table.get(`${game_slug} ${own}`) ?? []).filter((one) => isSameSeries(own, one.series, series)),
  )
}
