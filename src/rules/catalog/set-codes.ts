// Codes by which apps and collectors name a set, in addition to the catalog's code.
import aliasTable from '../../../data/set-code-aliases.csv' with { type: 'text' }
import { normalizeName } from './trigrams.ts'

/** Texts that name a set. */
export type SetLabels = { game_slug: string; name: string; abbreviation: string | null }

/**
 * Lists the normalized codes of a set: its abbreviation, the codes within its name ("SWSH12: Silver
 * Tempest", "ROMANCE DAWN [OP-01]"), and those of data/set-code-aliases.csv.
 */
export function listSetCodes({ game_slug, name, abbreviation }: SetLabels): string[] {
  const [, prefix = ''] = /^([A-Z]+\d+):/.exec(name) ?? []
  const bracketed = /\[([^\]]+)\]\s*$/.exec(name)?.[1] ?? ''
  const written = [abbreviation ?? '', prefix, ...(bracketed.match(BRACKETED_CODES) ?? [])]
  const aliases = listSetNames(name).flatMap((key) => ALIASES.get(`${game_slug} ${key}`) ?? [])
  return [...new Set([...written.map(normalizeName), ...aliases])].filter((code) => code !== '')
}

/** Lists the normalized names of a set: in full, and without its series ("SM - Team Up"). */
export function listSetNames(name: string): string[] {
  const names = [name, name.replace(/^[^:]*:\s*/, ''), name.replace(/^.*?\s-\s/, '')]
  return [...new Set(names.map(normalizeName))].filter((key) => key !== '')
}

/** `OP14-EB04` are two codes, `OP-01` is one. */
const BRACKETED_CODES = /[A-Z]+-?\d+/g

/** Codes by game and normalized name of a set. */
const ALIASES: ReadonlyMap<string, readonly string[]> = readAliases(aliasTable)

/** The table has no quoted cells, because neither codes nor names contain commas. */
function readAliases(table: string): Map<string, string[]> {
  const aliases = new Map<string, string[]>()
  for (const row of table.trim().split(/\r?\n/).slice(1)) {
    const [game = '', code = '', set = ''] = row.split(',')
    const key = `${game} ${normalizeName(set)}`
    aliases.set(key, [...(aliases.get(key) ?? []), normalizeName(code)])
  }
  return aliases
}
