/** The texts that a file of the dashboard shows, found by TypeScript's parser. */
import ts from 'typescript-5'
import type { Source } from '../source-text.ts'

/** A text with its values as null characters, the node that has it, and its line. */
export type InterfaceText = { text: string; node: ts.Node; line: number }

/** Finds what people read: texts of JSX, attributes and members that are shown, and strings that read like words. */
export function interfaceTexts({ path, text }: Source): InterfaceText[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
  const found: InterfaceText[] = []
  const visit = (node: ts.Node): void => {
    if (isUnread(node)) return
    const shown = textOf(node)
    if (shown !== undefined) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
      found.push({ text: shown.replaceAll(/\s+/g, ' ').trim(), node, line })
    }
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(file, visit)
  return found
}

function textOf(node: ts.Node): string | undefined {
  const written = ts.isJsxText(node) ? node.text : writtenText(node)
  if (written === undefined || !/\p{L}/u.test(written) || isNoWord(written)) return undefined
  return ts.isJsxText(node) || isShown(node) || readsLikeText(written) ? written : undefined
}

/** Addresses, entities of HTML, and classes of columns, which stand beside their texts. */
function isNoWord(text: string): boolean {
  return /:\/\/|^&\w+;$|^(?:(?:number|soft|wide-only|roomy-only) ?)+$/.test(text)
}

function writtenText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('\0')
}

/** A word with a capital letter, a word beside a space, or a number with its unit. Addresses, elements and single words without a capital are code. */
function readsLikeText(text: string): boolean {
  if (/^(?:[./#?&<]|\0?\/)/.test(text)) return false
  const isCapital = /^\W*\p{Lu}-?\p{Ll}/u.test(text) || /^\d+ \p{L}$/u.test(text)
  return isCapital || (/\p{L}{2}/u.test(text) && /[^\s<>=/] +[^\s<>=/]/u.test(text))
}

/** Attributes and members whose strings are shown or read aloud. */
const SHOWN: ReadonlySet<string> = new Set(
  `alt aria-description aria-label aria-roledescription aria-valuetext all children confirmLabel description empty
  heading hint label lead note placeholder text title why`.split(/\s+/),
)

/** Returns true for a string, perhaps one of several, of an attribute or member that is shown. */
function isShown(node: ts.Node): boolean {
  let { parent } = node
  while (isChoice(parent)) parent = parent.parent
  if (ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent))
    return SHOWN.has(parent.name.getText()) || isPluralForm(parent)
  return ts.isJsxElement(parent) || ts.isJsxFragment(parent)
}

function isPluralForm(member: ts.Node): boolean {
  const call = member.parent.parent
  return ts.isCallExpression(call) && call.expression.getText() === 'pluralText'
}

/** Returns true for a node that only selects or wraps its strings. */
function isChoice(node: ts.Node): boolean {
  return (
    ts.isConditionalExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isJsxExpression(node) ||
    (ts.isBinaryExpression(node) && LOGICAL.has(node.operatorToken.kind))
  )
}

const LOGICAL: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
])

/** Attributes and members whose strings are for the browser. */
const UNREAD: ReadonlySet<string> = new Set(
  `accept autoCapitalize autoComplete className d font height href htmlFor id key queryKey params query rel src style to transform
  type width`.split(/\s+/),
)

/** Calls whose strings are for the browser or the service. */
const UNREAD_CALLS =
  /^(?:(?:api|document|localStorage|sessionStorage|params?)\.\w+|\w*[qQ]uery|matchMedia|registerLock|.+\.(?:addEventListener|closest|endsWith|getContext|has|includes|join|matches|querySelector|querySelectorAll|replace|replaceAll|setAttribute|split|startsWith))$/

/** Returns true for a node without a text that people read. */
function isUnread(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true
  if (ts.isTypeNode(node) || ts.isThrowStatement(node)) return true
  if (ts.isJsxAttribute(node) || ts.isPropertyAssignment(node))
    return UNREAD.has(node.name.getText())
  return (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && isCode(node)
}

/** Returns true for a string that is compared, names a member, or is for the browser. */
function isCode(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isElementAccessExpression(parent) || ts.isCaseClause(parent)) return true
  if (ts.isBinaryExpression(parent))
    return COMPARISONS.has(parent.operatorToken.kind) || isUnreadMember(parent.left)
  if (ts.isCallExpression(parent)) return UNREAD_CALLS.test(parent.expression.getText())
  return 'name' in parent && parent.name === node
}

function isUnreadMember(node: ts.Node): boolean {
  return ts.isPropertyAccessExpression(node) && UNREAD.has(node.name.text)
}

const COMPARISONS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.InKeyword,
])
