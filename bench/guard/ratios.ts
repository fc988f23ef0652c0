import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KnownRatio } from './judge.ts'

/** A ratio that was recorded on purpose. */
export type RecordedRatio = KnownRatio & { commit: string; reason: string }

/** The ratios of one family of processors, by value. */
export type ProcessorRatios = { processor: string; values: Record<string, RecordedRatio> }

const FILE = join(import.meta.dir, 'ratios.json')

/** Returns the ratios of this machine's family of processors; undefined if none are recorded. */
export function readRatios(): ProcessorRatios | undefined {
  return readAllRatios()[processor().family]
}

/** Stores ratios for this machine's family of processors, beside those of other values and families. */
export function recordRatios(values: Record<string, RecordedRatio>): void {
  const all = readAllRatios()
  const { family, name } = processor()
  all[family] = { processor: name, values: { ...all[family]?.values, ...values } }
  writeFileSync(FILE, `${JSON.stringify(all, null, 2)}\n`)
}

/** Returns the ratios of all families of processors, by family. */
export function readAllRatios(): Record<string, ProcessorRatios> {
  return JSON.parse(readFileSync(FILE, 'utf8'))
}

/** Names this machine's processor: its vendor, family and model in /proc/cpuinfo, and what it calls itself. */
export function processor(): { family: string; name: string } {
  const text = readFileSync('/proc/cpuinfo', 'utf8')
  const field = (name: string) => new RegExp(`^${name}\\s*:\\s*(.+)$`, 'm').exec(text)?.[1]
  const parts = ['vendor_id', 'cpu family', 'model', 'CPU implementer', 'CPU part'].map(field)
  const family = parts.filter((part) => part !== undefined).join(' ')
  return { family, name: field('model name') ?? family }
}
