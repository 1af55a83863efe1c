import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { openApiDocument } from '@/lib/openapi/document'
import { operationOf } from '../support/contract'
import { ISO, type Row } from './row'
import { ROWS } from './rows'
import { startWorld, type World } from './world'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.close())

it.each(ROWS.map((row) => [row.call, row.status, row.when, row] as const))(
  '%s → %i when %s',
  async (_call, _status, _when, row) => {
    const undo = await row.arrange?.(world)
    try {
      await expectAnswer(row)
    } finally {
      await undo?.()
    }
  },
)

async function expectAnswer(row: Row): Promise<void> {
  const [method = '', documented = ''] = row.call.split(' ')
  const path = row.path?.(world) ?? documented
  // The row speaks of the operation it says it does.
  expect(operationOf(method, path)).toBe(row.call)
  const client = world.client(row.as, row.databaseDown)
  const response = await client.request(method, path, row.send?.(world))
  const text = await response.text()
  expect({ status: response.status, text }).toMatchObject({ status: row.status })
  for (const [name, value] of Object.entries(row.headers ?? {}))
    expect(response.headers.get(name)).toContain(value)
  if (row.body) expect(JSON.parse(text)).toEqual(row.body(world))
}

it.each(['/api/automations/run', '/api/automations//run/'])(
  'a run without an id by POST %s → 400',
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
  const covered = new Set(ROWS.map(({ call }) => call))
  expect(operations.filter((operation) => !covered.has(operation))).toEqual([])
})

it('serves the document that the answers are checked against', async () => {
  const response = await world.client('nobody').request('GET', '/api/docs/openapi.yaml')
  expect(parse(await response.text())).toEqual(openApiDocument(world.app.url))
})

it('has told no secret to anyone, not even its log', () => {
  expect(world.app.output()).not.toContain(world.stack.keys.cronSecret)
  expect(world.app.output()).not.toContain(world.stack.keys.secretKey)
})
