// Text for the person who has started the server: its addresses, and the setup until it is finished.
import { findSetupStage } from '#actions/accounts/set-up-operator.ts'
import { servesSnapshots } from '#config.ts'
import type { Deps } from '#deps.ts'

type Row = readonly [label: string, text: string]

/** Token of the setup, if this start has created one. */
type SetupToken = string | undefined

/** Returns the addresses of the server. The next step comes last, where people look. */
export async function renderGreeting(
  deps: Deps,
  { isOnTerminal, setupToken }: { isOnTerminal: boolean; setupToken: SetupToken },
): Promise<string> {
  const { publicUrl } = deps.config
  const { total } = deps.catalog.games.list({ limit: 1, offset: 0 })
  const games = total === 1 ? '1 game' : `${total} games`
  const addresses: Row[] = [
    ['Try it', `curl ${publicUrl}/v1/games`],
    ['API reference', `${publicUrl}/docs`],
  ]
  if (isOnTerminal) addresses.push(['Stop it', 'Ctrl-C'])
  const nextSteps = (await listSetup(deps, setupToken)) ?? [findNextStep(deps, total)]
  const title = `  Cardstock serves ${games} at ${publicUrl}\n`
  return `\n${[title, formatRows(addresses), formatRows(nextSteps)].join('\n')}\n`
}

/** Dependencies of the setup address. */
type SetupDeps = Pick<Deps, 'config' | 'liveConfig' | 'ledger'>

/**
 * Prints the setup address every few minutes until the setup is finished, because log lines scroll it away.
 *
 * @returns a function that stops it
 */
export function repeatSetup(
  deps: SetupDeps,
  setupToken: SetupToken,
  print: (text: string) => void,
  everyMs = REPEAT_EVERY_MS,
): () => void {
  const repeat = async () => {
    const setup = await listSetup(deps, setupToken)
    if (setup === undefined) clearInterval(timer)
    else print(`\n${formatRows(setup)}\n`)
  }
  // If the ledger does not respond, it is asked again later.
  const timer = setInterval(() => void repeat().catch(() => {}), everyMs)
  return () => clearInterval(timer)
}

const REPEAT_EVERY_MS = 5 * 60_000

/** Lists the two ways to set the server up; undefined once that is done. */
async function listSetup(deps: SetupDeps, setupToken: SetupToken): Promise<Row[] | undefined> {
  const stage = await findSetupStage(deps)
  if (stage === 'finished') return undefined
  const token = stage === 'account' && setupToken !== undefined ? `#token=${setupToken}` : ''
  return [
    ['Set it up', `${deps.config.publicUrl}/setup${token}`],
    ['', `or in another terminal: ${setupCommand()}`],
  ]
}

/**
 * Returns the command that starts the setup: with the executable, with Bun, or with Bun through npx, as this process
 * was started.
 */
function setupCommand(): string {
  if (Bun.main.startsWith('/$bunfs/')) return 'cardstock setup'
  const isNpx = /[\\/]_npx[\\/]/.test(process.execPath)
  return isNpx ? `npx -y bun@${Bun.version} run setup` : 'bun run setup'
}

function findNextStep({ config }: Pick<Deps, 'config'>, games: number): Row {
  const { publicUrl, upstreamUrl } = config
  if (games > 0 || servesSnapshots(config)) return ['Dashboard', publicUrl]
  return upstreamUrl === undefined
    ? ['Next step', `choose a mirror at ${publicUrl}/operator/settings`]
    : ['First sync', `in the background; ${publicUrl}/operator shows its progress`]
}

function formatRows(rows: readonly Row[]): string {
  return rows.map(([label, text]) => `${(label && `  ${label}:`).padEnd(18)}${text}\n`).join('')
}
