import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { openApiDocument } from '@/lib/api-document/document'
import { PATHS } from '@/lib/api-document/paths'
import type { Operation } from '@/lib/openapi/operation'
import { operationOf } from '../support/contract'
import { ISO, NOWHERE, type Row, resolve } from './row'
import { ROWS } from './rows'
import { startWorld, type World } from './world'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.close())

it.each(ROWS.map((row) => ({ ...row, ...row.request, ...row.answers, row })))(
  '$operation as $as $name ($status)',
  async ({ row }) => {
    const undo = await row.arrange?.(world)
    try {
      await expectAnswer(row)
    } finally {
      await undo?.()
    }
  },
)

async function expectAnswer({ as, databaseDown, request, answers }: Row): Promise<void> {
  const { method, path } = addressOf(request, world)
  // The row speaks of the operation it says it does.
  expect(operationOf(method, path)).toBe(request.operation)
  const headers = () => resolve(answers.headers, world) ?? {}
  const before = headers()
  const response = await world.client(as, databaseDown).request(method, path, {
    body: resolve(request.body, world),
    headers: resolve(request.headers, world) ?? {},
  })
  const text = await response.text()
  expect({ status: response.status, text }).toMatchObject({ status: answers.status })
  // A file is named by its day: by that of before the request or, over midnight, by that of after it.
  for (const [name, value] of Object.entries(headers())) {
    const [got, earlier] = [response.headers.get(name), before[name] ?? value]
    expect(got).toContain(got?.includes(earlier) ? earlier : value)
  }
  const code = response.headers.get('x-error-code')
  if (answers.status >= 400) expect(code).toMatch(/^[A-Z_]+$/)
  if (!answers.body) return
  const [body, expected] = [JSON.parse(text), resolve(answers.body, world)]
  // Elsewhere than in the contract an error has its code, too, and may name fields.
  if (isError(expected) && !isOfContract(request.operation))
    expect(body).toEqual({ ...body, ...expected, code })
  else expect(body).toEqual(expected)
}

const isError = (body: object) => Object.keys(body).join() === 'error'

function isOfContract(operation: string): boolean {
  const [method = '', path = ''] = operation.split(' ')
  const operations: Partial<Record<string, Operation>> = PATHS[path] ?? {}
  return operations[method.toLowerCase()]?.contract === true
}

function addressOf({ operation, id = NOWHERE, second = NOWHERE, query = '' }: Row['request'], world: World) {
  const [method = '', template = ''] = operation.split(' ')
  const path = template.replace(/\{\w+\}/, resolve(id, world)).replace(/\{\w+\}/, second)
  return { method, path: path + resolve(query, world) }
}

it.each(['/api/automations/run', '/api/automations//run/'])(
  'POST %s refuses a run without an id (400)',
  async (path) => {
    await world.stack.sql('delete from public.rate_limits')
    const response = await world.client('marketing').request('POST', path)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: 'Automation ID is required', timestamp: ISO })
  },
)

it('has a row for every operation of the OpenAPI document', () => {
  const operations = Object.entries(openApiDocument(world.app.url).paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const covered = new Set(ROWS.map(({ request }) => request.operation))
  expect(operations.filter((operation) => !covered.has(operation))).toEqual([])
})

it('serves the document that the answers are checked against', async () => {
  const response = await world.client('visitor').request('GET', '/api/docs/openapi.yaml')
  expect(parse(await response.text())).toEqual(openApiDocument(world.app.url))
})

it('has revealed no secret in answers or its log', () => {
  expect(world.app.output()).not.toContain(world.stack.keys.cronSecret)
  expect(world.app.output()).not.toContain(world.stack.keys.secretKey)
})
