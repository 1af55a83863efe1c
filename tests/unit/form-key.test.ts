import { globSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { onAskForCode } from '@/components/forms/ask-for-code'
import { send } from '@/components/forms/send'
import { PATHS } from '@/lib/api-document/paths'
import { takesKey } from '@/lib/openapi/operation'

afterEach(() => vi.unstubAllGlobals())

type Answer = { status: number; code?: string } | 'lost' | 'cut'
const OK: Answer = { status: 201 }

/** The keys of a form's requests, which are answered in this way. */
async function keysOf(answers: Answer[], method = 'POST'): Promise<(string | null)[]> {
  const keys: (string | null)[] = []
  const left = [...answers]
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    keys.push(new Headers(init.headers).get('idempotency-key'))
    const next = left.shift() ?? OK
    if (next === 'lost') throw new TypeError('fetch failed')
    if (next === 'cut') return new Response('{"data":{"id', { status: 201 })
    const headers = next.code ? { 'X-Error-Code': next.code } : undefined
    return Response.json({ data: {} }, { status: next.status, headers })
  })
  const key = { current: null }
  while (left.length > 0) await send(method, '/api/tickets', { subject: 'Una' }, { stay: true, key })
  return keys
}

describe('the key of a form', () => {
  it.each<[string, Answer]>([
    ['was lost on the way', 'lost'],
    ['was done, and its answer broke off', 'cut'],
    ['failed', { status: 500, code: 'INTERNAL_ERROR' }],
    ['was refused for a field', { status: 400, code: 'INVALID_INPUT' }],
    ['is under way', { status: 409, code: 'IN_PROGRESS' }],
  ])('is the same while the request %s, and a new one after success', async (_, trouble) => {
    const [first, second, third, next] = await keysOf([trouble, trouble, OK, OK])
    expect(first).toMatch(/^[0-9a-z-]{10,255}$/)
    expect([second, third]).toEqual([first, first])
    expect(next).toMatch(/^[0-9a-z-]{10,255}$/)
    expect(next).not.toBe(first)
  })

  it.each(['IDEMPOTENCY_MISMATCH', 'ANSWER_NOT_KEPT'])('is a new one after %s', async (code) => {
    const [first, second] = await keysOf([{ status: 422, code }, OK])
    expect(second).toBeTruthy()
    expect(second).not.toBe(first)
  })

  it('is the same when the request is sent again with a code of the second factor', async () => {
    const stop = onAskForCode(async () => true)
    const keys = await keysOf([{ status: 403, code: 'SECOND_FACTOR_NEEDED' }, OK])
    stop()
    expect(keys).toEqual([expect.any(String), keys[0]])
  })

  it('is not sent with a change', async () => {
    expect(await keysOf([OK], 'PATCH')).toEqual([null])
  })
})

// `useSubmit` and `useChange` have a key; whoever calls `send` or `fetch` has to bring one.
it('every form that creates sends one', () => {
  const creating = Object.entries(PATHS)
    .filter(([, { post }]) => post && takesKey(post, 'post'))
    .map(([path]) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`))
  const calls = globSync('components/**/*.{ts,tsx}').flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const found = text.matchAll(
      /\b(?:send|fetch)(?:<[^(]*>)?\(\s*(?:'POST',\s*)?([`'])(\/api\/.*?)\1((?:[^()]|\([^()]*\))*)\)/g,
    )
    return [...found].map(([whole, , path = '']) => ({
      file,
      whole,
      path: path.replaceAll(/\$\{.*?\}/g, 'x'),
    }))
  })
  const creators = calls.filter(
    ({ whole, path }) => whole.includes("'POST'") && creating.some((pattern) => pattern.test(path)),
  )
  expect(creators.map(({ file }) => file).sort()).toEqual([
    'components/customers/points-form.tsx',
    'components/email-design/templates.tsx',
  ])
  for (const { file, whole } of creators)
    expect({ file, whole }).toMatchObject({ whole: expect.stringMatching(/\bkey\b/) })
})
