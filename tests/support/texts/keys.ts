import type { Identifier, Node } from 'typescript/unstable/ast'
import {
  isArrayBindingPattern,
  isArrayLiteralExpression,
  isAwaitExpression,
  isBindingElement,
  isCallExpression,
  isIdentifier,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import type { Type } from 'typescript/unstable/sync'
import { type OpenProject, place, walk } from './project'

interface Call {
  where: string
  translator: Identifier
  key: Node | undefined
}

/** The message keys that the code asks for, with a place of each, and the calls with keys that cannot be determined. */
export interface UsedKeys {
  used: Map<string, string>
  untold: string[]
}

/** Finds every `t('…')` of the folders; a key that is computed counts as each value its type allows. */
export function usedKeys(project: OpenProject, ...folders: string[]): UsedKeys {
  const calls = project.files(...folders).flatMap(({ path, tree }) => {
    const found: Call[] = []
    walk(tree, (node) => {
      if (!isCallExpression(node)) return
      const callee = isPropertyAccessExpression(node.expression)
        ? node.expression.expression
        : node.expression
      if (isIdentifier(callee))
        found.push({ where: place(path, tree, node), translator: callee, key: node.arguments[0] })
    })
    return found
  })
  const symbols = project.checker.getSymbolAtLocation(calls.map(({ translator }) => translator))
  const used = new Map<string, string>()
  const untold: string[] = []
  for (const [index, { where, key }] of calls.entries()) {
    const namespace = namespaceOf(project.resolve(symbols[index]?.valueDeclaration))
    if (namespace === undefined || !key) continue
    const names = literals(project.checker.getTypeAtLocation(key))
    if (names.length === 0) untold.push(where)
    for (const name of names) used.set(namespace ? `${namespace}.${name}` : name, where)
  }
  return { used, untold }
}

function literals(type: Type | undefined): string[] {
  if (type?.isUnionType()) return type.getTypes().flatMap((each) => literals(each))
  return type?.isStringLiteralType() ? [type.value] : []
}

/** The namespace of the translator that a name was declared as; undefined when it is something else. */
function namespaceOf(declaration: Node | undefined): string | undefined {
  if (!declaration) return undefined
  if (isVariableDeclaration(declaration)) return namespaceOfCall(declaration.initializer)
  if (isParameterDeclaration(declaration))
    return /(?:use|get)Translations<'([\w.]+)'>/.exec(declaration.type?.getText() ?? '')?.[1]
  if (!isBindingElement(declaration) || !isArrayBindingPattern(declaration.parent)) return undefined
  // const [t, format] = await Promise.all([getTranslations('…'), getFormatter()])
  const pattern = declaration.parent
  if (!isVariableDeclaration(pattern.parent)) return undefined
  const together = unawaited(pattern.parent.initializer)
  const list = together && isCallExpression(together) ? together.arguments[0] : together
  if (!list || !isArrayLiteralExpression(list)) return undefined
  return namespaceOfCall(list.elements[pattern.elements.indexOf(declaration)])
}

function namespaceOfCall(node: Node | undefined): string | undefined {
  const call = unawaited(node)
  if (!call || !isCallExpression(call) || !isIdentifier(call.expression)) return undefined
  if (!/^(useTranslations|getTranslations|createTranslator)$/.test(call.expression.text)) return undefined
  const [argument] = call.arguments
  if (!argument) return ''
  if (isStringLiteral(argument)) return argument.text
  if (!isObjectLiteralExpression(argument)) return undefined
  for (const property of argument.properties)
    if (isPropertyAssignment(property) && property.name.getText() === 'namespace')
      return isStringLiteral(property.initializer) ? property.initializer.text : undefined
  return ''
}

function unawaited(node: Node | undefined): Node | undefined {
  return node && isAwaitExpression(node) ? node.expression : node
}
