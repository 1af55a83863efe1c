import { addDays } from '@/lib/dates'
import { UPLOAD_MB_ON_VERCEL } from '@/lib/env'
import { JOB_NAMES } from '@/lib/jobs/job'
import { PAGES, pathOf } from '../../e2e/pages'
import { withDemoOnPostgres } from '../pages/lab'
import type { Figure } from '../support/figures'
import { FAR_MS } from './master'
import { type Step, secondsOf, startWalk } from './walk'

const SUPER = 'super@demo.example'
// Longer, and a person takes the page for broken; a page asks some ten times, one after the other.
const PAGE_SECONDS = 10
// With the start of the process, which takes the machine of the measurement longer than a host.
const COLD_SECONDS = 30
// Exports hold so many days.
const DAYS = 31

/**
 * Every page, every job and the largest transfers once, on the demo, through a proxy that refuses what Vercel refuses and
 * a gateway of 90 ms a call. Red when one takes too long, fails, or is refused by the host.
 */
export function hostFigures(): Promise<Figure[]> {
  const measured = async (stack: Parameters<typeof startWalk>[0] & { sql: (query: string) => unknown }) => {
    const walk = await startWalk(stack, FAR_MS)
    try {
      for (const page of PAGES) {
        const path = await pathOf(page, { get: (wanted) => walk.ask(wanted, page.as) })
        await walk.take({ name: page.route, path, as: page.as, bound: PAGE_SECONDS })
      }
      const headers = { authorization: `Bearer ${stack.keys.cronSecret}` }
      const job = (path: string, name = path) =>
        walk.take({ name, path, init: { headers }, bound: secondsOf(path) })
      for (const name of JOB_NAMES) await job(`/api/cron/${name}`)
      await job('/api/cron/master')
      await job('/api/cron/master?mode=parallel')
      await stack.sql('delete from public.job_runs')
      await job('/api/cron/master', '/api/cron/master, the first of a night')
      for (const transfer of transfers()) await walk.take(transfer)
      await walk.takeCold({ name: '/ after a cold start', path: '/', as: SUPER, bound: COLD_SECONDS })
      const { figures, refusals } = walk
      for (const refusal of refusals) console.error(refusal)
      const refused = { name: 'refused by the host, or failed', measured: refusals.length, bound: 0 }
      return [...figures, { ...refused, unit: 'faults' as const }]
    } finally {
      await walk.close()
    }
  }
  return withDemoOnPostgres((_, stack) => measured(stack), { scale: 1 })
}

/** The largest file that the import page sends on Vercel, and every export as long as it may be. */
function transfers(): Step[] {
  const today = new Date().toISOString().slice(0, 10)
  const days = `date=${addDays(today, 4 - DAYS)}&until=${addDays(today, 3)}`
  const row = (n: number) => `grande${n}@correo.example;Ana;${'x'.repeat(1300)}\n`
  const rows = Array.from({ length: 4000 }, (_, n) => row(n)).join('')
  const form = new FormData()
  form.set('consent', 'none')
  const file = `email;nombre;de más\n${rows}`.slice(0, UPLOAD_MB_ON_VERCEL * 1024 * 1024)
  form.set('file', new Blob([file]), 'grande.csv')
  const download = (name: string, path: string): Step => ({
    ...{ name, path, bound: secondsOf(path), as: SUPER, streamed: true },
  })
  return [
    {
      ...{ name: 'an import of 4 MB', path: '/api/imports', as: SUPER, bound: secondsOf('/api/imports') },
      init: { method: 'POST', body: form },
    },
    download('all customers as CSV', '/api/customers/export'),
    download('31 days of reservations as CSV', `/api/reservations/export?${days}`),
    download('31 days of reservations as XLSX', `/api/reservations/export?${days}&format=xlsx`),
    download('the cohorts as XLSX', '/api/reports/export?report=cohorts&format=xlsx'),
    download('the audit log as CSV', '/api/audit-log/export'),
    download('200 customers as JSON', '/api/customers?limit=200'),
    download('every template of e-mails as JSON', '/api/email-templates'),
  ]
}
