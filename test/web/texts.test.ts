/** Every text of the dashboard is in the catalog of its language, `src/web/texts/en`. */
import { describe, expect, test } from 'bun:test'
import { filesLeftOut } from '#texts/photos/review.ts'
import { added } from '#texts/photos/scan-session.ts'
import { FILE_APPS, LIST_APPS } from '../../src/web/collections/known-apps.ts'
import { readSources, type Source } from '../support/source-text.ts'
import { interfaceTexts } from '../support/web/interface-texts.ts'

/** Strings that read like a text but are code, by file. */
const CODE: Readonly<Record<string, readonly string[]>> = {
  // Names of apps, products, marketplaces and files.
  'src/web/alerts/new-channel.tsx': ['Discord', 'Slack'],
  'src/web/collections/export-formats.ts': [
    'Collectr',
    'Moxfield',
    'ManaBox',
    'Archidekt',
    'Deckbox',
    'Dragon Shield',
    'Dreamborn',
    'PokéCollector',
  ],
  'src/web/collections/known-apps.ts': [...FILE_APPS, ...LIST_APPS].filter(
    (name) => !['TCGplayer', 'MTGGoldfish', 'MTGO'].includes(name),
  ),
  'src/web/header.tsx': ['Cardstock'],
  'src/web/pricing/price-origin.ts': ['Cardmarket'],
  'src/web/shell.tsx': ['llms.txt'],
  // Values of the API, and requests to it.
  'src/web/catalog/card.tsx': ["curl -H 'X-API-Key: YOUR_KEY' '\0/v1/cards/\0/prices\0'"],
  'src/web/catalog/set-params.ts': ['Cards', 'Sealed Products'],
  'src/web/pricing/movers.tsx': ['Cards', 'Sealed Products'],
  'src/web/search/query.ts': ['Cards', 'Sealed Products'],
  'src/web/service-state.ts': ['community open finished off USD'],
  // A state, keys of the keyboard, and a command.
  'src/web/photos/photo-session.ts': ['read page'],
  'src/web/photos/sessions/card-choices.tsx': ['Enter'],
  'src/web/photos/sessions/review-panel.tsx': ['Delete'],
  'src/web/operations/operator-gate.tsx': ['bun run admin account operator --email \0'],
  // A header of a CSV file.
  'src/web/pricing/chart-files.ts': ['carried back\0'],
}

const sources = await readSources('src/web/**/*.{ts,tsx}')
const catalogs = sources.filter(({ path }) => path.startsWith('src/web/texts/en/'))
const pages = sources.filter(({ path }) => !path.startsWith('src/web/texts/'))

describe('a text of the dashboard', () => {
  test('is in the catalog', () => {
    expect(pages.flatMap(placesOf)).toEqual([])
  })

  test('is used', () => {
    const unused = catalogs.flatMap(({ path, text }) => {
      const name = path.slice('src/web/texts/en/'.length)
      const namespace = new RegExp(`import \\* as (\\w+) from '#texts/${name}'`)
      const users = pages.flatMap((page) => {
        const [, as] = page.text.match(namespace) ?? []
        return as === undefined ? [] : { as, text: page.text }
      })
      return [...text.matchAll(/^export const (\w+)/gm)]
        .map(([, text = '']) => text)
        .filter(
          (one) => !users.some(({ as, text }) => new RegExp(`\\b${as}\\.${one}\\b`).test(text)),
        )
        .map((one) => `${path}: ${one}`)
    })
    expect(unused).toEqual([])
  })

  test('that is excepted as code is there', () => {
    const excepted = Object.entries(CODE).flatMap(([path, all]) => all.map((text) => [path, text]))
    const gone = excepted.filter(
      ([path, text]) =>
        !pages.some(
          (source) =>
            source.path === path && interfaceTexts(source).some((one) => one.text === text),
        ),
    )
    expect(gone).toEqual([])
  })
})

test('a name with # is shown as it is beside a number', () => {
  expect(added({ number: 3, collection: 'Binder #2' })).toBe('3 cards are now in “Binder #2”.')
  expect(filesLeftOut({ number: 1, names: 'IMG #7.heic' })).toEndWith('as a photo: IMG #7.heic')
})

describe('the search for texts', () => {
  test.each([
    ['text of an element', 'const a = <p>No keys yet</p>', 'No keys yet'],
    ['text beside a value', 'const a = <p>{b} cards</p>', 'cards'],
    ['a label', 'const a = <Field label="name" />', 'name'],
    ['a placeholder', 'const a = <input placeholder="e-mail" />', 'e-mail'],
    ['the name of a picture', "const a = <img alt={b ? 'card' : c} />", 'card'],
    [
      'a name for screen readers',
      `const a = <nav aria-label={\`pages of \${b}\`} />`,
      'pages of \0',
    ],
    ['a title with a value', `const a = <Page title={\`\${b}?\`} hint="x" />`, 'x'],
    ['one of two texts', "const a = <p>{b ? 'on' : 'Off'}</p>", 'on'],
    ['a text after a condition', "const a = <p>{b && 'done'}</p>", 'done'],
    ['a word with a capital', "const a = ['/account', 'Overview']", 'Overview'],
    ['a number with its unit', "const a = ['7 d', 'number']", '7 d'],
    ['a sentence', "const a = () => 'try again.'", 'try again.'],
    ['a sentence with values', `const a = \`\${b} of \${c}\``, '\0 of \0'],
    ['a member that is shown', "const a = { text: 'paused' }", 'paused'],
    ['any member with a word', "const a = { EMAIL_TAKEN: 'Log in' }", 'Log in'],
    ['an argument', "setStatus('Saved')", 'Saved'],
    ['the forms of a plural', "const a = pluralText(b, { one: '# card', other: 'c' })", '# card'],
    ['a message that is not thrown', "const a = new Error('It failed.')", 'It failed.'],
  ])('finds %s', (_, code, text) => {
    expect(textsOf(code)).toContain(text)
  })

  test.each([
    ['classes', 'const a = <p className="panel stack">{b}</p>'],
    ['classes of columns', "const a = ['number wide-only', 'soft']"],
    ['entities', 'const a = <p>&nbsp;</p>'],
    ['classes of a condition', "const a = <p className={b ? 'Panel stack' : 'c d'} />"],
    ['values of attributes', 'const a = <Button tone="good" autoComplete="one-time-code" />'],
    ['lengths, signs and numbers', 'const a = <Skeleton width="30%" label="–">{b} × 2</Skeleton>'],
    ['modules', "import { Aa } from 'Aa bb'"],
    ['types', "type A = 'Near Mint' | Pick<B, 'Cc dd'>"],
    ['keys', "const a = b['Near Mint']"],
    ['names of members', "const a = { 'Content Type': 1 }"],
    ['comparisons', "const a = key === 'Enter' || key !== 'Arrow down'"],
    ['cases', "switch (a) { case 'Enter': b() }"],
    ['bugs', "throw new Error('There is no root.')"],
    ['addresses', "const a = '/v1/cards?name=Aa bb'"],
    ['addresses of other servers', '<input placeholder="https://shop.example" />'],
    ['addresses with values', `const a = \`/cards/\${b} c\``],
    ['codes', "const a = ['usd', 'per_page']"],
    ['questions to the browser', "matchMedia('(min-width: 40rem) and (hover)')"],
    ['requests', "api.get('Aa bb')"],
    ['comments', '// No keys yet\n/* No keys yet */'],
    ['texts of the catalog', 'const a = <p title={texts.noKeys}>{texts.cards(b)}</p>'],
  ])('ignores %s', (_, code) => {
    expect(textsOf(code)).toEqual([])
  })
})

function textsOf(code: string): string[] {
  return interfaceTexts({ path: 'src/web/a.tsx', text: code }).map(({ text }) => text)
}

function placesOf(source: Source): string[] {
  return interfaceTexts(source)
    .filter(({ text }) => !CODE[source.path]?.includes(text))
    .map(({ text, line }) => `${source.path}:${line} ${text.replaceAll('\0', '{}')}`)
}
