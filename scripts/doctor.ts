// Checks everything that the service needs, and says how to fix what is wrong. It imports nothing that
// needs a package, so that it starts when packages are the problem.
import { resolve } from 'node:path'
import { parseArgs, styleText } from 'node:util'
import { runDoctor } from '#actions/operations/doctor.ts'
import type { Finding } from '#rules/operations/doctor-finding.ts'

const USAGE = `Usage: bun run doctor [--online] [--json]

Checks settings, packages, the data folder, both databases, the mirror and the port, and tells you what
to fix. Changes nothing, and can run beside the server. The exit code is 0 if there is no fault.
  --online  also check Stripe, the x402 facilitator and the blockchain node
  --json    print a JSON line for each finding, also on a terminal`

async function main(): Promise<number> {
  const options = readOptions()
  if (options === undefined) return 2
  if (options.help) {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  const isRead = process.stdout.isTTY && !options.json
  const levels = { ok: 0, warning: 0, fault: 0 }
  const root = resolve(import.meta.dir, '..')
  const doctor = { env: process.env, root, now: new Date(), online: options.online }
  for await (const finding of runDoctor(doctor)) {
    levels[finding.level]++
    process.stdout.write(`${isRead ? lineOf(finding) : JSON.stringify(finding)}\n`)
  }
  if (isRead) process.stdout.write(`\n${levels.fault} faults, ${levels.warning} warnings\n`)
  return levels.fault === 0 ? 0 : 1
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        online: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    const why = error instanceof Error ? error.message : error
    process.stderr.write(`${why}\n\n${USAGE}\n`)
    return undefined
  }
}

const COLOURS = { ok: 'green', warning: 'yellow', fault: 'red' } as const

function lineOf({ check, level, message, fix }: Finding): string {
  const first = `${styleText(COLOURS[level], level.padEnd(8))} ${check.padEnd(15)} ${message}`
  return fix === undefined ? first : `${first}\n${' '.repeat(25)}${styleText('dim', fix)}`
}

process.exitCode = await main()
