// Questions with a choice of answers. After an invalid answer, an explanation is printed and the question is
// repeated.
import { styleText } from 'node:util'
import type { Prompts } from '../prompts.ts'
import { formatRows, wrap } from '../text.ts'

/** An answer that can be chosen by its value, the beginning of it, or its number. */
export type Choice<Value extends string> = { value: Value; about: string }

/** The first one is the default: pressing Enter chooses it. */
export type Choices<Value extends string> = readonly [Choice<Value>, ...Choice<Value>[]]

/** Prints a text on stderr, where the questions are. */
export function printText(text: string): void {
  process.stderr.write(`${wrap(text)}\n`)
}

/** Prints the title of a question. */
export function printTitle(title: string, position = ''): void {
  const bold = styleText('bold', title, { stream: process.stderr })
  process.stderr.write(`\n${[bold, position].filter(Boolean).join('  ')}\n`)
}

/** Prints the answers that can be chosen. */
export function printChoices(choices: readonly Choice<string>[]): void {
  const rows = choices.map(({ value, about }, index) => [`${index + 1}  ${value}`, about] as const)
  process.stderr.write(`\n${formatRows(rows)}\n\n`)
}

/** Asks until a choice is made. An empty answer selects the first one. */
export async function choose<const Value extends string>(
  { ask }: Prompts,
  choices: Choices<Value>,
): Promise<Value> {
  const [{ value: first }] = choices
  for (;;) {
    const chosen = findChoice(choices, (await ask(`Answer [${first}]: `)) || first)
    if (chosen !== undefined) return chosen
    printText(`Type a number from 1 to ${choices.length}, or one of the words beside them.`)
  }
}

/** Returns the choice that matches an answer; undefined if none does. */
export function findChoice<Value extends string>(
  choices: readonly Choice<Value>[],
  answer: string,
): Value | undefined {
  const word = answer.toLowerCase()
  const begun = choices.filter(({ value }) => value.startsWith(word))
  return (begun.length === 1 ? begun[0] : choices[Number(answer) - 1])?.value
}

/** Asks until the answer is yes or no. An empty answer means yes. */
export async function confirm({ ask }: Prompts, question: string): Promise<boolean> {
  for (;;) {
    const answer = (await ask(`${question}? [yes] `)).toLowerCase()
    if (/^(?:|y|yes)$/.test(answer)) return true
    if (/^no?$/.test(answer)) return false
    printText('Type yes or no.')
  }
}
