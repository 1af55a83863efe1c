import { globSync, readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '@/lib/api-document/document'
import { PATHS } from '@/lib/api-document/paths'
import type { Operation } from '@/lib/openapi/operation'
import { ACCESS } from '../security/roles/access'

const document = openApiDocument('https://crm.example')
const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
)

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.0', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true })
    expect(validator.version).toBe('3.0')
    expect(document.openapi).toBe('3.0.0')
  })

  // The tests of roles are generated from the document: a handler that it does not have would have none.
  it('has every handler of app/api, and no other', () => {
    const handlers = globSync('app/api/**/route.ts').flatMap((file) => {
      const path = `/${file.slice('app/'.length, -'/route.ts'.length)}`.replaceAll(/\[(\w+)\]/g, '{$1}')
      const exported = readFileSync(file, 'utf8').matchAll(
        /export (?:const|function) (GET|POST|PUT|PATCH|DELETE)\b/g,
      )
      return [...exported].map(([, method]) => `${method} ${path}`)
    })
    expect(documented.sort()).toEqual(handlers.sort())
  })

  it('names every operation once, and gives every answer with a body an example', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(
        methods as Record<string, { operationId: string; responses: Record<string, Documented> }>,
      ).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
    )
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const bare = operations.flatMap(({ name, responses }) =>
      Object.entries(responses)
        .filter(
          ([, { content }]) => content?.['application/json'] && !('example' in content['application/json']),
        )
        .map(([status]) => `${name} ${status}`),
    )
    expect(bare).toEqual([])
  })

  it('says what a request may leave out as the server has it', () => {
    const bodyOf = (operation: { requestBody?: object }) =>
      (operation.requestBody as { content: { 'application/json': { schema: Schema } } }).content[
        'application/json'
      ].schema
    const rules = bodyOf(document.paths['/api/loyalty/rules']?.post ?? {}).properties?.rules
    expect(rules?.items?.required).toEqual(['tier_id'])
    const chat = bodyOf(document.paths['/api/ai/chat']?.post ?? {})
    expect(chat.required).toEqual(['message'])
    expect(chat.properties?.history).toMatchObject({
      nullable: true,
      description: expect.stringContaining('last 10'),
    })
  })
})

it('lets those call an operation of whom it is written down', () => {
  const declared = Object.entries(PATHS).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      `${method.toUpperCase()} ${path}`,
      accessOf(operation as Operation),
    ]),
  )
  expect(Object.fromEntries(declared)).toEqual(ACCESS)
})

/** Who may call it, in the words of tests/security/roles/access.ts. */
function accessOf(operation: Operation): string {
  const { auth, variantAuth, permission, roles, machines, confirm, enrolling, anyOrigin } = operation
  const parts = [
    auth,
    variantAuth && `or ${variantAuth}`,
    permission,
    roles && `as ${roles.join(', ')}`,
    machines && `programs: ${machines}`,
    confirm && 'confirmed',
    enrolling && 'enrolling',
    anyOrigin && 'any origin',
  ]
  return parts.filter(Boolean).join('; ')
}

interface Schema {
  required?: string[]
  items?: Schema
  properties?: Record<string, Schema>
}

interface Documented {
  content?: Record<string, object>
}
