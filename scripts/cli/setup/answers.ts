// Answers to the setup that are given as options.
import type { getServiceSettings, SettingsChange } from '#actions/operations/manage-settings.ts'
import { findMirrorProblem } from '#rules/sync/mirror-address.ts'
import type { Input } from '../definition.ts'
import { describe, UsageError } from '../parse.ts'
import { SETUP } from '../service-commands.ts'

export type SetupOptions = Omit<Input<typeof SETUP>, 'json'>

export type ServerSettings = ReturnType<typeof getServiceSettings>

/** A question of the setup. */
export type SetupQuestion = 'mode' | 'mirror' | 'pictures'

/** Lists the questions that have no answer. A replica takes catalog and pictures from another server. */
export function listOpenQuestions(settings: ServerSettings): SetupQuestion[] {
  const { mode, mirror, index_pictures, is_replica } = settings
  return [
    ...(mode.source === 'default' ? (['mode'] as const) : []),
    ...(mirror.source === 'default' && !is_replica ? (['mirror'] as const) : []),
    ...(index_pictures.source === 'default' && !is_replica ? (['pictures'] as const) : []),
  ]
}

/**
 * Returns the settings that the options change.
 *
 * @throws UsageError for an option that is not valid
 */
export function parseAnswers(options: SetupOptions, settings: ServerSettings): SettingsChange {
  const { mode, mirror, 'remove-sample': removesSample, 'index-pictures': pictures } = options
  const rates = options['exchange-rates']
  const address = mirror === 'none' ? null : mirror
  const problem = typeof address === 'string' ? findMirrorProblem(address) : undefined
  if (problem !== undefined) throw new UsageError(`--mirror ${problem}.`)
  const nextMirror = address === undefined ? settings.mirror.value : address
  if (removesSample && nextMirror === null) {
    throw new UsageError('--remove-sample needs a mirror. Add --mirror URL.')
  }
  return {
    ...(mode !== undefined && { mode }),
    ...(address !== undefined && { mirror: address }),
    ...(removesSample && { remove_sample: true }),
    ...(pictures !== undefined && { index_pictures: pictures === 'yes' }),
    ...(rates !== undefined && { exchange_rates: rates === 'yes' }),
  }
}

/** @throws UsageError if a question without a default has no answer */
export function assertComplete(
  options: SetupOptions,
  { hasOperator, settings }: { hasOperator: boolean; settings: ServerSettings },
): void {
  const open = listOpenQuestions(settings)
  const missing = [
    ...(hasOperator || options.email !== undefined ? [] : (['email'] as const)),
    ...(['mode', 'mirror'] as const).filter(
      (name) => open.includes(name) && options[name] === undefined,
    ),
  ]
  if (missing.length === 0) return
  const names = missing.map((name) => describe(SETUP, name)).join(', ')
  throw new UsageError(`Answers are missing. Give ${names}, or run the command on a terminal.`)
}
