// The questions of the setup on a terminal. Each answer is stored at once.
import type { CheckedSettings, SettingsChange } from '#actions/operations/manage-settings.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { findMirrorProblem, mirrorLabel } from '#rules/sync/mirror-address.ts'
import type { Prompts } from '../prompts.ts'
import { count, formatTime } from '../text.ts'
import type { SetupQuestion } from './answers.ts'
import { type Choices, choose, confirm, findChoice, printChoices, printText } from './questions.ts'

/** Asks questions, and checks and stores their answers. */
export type Interview = {
  prompts: Prompts
  hasSample: boolean
  /** @throws ServiceError */
  check(change: SettingsChange): Promise<CheckedSettings>
  store(checked: CheckedSettings): Promise<void>
}

export const QUESTION_TITLES: Record<SetupQuestion, string> = {
  mode: 'Who uses this server?',
  mirror: 'Where do prices come from?',
  pictures: 'Identify cards from photos?',
}

/** Asks a question until its answer is stored. @throws Interrupted */
export const QUESTIONS: Record<SetupQuestion, (interview: Interview) => Promise<void>> = {
  async mode(interview) {
    printChoices(MODES)
    await storeChange(interview, { mode: await choose(interview.prompts, MODES) })
  },
  mirror: promptMirror,
  async pictures(interview) {
    printText(PICTURES)
    const index_pictures = await confirm(interview.prompts, 'Index the pictures')
    await storeChange(interview, { index_pictures })
  },
}

async function storeChange({ check, store }: Interview, change: SettingsChange): Promise<void> {
  await store(await check(change))
}

const MODES = [
  {
    value: 'private',
    about:
      'You and your staff: all features, no limits, no plans. You create every account; visitors see nothing.',
  },
  {
    value: 'community',
    about:
      'A community: everybody can create a free account with daily limits. Nothing is for sale.',
  },
  {
    value: 'business',
    about:
      'Customers: free accounts, and plans and packs of scans that you sell, by Stripe or by hand.',
  },
] as const satisfies Choices<string>

const PICTURES =
  "The server looks at each card's picture once, in the background: ten seconds for the sample, some hours for 100,000 cards. Without this, photos are identified by the text on the card alone."

async function promptMirror(interview: Interview): Promise<void> {
  const { prompts, hasSample, store } = interview
  const choices = [TCGCSV, hasSample ? SAMPLE_ONLY : NOTHING] as const
  printChoices(choices)
  printText('Or type the address of another mirror: the folder that has last-updated.txt.')
  for (;;) {
    const answer = (await prompts.ask(`Answer [${TCGCSV.value}]: `)) || TCGCSV.value
    const chosen = findChoice(choices, answer)
    if (chosen === 'none') return storeChange(interview, { mirror: null })
    const checked = await checkMirror(interview, chosen === undefined ? answer : TCGCSV_ROOT)
    if (checked === undefined) continue
    if (!hasSample) return store(checked)
    const removesSample = await confirm(prompts, 'Remove the sample with the first prices')
    return store({ ...checked, stored: { ...checked.stored, removesSample } })
  }
}

/** Reads a mirror and prints a summary of it; undefined if it cannot be used. */
async function checkMirror({ check }: Interview, mirror: string) {
  const problem = findMirrorProblem(mirror)
  if (problem !== undefined) return void printText(`The answer ${problem}.`)
  printText(`Reading ${mirrorLabel(mirror)}…`)
  try {
    const checked = await check({ mirror })
    if (checked.mirror !== undefined) {
      const { games, publishedAt } = checked.mirror
      const time = formatTime(publishedAt.getTime()).slice(0, -':00'.length)
      printText(`It has ${count(games, 'game')}, with prices of ${time} UTC.`)
    }
    return checked
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'MIRROR_UNUSABLE') throw error
    return void printText(error.message)
  }
}

/** Root of a public mirror of the marketplace (docs/guides/sync/mirror.md). */
const TCGCSV_ROOT = 'https://tcgcsv.com'

const TCGCSV = {
  value: 'tcgcsv.com',
  about:
    "A free public mirror of TCGplayer's prices, updated daily. The first sync reads every set in about half an hour, with pauses; plan for 1 GB of disk.",
} as const

const SAMPLE_ONLY = {
  value: 'none',
  about:
    'Only the sample for now: three invented games to look around in. You can choose a mirror later.',
} as const

const NOTHING = {
  value: 'none',
  about: 'Nothing for now: the catalog stays as it is. You can choose a mirror later.',
} as const
