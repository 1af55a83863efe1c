import type { ValidateFunction } from 'ajv'
import Ajv from 'ajv-draft-04'
import addFormats from 'ajv-formats'
import { apiPath } from '@/lib/http/api-path'

interface Media {
  schema?: object
}
interface DocumentedResponse {
  content?: Record<string, Media>
}
interface DocumentedOperation {
  responses: Record<string, DocumentedResponse>
}

// Half a second's work, and the same for every file: a worker does it once.
const worker = globalThis as { documentation?: ReturnType<typeof readDocument> }
worker.documentation ??= readDocument()
const { document, ajv, patterns, validators } = await worker.documentation

async function readDocument() {
  const { openApiDocument } = await import('@/lib/api-document/document')
  const document = openApiDocument('http://localhost:3000')
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats(ajv)
  // Without the examples: Ajv would take the `id` of an example record for a schema's.
  const bare = JSON.parse(JSON.stringify(document, (key, value) => (key === 'example' ? undefined : value)))
  ajv.addSchema({ ...bare, $id: 'openapi' } as object, 'openapi')
  const patterns = Object.entries(document.paths).map(([path, operations]) => ({
    path,
    operations: operations as Record<string, DocumentedOperation>,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  return { document, ajv, patterns, validators: new Map<string, ValidateFunction>() }
}

/** The documented operation a request addresses: `GET /api/customers/{id}`, or null. */
export function operationOf(method: string, path: string): string | null {
  const pathname = apiPath(new URL(path, 'http://localhost').pathname)
  // A path without parameters wins over one whose parameter would match it.
  const found = patterns
    .filter(({ pattern, operations }) => pattern.test(pathname) && operations[method.toLowerCase()])
    .sort((one, other) => one.path.split('{').length - other.path.split('{').length)[0]
  return found ? `${method.toUpperCase()} ${found.path}` : null
}

/**
 * Checks an answer of the API against the OpenAPI document: the status is documented, the content type and
 * the body are what it says. Answers of paths outside of it (404, 405) are not its business.
 * @throws Error that says what differs.
 */
export async function expectDocumented(method: string, path: string, response: Response): Promise<void> {
  const name = operationOf(method, path)
  if (!name) return
  const [verb = '', pattern = ''] = name.split(' ')
  const operation = (document.paths[pattern] as Record<string, DocumentedOperation>)[verb.toLowerCase()]
  const documented = operation?.responses[String(response.status)]
  const where = `${name} → ${response.status}`
  if (!documented) throw new Error(`${where} is not documented: ${await response.clone().text()}`)
  const types = Object.keys(documented.content ?? {})
  const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? ''
  if (types.length === 0) {
    const text = await response.clone().text()
    if (text !== '') throw new Error(`${where} is documented without a body and has one: ${text}`)
    return
  }
  if (!types.includes(type)) throw new Error(`${where} is ${type}, documented as ${types.join(', ')}`)
  if (type !== 'application/json' || !documented.content?.[type]?.schema) return
  // Other content is the test's business: reading a stream here would wait for its end.
  const text = await response.clone().text()
  const validate = validatorOf(pattern, verb.toLowerCase(), String(response.status))
  if (!validate(JSON.parse(text)))
    throw new Error(`${where} differs from the document: ${ajv.errorsText(validate.errors)}\n${text}`)
}

function validatorOf(path: string, method: string, status: string): ValidateFunction {
  const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1')
  const pointer = `/paths/${encodeURIComponent(escaped).replaceAll('%2F', '/')}/${method}/responses/${status}/content/application~1json/schema`
  const known = validators.get(pointer)
  if (known) return known
  const validate = ajv.compile({ $ref: `openapi#${pointer}` })
  validators.set(pointer, validate)
  return validate
}
