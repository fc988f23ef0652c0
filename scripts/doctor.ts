// Checks everything that the service needs, and explains how to fix each problem. Imports nothing that needs a
// package, so that it starts even if packages are missing.
import { resolve } from 'node:path'
import { styleText } from 'node:util'
import { runDoctor } from '#actions/operations/doctor.ts'
import type { Finding } from '#rules/operations/doctor-finding.ts'
import { runCommand } from './cli/run-command.ts'
import { DOCTOR } from './cli/service-commands.ts'
import { count } from './cli/text.ts'

const COLORS = { ok: 'green', warning: 'yellow', fault: 'red' } as const

await runCommand(DOCTOR, async ({ online, json }) => {
  const isRead = process.stdout.isTTY && !json
  const levels = { ok: 0, warning: 0, fault: 0 }
  const root = resolve(import.meta.dir, '..')
  const doctor = { env: process.env, root, now: new Date(), online }
  for await (const finding of runDoctor(doctor)) {
    levels[finding.level]++
    process.stdout.write(`${isRead ? formatFinding(finding) : JSON.stringify(finding)}\n`)
  }
  if (isRead) {
    const { fault, warning } = levels
    process.stdout.write(`\n${count(fault, 'fault')}, ${count(warning, 'warning')}\n`)
  }
  return levels.fault === 0 ? 0 : 1
})

function formatFinding({ check, level, message, fix }: Finding): string {
  const first = `${styleText(COLORS[level], level.padEnd(8))} ${check.padEnd(15)} ${message}`
  return fix === undefined ? first : `${first}\n${' '.repeat(25)}${styleText('dim', fix)}`
}
