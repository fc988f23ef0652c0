import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FigureName, Measurement, Opened, Round, Values } from './figures.ts'
import { prepareGuardData } from './guard-data.ts'
import { openHttpFigures, type Subject } from './http-figures.ts'
import { openStart, openSync } from './process-figures.ts'
import { HTTP_FIGURES } from './requests.ts'
import { openSample } from './sample-figures.ts'
import type { Tree } from './trees.ts'

/** Measures figures of trees and their limits in turn. */
export async function measureFigures(
  names: readonly FigureName[],
  trees: readonly Tree[],
): Promise<Round[]> {
  const scratch = join(import.meta.dir, '../run/guard-scratch')
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch, { recursive: true })
  const subjects: Subject[] = []
  for (const tree of trees) subjects.push({ tree, data: await prepareGuardData(tree) })
  const opened: Opened[] = []
  try {
    for (const open of openersOf(names, subjects, scratch)) opened.push(await open())
    const measurements = opened.flatMap((one) => one.measurements)
    return await repeat(measurements)
  } finally {
    await Promise.all(opened.map(({ close }) => close()))
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Returns the functions that prepare the measurements of the figures. */
function openersOf(names: readonly FigureName[], subjects: readonly Subject[], scratch: string) {
  const openers: (() => Promise<Opened> | Opened)[] = []
  const hasSome = (...some: FigureName[]) => some.some((name) => names.includes(name))
  for (const figure of ['sync-35', 'sync-2'] as const) {
    if (hasSome(figure)) openers.push(() => openSync(figure, subjects, scratch))
  }
  if (hasSome('start', 'rest')) openers.push(() => openStart(subjects, scratch))
  if (hasSome(...HTTP_FIGURES)) openers.push(() => openHttpFigures(names, subjects, scratch))
  if (hasSome('script', 'photo')) openers.push(() => openSample(names, subjects, scratch))
  return openers
}

/** Takes each measurement once a round until it has all of its own, so that a disturbance meets few of each. */
async function repeat(measurements: readonly Measurement[]): Promise<Round[]> {
  const rounds: Round[] = []
  const count = Math.max(...measurements.map((one) => one.rounds))
  for (let round = 0; round < count; round++) {
    const limit: Values = {}
    const trees: Values[] = []
    for (const measurement of measurements.filter((one) => round < one.rounds)) {
      Object.assign(limit, await measurement.limit())
      for (const [index, measure] of measurement.trees.entries()) {
        trees[index] = { ...trees[index], ...(await measure()) }
      }
    }
    rounds.push({ limit, trees })
  }
  return rounds
}
