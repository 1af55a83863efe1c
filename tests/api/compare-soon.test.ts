import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Client } from '../support/app'
import { csvForm } from '../support/csv-form'
import { type Guests, startGuests } from '../support/guests'

// What tests/support/fresh-state.ts keeps from other tests.
vi.doUnmock('@/lib/identity/score')

let g: Guests
let boss: Client
const PHONE = '+34612345678'

beforeAll(async () => {
  g = await startGuests([{ name: 'Norte', slug: 'norte' }])
  boss = await g.hire('admin')
})
beforeEach(() => g.sql('truncate public.reservations, public.customers cascade'))
afterAll(() => g?.app.close())

/** Waits for what goes on after the answers. */
async function settle(): Promise<void> {
  const { waitForDetachedWork } = await import('@/lib/http/after')
  await waitForDetachedWork()
}
const pairs = () => g.sql('select probability from public.identity_pairs')

it('compares the guests of an import after it', async () => {
  const rows = [
    'email;phone;nombre;apellidos',
    ...['José', 'Pepe'].map((name, n) => `p${n}@correo.example;${PHONE};${name};Íñiguez Zurbano`),
  ]
  const form = csvForm(rows.join('\n'), { consent: 'opt_in' })
  expect((await boss.request('POST', '/api/imports', { body: form })).status).toBe(201)
  await settle()
  expect(await pairs()).toHaveLength(1)
})
