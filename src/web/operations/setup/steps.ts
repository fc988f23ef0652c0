import type { ServiceSettings } from '#client/endpoints.ts'

/** A question of the setup. */
export type SetupStep = 'mode' | 'mirror' | 'pictures'

export const QUESTIONS: Record<SetupStep, string> = {
  mode: 'Who uses this server?',
  mirror: 'Where do prices come from?',
  pictures: 'Identify cards from photos?',
}

/** Returns the questions that the environment does not answer. A replica has its catalog from another server. */
export function stepsOf({
  mode,
  mirror,
  index_pictures,
  is_replica,
}: ServiceSettings): SetupStep[] {
  const isOpen = ({ source }: { source: string }) => source !== 'environment'
  return [
    ...(isOpen(mode) ? (['mode'] as const) : []),
    ...(isOpen(mirror) && !is_replica ? (['mirror'] as const) : []),
    ...(isOpen(index_pictures) && !is_replica ? (['pictures'] as const) : []),
  ]
}

/** Returns the first question without an answer; undefined if all have one. */
export function findStep(settings: ServiceSettings): SetupStep | undefined {
  const { mode, mirror, index_pictures } = settings
  const sources = { mode: mode.source, mirror: mirror.source, pictures: index_pictures.source }
  return stepsOf(settings).find((step) => sources[step] === 'default')
}

/** Formats the answer to a question. */
export function answerText(step: SetupStep, settings: ServiceSettings): string {
  if (step === 'mode') return MODE_NAMES[settings.mode.value]
  if (step === 'mirror') return settings.mirror.value ?? 'The sample only'
  return settings.index_pictures.value ? 'Yes' : 'Later'
}

export const MODE_NAMES = {
  private: 'Only me and my staff',
  community: 'A community',
  business: 'Customers',
} as const
