import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CheckResult, fault, ok, warning } from '#rules/operations/doctor-finding.ts'
import packageJson from '../../../package.json' with { type: 'json' }

export function checkBun(): CheckResult {
  const wanted = packageJson.engines.bun
  if (Bun.version === wanted) return ok(`version ${wanted}`)
  return warning(
    `version ${Bun.version}; this version of Cardstock was tested with ${wanted}`,
    `npm install -g bun@${wanted}`,
  )
}

export function checkPackages(root: string): CheckResult {
  const wanted = Object.entries(packageJson.dependencies)
  const wrong = wanted.flatMap(([name, version]) => {
    const found = installedVersion(root, name)
    if (found === version) return []
    return found === undefined ? `${name} is missing` : `${name} is ${found}, not ${version}`
  })
  if (wrong.length === 0) return ok(`all ${wanted.length} match package.json`)
  const rest = wrong.length > NAMED_MAX ? ` and ${wrong.length - NAMED_MAX} more` : ''
  return fault(
    `${wrong.slice(0, NAMED_MAX).join(', ')}${rest}`,
    'Run bun install --frozen-lockfile --ignore-scripts. The other checks need it.',
  )
}

const NAMED_MAX = 5

function installedVersion(root: string, name: string): string | undefined {
  try {
    return JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))
      .version
  } catch {
    return undefined
  }
}
