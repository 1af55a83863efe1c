import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { replicaHealth } from '@/lib/db/replica'
import { createGroup, type Group } from '../factories/group'
import { type Client, pointAppAt } from '../support/app'
import { watchRequests } from '../support/network'
import type { Server } from '../support/postgres/server'
import { serveDatabase } from '../support/postgres/stack'
import { type Standby, startPrimary, startStandby } from '../support/postgres/standby'
import { createTemplate, TEMPLATE } from '../support/postgres/template'
import { signedIn } from '../support/sign-in'
import type { Stack } from '../support/stack'

/** What a browser forgets after its Max-Age, without waiting for it. */
const CHANGED = 'changed'
const PAST = '2026-05-01'
const READERS = 4
/** Reads that the replica answers, as a marketing person may ask them. */
const LISTS = [
  '/api/customers',
  '/api/customers?search=ana&sort=name',
  '/api/customers/tags',
  '/api/customers/cities?search=a',
  '/api/customers/export?language=es',
  `/api/reservations?date=${PAST}`,
  `/api/reservations/export?date=${PAST}&format=csv&language=es`,
  '/api/messages',
  '/api/stats/overview',
  '/api/reports?months=6',
  '/api/reports/export?months=6&report=cohorts&format=csv&language=es',
]

describe.runIf(process.env.STACK === 'postgres')('a read replica', () => {
  let primary: Server
  let stack: Stack
  let standby: Standby
  let group: Group
  let boss: Client

  beforeAll(async () => {
    const keys = inject('keys')
    const { authBinary, password } = inject('postgres')
    primary = await startPrimary(password)
    await createTemplate(primary.address, authBinary)
    stack = await serveDatabase({ ...primary.address, template: TEMPLATE, authBinary }, TEMPLATE, keys)
    standby = await startStandby(primary.address, TEMPLATE, keys)
    pointAppAt(stack.url, keys, { SUPABASE_READ_URL: standby.url, LOG_LEVEL: 'silent' })
    group = await createGroup(stack, 'Grupo Réplica', [{ name: 'Norte', slug: 'norte' }])
    await addGuest('Ana')
    boss = await signedIn(await group.person('super_admin'))
    boss.forget(CHANGED)
    await settled()
    await caughtUp()
    await inUse()
  })
  afterEach(() => {
    vi.useRealTimers()
    return standby?.sql('select pg_wal_replay_resume()')
  })
  afterAll(async () => {
    await standby?.close()
    await stack?.close()
    await primary?.stop()
  })

  const addGuest = (name: string) =>
    stack.sql('insert into public.customers (organization_id, first_name) values ($1, $2)', [group.id, name])

  /** Makes all sessions older than the replica's lag may be. */
  const settled = () => stack.sql(`update auth.sessions set created_at = created_at - interval '1 minute'`)

  /** Waits until the app's measurements say so. */
  const becomes = (state: string, timeout = 30_000) =>
    vi.waitFor(async () => expect((await replicaHealth())?.state).toBe(state), { timeout, interval: 50 })
  const inUse = () => becomes('used')

  /** Waits until the standby has what the primary has. */
  async function caughtUp() {
    const [{ at } = { at: '' }] = await stack.sql<{ at: string }>(`select pg_current_wal_lsn()::text as at`)
    const has = `select pg_last_wal_replay_lsn() >= '${at}' as has`
    await vi.waitFor(async () => expect(await standby.sql(has)).toEqual([{ has: true }]), { timeout: 10_000 })
  }

  /** What either side is asked for, until `stop`. */
  function watch() {
    const of = { primary: [] as string[], replica: [] as string[] }
    const stop = watchRequests(({ url }) => {
      const { origin, pathname } = new URL(url)
      if (!pathname.startsWith('/rest/v1/')) return
      of[origin === standby.url ? 'replica' : 'primary'].push(pathname.replace(/^\/rest\/v1\/(rpc\/)?/, ''))
    })
    return { ...of, stop }
  }

  /** Status of a GET, and where its data came from. */
  async function asked(client: Client, path: string) {
    const { stop, ...of } = watch()
    try {
      const response = await client.request('GET', path)
      const text = await response.text()
      return { status: response.status, text, ...of }
    } finally {
      stop()
    }
  }

  const names = async (client = boss) => {
    const { status, text } = await asked(client, '/api/customers')
    expect(status).toBe(200)
    return (JSON.parse(text) as { data: { first_name: string }[] }).data.map((row) => row.first_name).sort()
  }

  // What stays: who asks, measurements, limits, audit lines, and the locations that name the rows.
  const STAYS =
    /^(my_session|replication_state|take_attempts|take_rate_limit|log_(customers|reservations)_export|end_export|locations)$/

  const dataOf = (paths: string[]) => paths.filter((one) => !STAYS.test(one))

  it.each(LISTS)('answers GET %s', async (path) => {
    boss.forget(CHANGED)
    await caughtUp()
    await inUse()
    const { status, primary, replica } = await asked(boss, path)
    expect(status).toBe(200)
    expect(dataOf(replica)).not.toEqual([])
    // A replica that does not know of the download yet refuses it, and the primary is asked.
    expect(dataOf(primary).filter((one) => one !== 'export_customers')).toEqual([])
  })

  it('is not asked about the service under way, nor by a request that changes something', async () => {
    const today = new Date().toISOString().slice(0, 10)
    expect((await asked(boss, `/api/reservations?date=${today}`)).replica).toEqual([])
    expect((await asked(boss, '/api/locations')).replica).toEqual([])
  })

  it('shows what it has replayed, and to those who have just changed something what they changed', async () => {
    const person = await group.person('admin')
    const before = await names()
    // Whether it is late goes by the last commit that it has replayed.
    await stack.sql('select pg_current_xact_id()')
    await caughtUp()
    await inUse()
    await standby.sql('select pg_wal_replay_pause()')
    // That measurement holds, however long the next lines take.
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
    const other = await signedIn(person)
    const made = await boss.request('POST', '/api/customers', { body: { first_name: 'Berta' } })
    expect(made.status).toBe(201)
    expect(made.headers.getSetCookie().find((line) => line.startsWith(`${CHANGED}=`))).toMatch(
      /^changed=1; .*Max-Age=10;.*HttpOnly/i,
    )
    // Their own change at once; a session that the replica does not know yet reads at the primary, too.
    expect(await names()).toEqual([...before, 'Berta'].sort())
    other.forget(CHANGED)
    expect(await names(other)).toEqual([...before, 'Berta'].sort())
    // Ten seconds later the browser has forgotten: the replica, not yet known to be late, shows its own data.
    boss.forget(CHANGED)
    expect(await names()).toEqual(before)
    vi.useRealTimers()
    await standby.sql('select pg_wal_replay_resume()')
    await caughtUp()
    expect(await names()).toContain('Berta')
  })

  it('sends a person whose locations have just changed to the primary', async () => {
    const person = await group.person('marketing')
    const client = await signedIn(person)
    await settled()
    client.forget(CHANGED)
    await inUse()
    await caughtUp()
    expect((await asked(client, '/api/customers')).replica).toContain('list_customers')
    const location_ids = group.locations.map(({ id }) => id)
    const changed = await boss.request('PATCH', `/api/team/${person.id}`, { body: { location_ids } })
    expect(changed.status).toBe(200)
    expect((await asked(client, '/api/customers')).replica).toEqual([])
  })

  it('is left alone when it is late, and used again when it has caught up', async () => {
    boss.forget(CHANGED)
    await inUse()
    await caughtUp()
    await standby.sql('select pg_wal_replay_pause()')
    await addGuest('Carla')
    // The last replayed commit grows old while the primary has more: late once that is five seconds ago.
    await becomes('late')
    expect((await replicaHealth())?.lagMs).toBeGreaterThan(5000)
    const read = await asked(boss, '/api/customers')
    expect(read.replica.filter((one) => one !== 'replication_state')).toEqual([])
    expect(read.text).toContain('Carla')
    await standby.sql('select pg_wal_replay_resume()')
    await caughtUp()
    await inUse()
    expect((await asked(boss, '/api/customers')).replica).toContain('list_customers')
  })

  /** How many reads one list makes of the replica. */
  const readsOfList = async () => dataOf((await asked(boss, '/api/customers')).replica).length

  it('may be killed in mid-load and come back: no wrong answer, and each reader asks it once more at most', async () => {
    boss.forget(CHANGED)
    await caughtUp()
    await inUse()
    const expected = await names()
    const most = READERS * (await readsOfList())
    let answers = 0
    let ended = false
    const load = Array.from({ length: READERS }, async () => {
      while (!ended) {
        expect(await names()).toEqual(expected)
        answers += 1
      }
    })
    const answered = (more: number) => {
      const from = answers
      return vi.waitFor(() => expect(answers - from).toBeGreaterThan(more), { timeout: 60_000 })
    }
    await answered(20)
    await standby.kill()
    const since = watch()
    await answered(40)
    since.stop()
    expect(dataOf(since.replica).length).toBeLessThanOrEqual(most)
    expect((await replicaHealth())?.state).toBe('gone')
    await standby.restart()
    await inUse()
    await answered(20)
    ended = true
    await Promise.all(load)
    await inUse()
    expect((await asked(boss, '/api/customers')).replica).toContain('list_customers')
  })

  it('may hang: a read that waits for it is freed by a measurement, and no other read asks it', async () => {
    boss.forget(CHANGED)
    await inUse()
    const expected = await names()
    const most = await readsOfList()
    await inUse()
    await standby.freeze()
    const since = watch()
    try {
      for (let n = 0; n < 5; n++) expect(await names()).toEqual(expected)
    } finally {
      standby.thaw()
      since.stop()
    }
    expect(since.replica).toContain('replication_state')
    expect(dataOf(since.replica).length).toBeLessThanOrEqual(most)
    await inUse()
    expect((await asked(boss, '/api/customers')).replica).toContain('list_customers')
  })
})
