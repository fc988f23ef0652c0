// `bun run admin move-ledger`: moves the ledger between its file and PostgreSQL.
import { join } from 'node:path'
import { moveLedger } from '#actions/operations/move-ledger.ts'
import { SECRET_FILE } from '#store/files/data-folder.ts'
import type { MoveStep } from '#store/ledger/move/move-to-postgres.ts'
import { UsageError } from './parse.ts'
import { commandConfig, createProgress, printResult } from './terminal.ts'
import { count } from './text.ts'

type Values = {
  from: string | undefined
  to: string | undefined
  restart: boolean
  json: boolean
}

/**
 * Moves the ledger without opening it like a server, and prints a line when a table was copied, and when it was
 * compared.
 * @returns the exit code
 */
export async function move({ from, to, restart, json }: Values): Promise<number> {
  const url = from ?? to ?? ''
  if (!/^postgres(ql)?:\/\/[^/]/.test(url) || !URL.canParse(url)) {
    // The URL may contain a password.
    throw new UsageError(
      `${to === undefined ? '--from' : '--to'} must be a URL such as postgres://user:password@host/database.`,
    )
  }
  const config = commandConfig()
  const start = performance.now()
  let bar = createProgress('move-ledger')
  const sums = { tables: 0, rows: 0 }
  const report = (step: MoveStep) => {
    if (step.step === 'compared') {
      sums.tables++
      sums.rows += step.rows
    }
    if (step.step === 'copying') return bar.show(step.rows, step.total, step.table)
    bar.end()
    bar = createProgress('move-ledger')
    printStep(step, json)
  }
  const direction = to === undefined ? 'from' : 'to'
  try {
    await moveLedger(config, { direction, url, restart, report })
  } finally {
    bar.end()
  }
  const seconds = roundSeconds((performance.now() - start) / 1000)
  const rows = `${count(sums.tables, 'table')} with ${count(sums.rows, 'row')}`
  const text = `The ledger is moved: ${rows} are equal, after ${seconds} s.`
  printResult({ step: 'moved', direction, ...sums, seconds }, { json, text })
  const secret = config.appSecret === undefined && direction === 'to'
  const secretPath = join(config.dataDir, SECRET_FILE)
  process.stderr.write(
    direction === 'to'
      ? `Start the servers with LEDGER_URL${secret ? `, and with the text in ${secretPath} as APP_SECRET` : ''}.\n`
      : 'Start the server without LEDGER_URL, and with the same APP_SECRET as before.\n',
  )
  return 0
}

function printStep(step: Exclude<MoveStep, { step: 'copying' }>, json: boolean): void {
  const result = 'seconds' in step ? { ...step, seconds: roundSeconds(step.seconds) } : step
  printResult(result, { json, text: formatStep(step) })
}

function formatStep(step: Exclude<MoveStep, { step: 'copying' }>): string {
  const rows = `${String(step.rows).padStart(10)} rows`
  const words =
    step.step === 'copied'
      ? `copied ${rows} in ${roundSeconds(step.seconds)} s${step.kept > 0 ? `, ${step.kept} of them before` : ''}`
      : `equal  ${rows}  ${Object.entries(step.sums)
          .map(([column, sum]) => `${column} ${sum}`)
          .join('  ')}`
  return `${step.table.padEnd(18)} ${words}`
}

function roundSeconds(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
