import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast'
import {
  isBinaryExpression,
  isConditionalExpression,
  isJsxAttribute,
  isJsxElement,
  isJsxExpression,
  isJsxFragment,
  isJsxText,
  isNoSubstitutionTemplateLiteral,
  isParenthesizedExpression,
  isStringLiteral,
  isTemplateExpression,
} from 'typescript/unstable/ast/is'
import { place, walk } from './project'

const LETTERS = /\p{L}{2}|^\s*\p{L}\s*$/u
const SPOKEN = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'description',
  'error',
  'label',
  'placeholder',
  'title',
])

/** The places of a file where words stand in the code: in JSX, or in an attribute that people read or hear. */
export function literalTexts(path: string, tree: SourceFile): string[] {
  const found: string[] = []
  const report = (node: Node, text: string) => {
    if (LETTERS.test(text)) found.push(`${place(path, tree, node)} ${text.trim().slice(0, 60)}`)
  }
  walk(tree, (node) => {
    if (isJsxText(node)) report(node, node.text)
    else if (isJsxAttribute(node) && SPOKEN.has(node.name.getText(tree)) && node.initializer)
      for (const text of wordsOf(node.initializer)) report(node, text)
    else if (isJsxExpression(node) && (isJsxElement(node.parent) || isJsxFragment(node.parent)))
      for (const text of wordsOf(node)) report(node, text)
  })
  return found
}

const JOINS = [SyntaxKind.AmpersandAmpersandToken, SyntaxKind.BarBarToken, SyntaxKind.QuestionQuestionToken]

/** The string literals that an expression may give as they stand. */
function wordsOf(node: Node): string[] {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return [node.text]
  if (isJsxExpression(node)) return node.expression ? wordsOf(node.expression) : []
  if (isParenthesizedExpression(node)) return wordsOf(node.expression)
  if (isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map((span) => span.literal.text)]
  if (isConditionalExpression(node)) return [...wordsOf(node.whenTrue), ...wordsOf(node.whenFalse)]
  if (isBinaryExpression(node) && JOINS.includes(node.operatorToken.kind))
    return [...wordsOf(node.left), ...wordsOf(node.right)]
  return []
}
