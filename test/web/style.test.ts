// Rules of the dashboard's style sheets.
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dir, '../../src/web/style')
const SHEETS = readdirSync(FOLDER).map((name) => ({
  name,
  text: readFileSync(join(FOLDER, name), 'utf8').replaceAll(/\/\*.*?\*\//gs, ''),
}))

/** Lists the selectors of a style sheet. */
function selectorsOf(text: string): string[] {
  return [...text.matchAll(/([^{}]+)\{/g)]
    .map(([, selector = '']) => selector.trim())
    .filter((selector) => !selector.startsWith('@'))
    .flatMap((selector) => selector.split(/,(?![^(]*\))/))
    .map((selector) => selector.trim())
}

test('a class is styled in one sheet', () => {
  const sheetsOf = new Map<string, Set<string>>()
  for (const { name, text } of SHEETS) {
    for (const selector of selectorsOf(text)) {
      const [, subject] = /^(\.[a-z][\w-]*)(?::[\w-]+(?:\(.*\))?|\[.*\])*$/.exec(selector) ?? []
      if (subject === undefined) continue
      sheetsOf.set(subject, (sheetsOf.get(subject) ?? new Set()).add(name))
    }
  }
  expect(sheetsOf.size).toBeGreaterThan(100)
  const shared = [...sheetsOf].filter(([, sheets]) => sheets.size > 1)
  expect(shared.map(([subject, sheets]) => [subject, ...sheets])).toEqual([])
})

test('elements are styled in base.css only', () => {
  for (const { name, text } of SHEETS.filter(({ name }) => name !== 'base.css')) {
    const bare = selectorsOf(text).filter((selector) => /^[a-z][a-z0-9]*(?![\w.[])/.test(selector))
    // Keyframe steps are not elements.
    expect([name, bare.filter((selector) => !/^(?:from|to)$/.test(selector))]).toEqual([name, []])
  }
})

test('colors and font sizes use the tokens', () => {
  for (const { name, text } of SHEETS.filter(({ name }) => name !== 'tokens.css')) {
    const stray = [...text.matchAll(/#[0-9a-f]{3,8}\b|(?<=font-size: )(?!var\(|inherit)[^;]+/g)]
    expect([name, stray.map(([found]) => found)]).toEqual([name, []])
  }
})
