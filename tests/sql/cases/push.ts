import type { Who } from '../cast'
import { answers, type FunctionCase, reads, serviceOnly, type TableCase } from '../expectations'

/** The people who may not read reservations, and so get no notices about them. */
const IN_THE_DARK: Who[] = ['rrhh', 'pr_comunicacion', 'fired']
const NOTHING = '00000000-0000-4000-8000-000000000000'
const shape = (answer: unknown) => answer
const KEYS = { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) }

const endpointOf = (name: string) => `https://push.example/${name}`

/** What fill.ts put there: the device that marketing signed in with, and the stranger's. */
export const pushTables: Record<string, TableCase> = {
  push_subscriptions: {
    keys: ['browser'],
    columns: 'id,organization_id,profile_id,kinds,language,browser,system,created_at,last_success_at',
    reads: reads([['marketing'], ['marketing']], [['stranger'], ['stranger']]),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      profile_id: home === 'Norte' ? ids.admin : ids.stranger,
      session_id: NOTHING,
      endpoint: endpointOf('new'),
      ...KEYS,
      kinds: ['vip_arrived'],
      browser: 'new',
    }),
    change: () => ({ kinds: [] }),
  },
}

const listed = (answer: unknown) =>
  (answer as { browser: string; current: boolean }[]).map((each) => `${each.browser} ${each.current}`)

export const pushFunctions: Record<string, FunctionCase> = {
  my_push_devices: {
    body: () => ({}),
    shape: listed,
    answers: answers<unknown>([], [['marketing'], ['marketing true']], [['stranger'], ['stranger true']]),
  },
  // Everyone holds the same browser in turn: whose it is now gets the notices.
  save_push_device: {
    body: () => ({
      ...{ p_endpoint: endpointOf('shared'), p_p256dh: KEYS.p256dh, p_auth: KEYS.auth },
      ...{ p_kinds: ['vip_arrived'], p_language: 'es', p_browser: 'shared' },
    }),
    shape,
    answers: answers<unknown>('saved', [IN_THE_DARK, 'forbidden']),
  },
  remove_push_device: {
    body: () => ({ p_id: NOTHING }),
    shape,
    answers: answers<unknown>(false),
  },
  queue_test_push: {
    body: () => ({ p_id: NOTHING }),
    shape,
    answers: answers<unknown>(null),
  },
  claim_push_notices: { body: () => ({}), shape, answers: serviceOnly() },
  finish_push_notices: { body: () => ({ p_results: [] }), shape, answers: serviceOnly() },
}
