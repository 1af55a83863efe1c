import { createECDH } from 'node:crypto'
import { ISO, type Row, TEXT, UUID } from '../row'
import { afterwards, all, given } from './arrange'
import { about } from './cases'

const ID = 'a0000000-0000-4000-8000-0000000000f1'
const SESSION = 'a0000000-0000-4000-8000-0000000000f2'
const STATE = 'GET /api/account/push'
const SAVE = 'PUT /api/account/push'
const REMOVE = 'DELETE /api/account/push/{id}'
const section = 'our own: push notices'

const p256dh = createECDH('prime256v1').generateKeys('base64url')
const keys = { p256dh, auth: 'BTBZMqHH6r4Tts7J_aSIgg' }
// A name that DNS does not know is checked when it is connected to.
const device = { endpoint: 'https://push.invalid/x', keys, kinds: ['vip_arrived'], language: 'es' }
const listed = {
  ...{ id: UUID, current: true, kinds: ['vip_arrived'], language: 'es', browser: null, system: null },
  ...{ created_at: ISO, last_success_at: null },
}
const tidy = afterwards('delete from public.push_subscriptions')
/** A device of operaciones, of a session that is over. */
const stored = all(
  tidy,
  given('push_subscriptions', (world) => ({
    ...{ id: ID, profile_id: world.id('operaciones'), session_id: SESSION, ...keys },
    ...{ endpoint: device.endpoint, kinds: device.kinds, language: 'es' },
  })),
)

/** Push notices: a person's devices. */
export const pushRows: Row[] = [
  {
    name: 'lists the devices, and gives the key that a browser needs',
    section,
    as: 'operaciones',
    request: { operation: STATE },
    answers: { status: 200, body: { data: { public_key: TEXT, devices: [] } } },
  },
  {
    name: 'sends notices to the device of the session',
    section,
    as: 'operaciones',
    request: { operation: SAVE, body: device },
    arrange: tidy,
    answers: { status: 200, body: { data: { public_key: TEXT, devices: [listed] } } },
  },
  {
    name: 'refuses an address inside the network',
    section,
    as: 'operaciones',
    request: { operation: SAVE, body: { ...device, endpoint: 'https://10.0.0.8/x' } },
    answers: { status: 400, body: about('endpoint') },
  },
  {
    name: 'refuses an unknown kind',
    section,
    as: 'operaciones',
    request: { operation: SAVE, body: { ...device, kinds: ['gossip'] } },
    answers: { status: 400, body: about('kinds.0') },
  },
  {
    name: 'refuses the address of another person’s device with other keys',
    section,
    as: 'ceo',
    request: { operation: SAVE, body: { ...device, keys: { ...keys, auth: 'AAAAAAAAAAAAAAAAAAAAAA' } } },
    arrange: stored,
    answers: { status: 409, body: { error: 'The address is another person’s, with other keys' } },
  },
  {
    name: 'removes a device',
    section,
    as: 'operaciones',
    request: { operation: REMOVE, id: ID },
    arrange: stored,
    answers: { status: 204 },
  },
]
