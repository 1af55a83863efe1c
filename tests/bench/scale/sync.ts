import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { syncWindow } from '@/lib/pms/sync'
import { connectPms, PMS_KEY } from '../../factories/group'
import type { Figure } from '../support/figures'
import { startWorker } from '../support/worker'
import type { SyncAnswer, SyncQuestion } from '../sync/app-worker'
import { runFile } from '../sync/bare-sql'
import type { PmsQuestion } from '../sync/pms-worker'
import type { Ground } from './place'
import { figureOf } from './row'

const ROWS = 20_000
const WINDOW = { back: 7, ahead: 1 }

/** A sync of 20,000 reservations of which half are of known guests, the same again, and its statements alone. */
export async function sync(place: Ground): Promise<Figure[]> {
  const { lab, stack } = place
  const slugs = lab.locations.map((_, n) => `casa-${n + 1}`)
  const pms = startWorker<PmsQuestion, string>(new URL('../sync/pms-worker.ts', import.meta.url))
  const app = startWorker<SyncQuestion, SyncAnswer>(new URL('../sync/app-worker.ts', import.meta.url), {
    SUPABASE_URL: stack.url,
    SUPABASE_PUBLISHABLE_KEY: stack.keys.publishableKey,
    SUPABASE_SECRET_KEY: stack.keys.secretKey,
    CRON_SECRET: stack.keys.cronSecret,
    SECRETS_KEY: stack.keys.secretsKey,
    ALLOW_LOOPBACK_UPSTREAMS: '1',
    PMS_SYNC_DAYS_BACK: String(WINDOW.back),
    PMS_SYNC_DAYS_AHEAD: String(WINDOW.ahead),
    PMS_TIMEOUT_MS: '60000',
    LOG_LEVEL: 'error',
  })
  try {
    const window = syncWindow(new Date(), 'Europe/Madrid', WINDOW.back, WINDOW.ahead)
    const rows = Math.floor(ROWS / slugs.length)
    const url = await pms.ask({ slugs, rows, latencyMs: 0, window, apiKey: PMS_KEY })
    await connectPms(stack, lab.organization, url)
    const known = await makeKnown(place, await emailsOf(url, slugs, window))
    const question = { url: stack.url, secretKey: stack.keys.secretKey }
    const file = join(tmpdir(), `sobremesa-scale-${process.pid}.sql`)
    const first = await app.ask({ ...question, batchFile: file, keepLocations: true })
    const again = await app.ask(question)
    renewed(file, known)
    const { statements: bare } = await runFile(place.connection, stack, file)
    rmSync(file)
    return [
      figureOf({
        name: `sync of ${first.received.toLocaleString('en')} reservations, half known guests`,
        times: [first.milliseconds],
        floor: { times: [bare], what: 'its statements in psql, other new guests' },
        goal: { most: 6, unit: 's', of: 'median' },
        note: `${first.created} created`,
      }),
      {
        name: 'the sync / the same SQL bare',
        measured: first.milliseconds / bare,
        unit: '×',
        bound: 2,
        detail: `nothing changed: ${(again.milliseconds / 1000).toFixed(2)} s, ${again.created} created`,
      },
    ]
  } finally {
    await app.stop()
    await pms.stop()
  }
}

/** The e-mails of the PMS' guests, each once. */
async function emailsOf(
  url: string,
  slugs: string[],
  window: { from: string; to: string },
): Promise<string[]> {
  const emails = new Set<string>()
  for (const slug of slugs)
    for (let page = 0, more = true; more; page++) {
      const path = [PMS_KEY, slug, window.from, window.to, page].map(encodeURIComponent).join('/')
      const response = await fetch(`${url}/api/restaurant/get_reservs/${path}`, { method: 'POST' })
      const { reservs } = (await response.json()) as { reservs: { customer_email?: string }[] }
      for (const { customer_email: email } of reservs) if (email) emails.add(email)
      more = reservs.length > 0
    }
  return [...emails]
}

/** Gives every second e-mail to a guest of the lab who has none. */
async function makeKnown({ bare }: Ground, emails: string[]): Promise<Set<string>> {
  const half = emails.filter((_, n) => n % 2 === 0)
  await bare.query(`set session_replication_role = replica`)
  await bare.query(
    `update public.customers c set email = known.email
     from (select id, row_number() over () as n from (
         select id from public.customers where email is null limit $2) as c) as guest
     join unnest($1::text[]) with ordinality as known (email, n) using (n) where c.id = guest.id`,
    [half, half.length],
  )
  await bare.query(`set session_replication_role = origin`)
  await bare.query('analyze public.customers')
  return new Set(half)
}

/** The statements of a file with other bookings, and with other guests in place of those who were new. */
function renewed(file: string, known: ReadonlySet<string>): void {
  const script = readFileSync(file, 'utf8')
    .replace(/"(1\d{13,})"/g, '"b$1"')
    .replace(/"([^"@\s]+@[^"@\s]+)"/g, (whole, email) => (known.has(email) ? whole : `"b.${email}"`))
    .replaceAll('+3469', '+3468')
  writeFileSync(file, script)
}
