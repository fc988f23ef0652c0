// Creates data/confusables.txt from Unicode's confusables.txt
// (https://www.unicode.org/Public/security/latest/confusables.txt):
//
// bun scripts/tools/make-confusables.ts confusables.txt

const [source] = process.argv.slice(2)
if (source === undefined) throw new Error('Specify the path of confusables.txt.')
const text = await Bun.file(source).text()
const version = /^# Version: (\S+)/m.exec(text)?.[1]

/** Texts of Latin letters, other ASCII characters and combining marks. */
const LATIN = /^(?:[\x21-\x7e\p{Script=Latin}]|[\u0300-\u036f])+$/u

const decode = (hex = '') =>
  String.fromCodePoint(...hex.split(' ').map((one) => Number.parseInt(one, 16)))

const groups = new Map<string, string[]>()
for (const line of text.split('\n').filter((one) => /^[0-9A-F]/.test(one))) {
  const [hex = '', target] = line.split(';').map((cell) => cell.trim())
  const [character, looksLike] = [decode(hex), decode(target)]
  // Characters that NFKD decomposes are compared by their parts, and ASCII by its own rules.
  const isCompared = character.normalize('NFKD') === character && character > '\x7f'
  if (!isCompared || !LATIN.test(looksLike) || /\p{DI}/u.test(character)) continue
  groups.set(looksLike, [...(groups.get(looksLike) ?? []), hex.toLowerCase()])
}

const encode = (letters: string) =>
  Array.from(letters, (one) => one.codePointAt(0)?.toString(16).padStart(4, '0')).join(' ')
const lines = [...groups].map(([letters, codes]) => `${encode(letters)}; ${codes.join(' ')}`)
await Bun.write(
  new URL('../../data/confusables.txt', import.meta.url),
  `# Latin text; the characters that look like it. All as code points (hexadecimal).
#
# Made by scripts/tools/make-confusables.ts from confusables.txt ${version} of Unicode Technical Standard 39.
# Copyright © 1991-2025 Unicode, Inc. Unicode License v3: https://www.unicode.org/license.txt

${lines.join('\n')}
`,
)
