/** The names that code declares, found by TypeScript's parser. */
import ts from 'typescript-5'
import type { Source } from './source-text.ts'

/** A name, and its offset in the source. */
export type DeclaredName = { name: string; at: number }

/** Returns the names of variables, parameters, functions, types and members that a file declares. */
export function declaredNames({ path, text }: Source): DeclaredName[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind)
  const names: DeclaredName[] = []
  const visit = (node: ts.Node): void => {
    const name = nameOf(node)
    if (name !== undefined) names.push({ name: name.text, at: name.getStart(file) })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return names
}

/** Returns the name that a node declares; undefined for other nodes, and for names that are patterns or strings. */
function nameOf(node: ts.Node): ts.Identifier | ts.PrivateIdentifier | undefined {
  if (!DECLARATIONS.has(node.kind)) return undefined
  const { name } = node as ts.NamedDeclaration
  return name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) ? name : undefined
}

const DECLARATIONS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.BindingElement,
  ts.SyntaxKind.ClassDeclaration,
  ts.SyntaxKind.ClassExpression,
  ts.SyntaxKind.EnumDeclaration,
  ts.SyntaxKind.EnumMember,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.FunctionExpression,
  ts.SyntaxKind.GetAccessor,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.MethodDeclaration,
  ts.SyntaxKind.MethodSignature,
  ts.SyntaxKind.NamedTupleMember,
  ts.SyntaxKind.NamespaceImport,
  ts.SyntaxKind.Parameter,
  ts.SyntaxKind.PropertyAssignment,
  ts.SyntaxKind.PropertyDeclaration,
  ts.SyntaxKind.PropertySignature,
  ts.SyntaxKind.SetAccessor,
  ts.SyntaxKind.ShorthandPropertyAssignment,
  ts.SyntaxKind.TypeAliasDeclaration,
  ts.SyntaxKind.TypeParameter,
  ts.SyntaxKind.VariableDeclaration,
])
