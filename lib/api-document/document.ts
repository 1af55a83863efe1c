import { type Answer, type Method, machinesNeed, type Operation, takesKey } from '@/lib/openapi/operation'
import { answersOf } from './answers'
import { type JsonSchema, toOpenApi } from './json-schema'
import { PATHS } from './paths'

type Components = Record<string, JsonSchema>

const SECURITY: Record<Operation['auth'], object[]> = {
  cron: [{ cron: [] }],
  session: [{ session: [] }],
  optional: [{ session: [] }, {}],
  none: [],
}

/** The OpenAPI 3.0.0 description of the whole API. `server` is the address it is served from. */
export function openApiDocument(server: string) {
  const schemas: Components = {}
  const paths: Record<string, Record<string, object>> = {}
  for (const [path, operations] of Object.entries(PATHS)) {
    paths[path] = {}
    for (const [method, operation] of Object.entries(operations))
      paths[path][method] = describeOperation(path, method as Method, operation, schemas)
  }
  return {
    openapi: '3.0.0',
    info: {
      title: 'Sobremesa',
      version: '1.0.0',
      description: 'An open CRM for restaurant groups: reservations in, customers and messages out.',
    },
    servers: [{ url: server }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        cron: { type: 'http', scheme: 'bearer', description: 'CRON_SECRET' },
        apiToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API token (sbm_…), made under Settings → API tokens: some permissions, in some locations, until a day. 120 requests a minute. A request with one reads and sets no cookie.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'sb-auth-token',
          description:
            'Set by POST /api/auth/sign-in (its full name carries the project, in parts when long, and begins with __Host- over https).',
        },
      },
    },
  }
}

function describeOperation(path: string, method: Method, operation: Operation, schemas: Components) {
  const { summary, tag, auth, permission, roles } = operation
  const machines = machinesNeed(operation)
  const rights = [
    permission ? `Needs ${permission}.` : roles ? `Only ${roles.join(', ')}.` : '',
    typeof machines === 'string' && machines !== permission ? `API tokens need ${machines}.` : '',
  ]
  const description = [operation.description, ...rights].filter(Boolean).join(' ')
  const answers = Object.entries(answersOf(operation, method))
  return {
    summary,
    ...(description ? { description } : {}),
    operationId: operationId(path, method),
    tags: [tag],
    security: [
      ...SECURITY[auth],
      ...(operation.variantAuth ? SECURITY[operation.variantAuth] : []),
      ...(machines ? [{ apiToken: [] }] : []),
    ],
    ...parameters(operation, takesKey(operation, method), schemas),
    ...requestBody(operation, schemas),
    responses: Object.fromEntries(answers.map(([status, answer]) => [status, response(answer, schemas)])),
  }
}

function operationId(path: string, method: Method): string {
  const words = path
    .replace('/api/', '')
    .split(/[^a-zA-Z]+/)
    .filter(Boolean)
  return [method, ...words]
    .map((word, index) => (index ? word[0]?.toUpperCase() + word.slice(1) : word))
    .join('')
}

const KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request safe to send again: within 24 hours the same key, path and body of the same caller get the first answer, if it was a success (`Idempotency-Replayed: true`, one-time secrets null), and nothing is done twice. Errors are not kept. Bodies are the same when their JSON is, whatever its spaces and the order of its fields.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
}

function parameters({ params, query, headers = {} }: Operation, keyed: boolean, schemas: Components) {
  const listed = (place: 'path' | 'query', schema: Operation['query']) => {
    const { properties = {}, required = [] } = schema ? toOpenApi(schema, 'input', schemas) : {}
    return Object.entries(properties as Components).map(([name, { description, ...property }]) => ({
      name,
      in: place,
      required: place === 'path' || (required as string[]).includes(name),
      ...(description ? { description } : {}),
      schema: property,
    }))
  }
  const asked = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }))
  const all = [...listed('path', params), ...listed('query', query), ...asked, ...(keyed ? [KEY] : [])]
  return all.length > 0 ? { parameters: all } : {}
}

function requestBody({ body, bodyExample, otherBodies = {} }: Operation, schemas: Components) {
  const content: Record<string, object> = {}
  if (body)
    content['application/json'] = {
      schema: toOpenApi(body, 'input', schemas),
      ...(bodyExample === undefined ? {} : { example: bodyExample }),
    }
  for (const [type, schema] of Object.entries(otherBodies))
    content[type] = { schema: toOpenApi(schema, 'input', schemas) }
  if (Object.keys(content).length === 0) return {}
  return { requestBody: { required: body !== undefined && !body.safeParse(undefined).success, content } }
}

function response(answer: Answer, schemas: Components) {
  const { description, schema, example, contentType, headers, otherForms = {} } = answer
  const media = {
    ...(schema ? { schema: toOpenApi(schema, 'output', schemas) } : {}),
    ...(example === undefined ? {} : { example }),
  }
  const others = Object.fromEntries(
    Object.entries(otherForms).map(([type, { schema: form, ...rest }]) => [
      type,
      { ...(form ? { schema: toOpenApi(form, 'output', schemas) } : {}), ...rest },
    ]),
  )
  const listed = Object.entries(headers ?? {}).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ])
  return {
    description,
    ...(listed.length > 0 ? { headers: Object.fromEntries(listed) } : {}),
    ...(schema || contentType ? { content: { [contentType ?? 'application/json']: media, ...others } } : {}),
  }
}
