import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from './ask'
import { deliveryFunctions, deliveryTables } from './cases/delivery'
import { arrangeCast, type Cast } from './cast'
import { describeFunctions, describeTables } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
})
afterAll(() => cast?.stack.close())

describeTables(deliveryTables, () => cast)
describeFunctions(deliveryFunctions, () => cast)

it('what was refused did nothing, and works for the service with the same arguments', async () => {
  const suppressed = () =>
    cast.stack.sql<{ address: string }>(
      'select address, reason from public.suppressions where organization_id = $1 order by address',
      [cast.ids.Norte],
    )
  const call = (name: string) =>
    ask(cast, 'service', `rpc/${name}`, { method: 'POST', body: deliveryFunctions[name]?.body(cast) })
  expect(await suppressed()).toEqual([{ address: 'baja@norte.example', reason: 'unsubscribe' }])
  expect(await call('subscription_of')).toEqual({
    organization_name: 'Norte',
    suppressed_by: 'unsubscribe',
    language: null,
    group_language: 'es',
  })
  expect(await call('suppress_addresses')).toBe(1)
  expect(await call('unsuppress_address')).toBe(true)
  expect(await suppressed()).toEqual([{ address: 'ana@norte.example', reason: 'bounce' }])
  expect(await call('guest_preferences')).toMatchObject({ known: false, frequency: 'all' })
  expect(await call('guest_look')).toMatchObject({ name: 'Norte', logo: null })
  expect(await call('save_guest_preferences')).toBe('saved')
  expect(await suppressed()).toContainEqual({ address: 'nadie@norte.example', reason: 'unsubscribe' })
  expect(await call('record_delivery')).toBe('unknown')
  expect(await call('whatsapp_open')).toBe(true)
  expect(await call('resume_run')).toBe('not_found')
  expect(await call('queue_notices')).toMatchObject({ due: 0, ids: [] })
  expect(await call('notices_report')).toEqual({ sent: 0, failed: 0 })
  expect(await call('results_of_automation')).toMatchObject({ reservations: 0, revenue: 0 })
  expect(await call('lifts_of_automations')).toEqual([])
  expect(await call('record_inbound')).toBe('taken')
  expect(await call('take_reply')).toEqual({ outcome: 'not_asked' })
  await call('link_whatsapp')
  expect(await cast.stack.sql('select address from public.whatsapp_windows order by address')).toEqual([
    { address: '+34600000001' },
    { address: '+34600000002' },
    { address: '+34600000009' },
  ])
})
