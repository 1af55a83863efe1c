import fc from 'fast-check'
import type { HttpRequest } from '../http-client'
import { type Knowledge, mutated, type Schema, valid } from './arbitrary'
import { hostile, malformedBody } from './hostile'

/** A request to send, as generated. */
export interface Generated extends HttpRequest {
  kind: 'valid' | 'mutated' | 'hostile'
  method: string
  path: string
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}

interface Operation {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** The parts of an OpenAPI document that requests are generated from. */
export interface Description {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Requests to any operation: what it takes, that with a part gone wrong, and anything at all. */
export function requests(description: Description, known: Knowledge): fc.Arbitrary<Generated> {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  return fc.constantFrom(...operations).chain(({ path, method, operation }) =>
    fc.constantFrom('valid' as const, 'mutated' as const, 'hostile' as const).chain((kind) =>
      fc
        .record({
          path: pathOf(path, operation, kind, known),
          headers: headersOf(operation, kind),
          body: bodyOf(method, operation, kind, known),
        })
        .map((parts) => ({ kind, method, ...parts })),
    ),
  )
}

function pathOf(path: string, { parameters = [] }: Operation, kind: Generated['kind'], known: Knowledge) {
  // A parameter called id is that of the resource before it: /api/customers/{id}.
  const resource = path.split('/{id}')[0]?.split('/').at(-1) ?? ''
  const nameOf = ({ name }: Parameter) => (name === 'id' ? `${resource}.id` : name)
  const value = (parameter: Parameter) => {
    const good = valid(parameter.schema, known, nameOf(parameter)).map(String)
    const bad = hostile.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
    if (kind === 'valid') return good
    return fc.oneof({ weight: kind === 'mutated' ? 3 : 1, arbitrary: good }, { weight: 1, arbitrary: bad })
  }
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  return fc
    .record({
      path: fc.record(Object.fromEntries(inPath.map((parameter) => [parameter.name, value(parameter)]))),
      query: fc.record(Object.fromEntries(inQuery.map((parameter) => [parameter.name, value(parameter)])), {
        requiredKeys: inQuery.filter(({ required }) => required).map(({ name }) => name),
      }),
    })
    .map((values) => {
      const filled = path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => encoded(values.path[name] ?? '') || '%20',
      )
      const query = Object.entries(values.query).map(([name, text]) => `${name}=${encoded(text ?? '')}`)
      return query.length > 0 ? `${filled}?${query.join('&')}` : filled
    })
}

/** Percent-encoded, also when it holds lone surrogates; dots too, or they would walk up the path. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E')

function headersOf({ parameters = [] }: Operation, kind: Generated['kind']) {
  const named = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
  const values = fc.constantFrom(
    'respond-async',
    'application/x-ndjson',
    'text/event-stream',
    '*/*',
    'x'.repeat(500),
  )
  const own = fc.record(Object.fromEntries(named.map((name) => [name, values])), { requiredKeys: [] })
  if (kind !== 'hostile') return own as fc.Arbitrary<Record<string, string>>
  const odd = fc.record(
    {
      'content-type': fc.constantFrom(
        'text/plain',
        'multipart/form-data',
        'multipart/form-data; boundary=x',
        'application/json; charset=utf-16',
        '',
      ),
      origin: fc.constantFrom('https://evil.example', 'null', ''),
      'x-forwarded-for': fc.constantFrom('1.1.1.1, 2.2.2.2', 'x'.repeat(300), "' or 1=1"),
      'x-request-id': fc.constantFrom('y'.repeat(400), '{"a":1}'),
      authorization: fc.constantFrom('Bearer x', 'Basic eDp5', ''),
    },
    { requiredKeys: [] },
  )
  return fc.tuple(own, odd).map(([first, second]) => ({ ...first, ...second }) as Record<string, string>)
}

function bodyOf(
  method: string,
  { requestBody }: Operation,
  kind: Generated['kind'],
  known: Knowledge,
): fc.Arbitrary<unknown> {
  if (method === 'GET') return fc.constant(undefined)
  const schema = requestBody?.content['application/json']?.schema
  if (!schema) return kind === 'hostile' ? malformedBody : fc.constant(undefined)
  const good = valid(schema, known)
  if (kind === 'valid') return good
  if (kind === 'mutated') return good.chain(mutated)
  return fc.oneof(
    { weight: 2, arbitrary: malformedBody },
    { weight: 1, arbitrary: hostile.map((one) => JSON.stringify(one)) },
  )
}
