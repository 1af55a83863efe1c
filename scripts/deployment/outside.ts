// What the operator’s own machine sees of a deployment.
import { type FaultFinding, LINES, type Line, right, unknown, wrong } from '../../lib/deployment/lines'
import type { Report } from '../../lib/deployment/report-schema'

const TIMEOUT_MS = 60_000
const PROBE_MS = 15_000
const MAX_CLOCK_SECONDS = 5
/** As lib/health/fault-page.ts and lib/health/installation-id.ts send them. */
const SETTINGS_HEADER = 'x-wrong-settings'
const INSTALLATION_HEADER = 'x-installation'

/** What the page in place of every other names by its code. */
const PAGE_FAULTS: Record<string, FaultFinding> = {
  INSTALLATION_SETTINGS: 'settings_wrong',
  INSTALLATION_KEY_REFUSED: 'key_refused',
  INSTALLATION_SCHEMA_MISSING: 'schema_missing',
  INSTALLATION_SCHEMA_OLD: 'schema_old',
  INSTALLATION_SILENT: 'database_silent',
  INSTALLATION_FOREIGN: 'database_foreign',
}

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|\/|$)/

interface Outside {
  /** The address of the app, without a slash at the end. */
  url: string
  cronSecret: string
  /** A clock of tests. */
  now?: () => Date
}

/** Asks the app from outside, then for its own report. The lines in words are the caller's to print. */
export async function checkFromOutside({
  url,
  cronSecret,
  now = () => new Date(),
}: Outside): Promise<Line[]> {
  if (!url.startsWith('https://') && !LOOPBACK.test(url))
    return [wrong('reached', 'http_only', { detail: url })]
  const health = await get(`${url}/api/health`)
  if (!health) return [wrong('reached', 'unreachable', { detail: url })]
  const page = await get(`${url}/sign-in`)
  const lines = [reachedLine(url, health, page), ...seenLines(url, page ?? health, now())]
  const report = await askReport(url, health, cronSecret)
  if ('id' in report) return [...lines, report]
  const other = report.app_url !== '' && report.app_url !== url
  return [
    ...lines,
    right('report', 'report_read'),
    other
      ? wrong('app_url_here', 'app_url_other', { detail: report.app_url })
      : report.app_url === ''
        ? []
        : right('app_url_here', 'app_url_same', { detail: url }),
    report.lines,
  ].flat()
}

const get = (address: string, headers: Record<string, string> = {}, ms = PROBE_MS) =>
  fetch(address, { headers, redirect: 'manual', signal: AbortSignal.timeout(ms) }).catch(() => null)

function reachedLine(url: string, health: Response, page: Response | null): Line {
  if (health.ok) return right('reached', 'reached', { detail: url })
  const found = PAGE_FAULTS[page?.headers.get('x-error-code') ?? ''] ?? 'unhealthy'
  const settings = page?.headers.get(SETTINGS_HEADER)
  return wrong('reached', found, { detail: settings ?? String(health.status) })
}

/** The headers and the clock of a page. */
function seenLines(url: string, page: Response, now: Date): Line[] {
  const needed = ['content-security-policy', 'x-content-type-options']
  if (url.startsWith('https://')) needed.push('strict-transport-security')
  const missing = needed.filter((name) => !page.headers.has(name))
  const date = Date.parse(page.headers.get('date') ?? '')
  const seconds = Math.round(Math.abs(now.getTime() - date) / 1000)
  return [
    missing.length > 0
      ? wrong('headers', 'headers_missing', { detail: missing.join(', ') })
      : right('headers', 'headers_right'),
    Number.isNaN(date)
      ? unknown('outside_clock', 'no_answer', { detail: url })
      : seconds > MAX_CLOCK_SECONDS
        ? wrong('outside_clock', 'clock_off_here', { count: seconds })
        : right('outside_clock', 'clock_right'),
  ]
}

/** The app's own report, or the line that says why there is none. The secret goes to no site but Sobremesa. */
async function askReport(url: string, health: Response, cronSecret: string): Promise<Report | Line> {
  if (cronSecret === '') return unknown('report', 'report_secret_missing')
  if (!health.headers.has(INSTALLATION_HEADER))
    return wrong('report', 'report_missing', { detail: String(health.status) })
  const answer = await get(`${url}/api/installation`, { authorization: `Bearer ${cronSecret}` }, TIMEOUT_MS)
  if (!answer) return unknown('report', 'no_answer', { detail: url })
  if (answer.status === 401) return wrong('report', 'report_refused')
  const report: unknown = await answer.json().catch(() => null)
  if (answer.ok && isReport(report)) return report
  return wrong('report', 'report_missing', { detail: String(answer.status) })
}

/** Whether it is a report whose lines this version can word. */
function isReport(given: unknown): given is Report {
  const { lines } = (given ?? {}) as { lines?: unknown }
  return Array.isArray(lines) && lines.every(({ id }) => LINES.includes(id))
}
