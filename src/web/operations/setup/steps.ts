import type { ServiceSettings } from '#client/endpoints.ts'
import * as texts from '#texts/operations/setup.ts'

/** A question of the setup. */
export type SetupStep = 'mode' | 'mirror' | 'pictures'

/** A choice of the operator; the setup requests those that a new server needs. */
export type SettingName = SetupStep | 'rates'

export const QUESTIONS: Record<SettingName, string> = {
  mode: texts.whoUsesThisServer,
  mirror: texts.whereDoPricesComeFrom,
  pictures: texts.identifyCardsFromPhotos,
  rates: texts.showPricesInOtherCurrencies,
}

/** Returns the questions that the environment does not answer. A replica has its catalog from another server. */
export function stepsOf(settings: ServiceSettings): SetupStep[] {
  return STEPS.filter((step) => isChangeable(step, settings))
}

const STEPS: readonly SetupStep[] = ['mode', 'mirror', 'pictures']

/** Returns true if the operator can make this choice on this server. */
export function isChangeable(name: SettingName, settings: ServiceSettings): boolean {
  if (name !== 'mode' && settings.is_replica) return false
  return sourceOf(name, settings) !== 'environment'
}

function sourceOf(name: SettingName, settings: ServiceSettings): string {
  const { mode, mirror, index_pictures: pictures, exchange_rates: rates } = settings
  return { mode, mirror, pictures, rates }[name].source
}

/** Returns the first question without an answer; undefined if all have one. */
export function findStep(settings: ServiceSettings): SetupStep | undefined {
  return stepsOf(settings).find((step) => sourceOf(step, settings) === 'default')
}

/** Formats the answer to a question. */
export function answerText(step: SettingName, settings: ServiceSettings): string {
  if (step === 'mode') return MODE_NAMES[settings.mode.value]
  if (step === 'mirror') return settings.mirror.value ?? texts.theSampleOnly
  if (step === 'rates') return settings.exchange_rates.value ? texts.yes : texts.no
  return settings.index_pictures.value ? texts.yes : texts.later
}

export const MODE_NAMES = {
  private: texts.onlyMeAndMyStaff,
  community: texts.aCommunity,
  business: texts.customers,
} as const
