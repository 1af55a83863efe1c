/** An open or click of an e-mail, as the provider reports it. */
export interface EngagementEvent {
  /** Identifies the event among those of its message. */
  receipt: string
  kind: 'open' | 'click'
  /** Of a click: `linkOf` its address. */
  link: string | null
  /** The user agent; null when the provider names none. */
  agent: string | null
  /** ISO 8601. */
  at: string
}

/** Who did it; `unknown`: an open of which nothing is known. */
export type Actor = 'person' | 'machine' | 'unknown'

/** All opens, or all clicks on a link, of a message by one kind of actor. */
export interface Engagement {
  kind: EngagementEvent['kind']
  link: string | null
  actor: Actor
  first_at: string
  times: number
}

/** The links of `linkOf` that are a page of ours. */
const OUR_LINKS = { u: 'unsubscribe', f: 'feedback' } as const
const MAX_LINK = 300

const PREFETCH_MS = 10_000
const SCAN_MS = 2_000
// Apple's proxy, which loads the pictures of every e-mail, sends this and no more.
const APPLE_PROXY = /^mozilla\/5\.0$/i
// They load pictures when a person opens the e-mail.
const MAIL_PROXY = /googleimageproxy|yahoomailproxy/i
const SCANNER =
  /barracuda|proofpoint|mimecast|ironport|safelinks|safe links|symantec|messagelabs|trendmicro|trend micro|sophos|fireeye|trellix|zscaler|bitdefender|forcepoint|websense|cloudmark|vade ?secure|urldefense/i
// CUBOT is a make of telephones.
const PROGRAM =
  /(?<!cu)bot\b|crawler|spider|scanner|preview|headless|phantomjs|selenium|facebookexternalhit|^whatsapp\/|^curl|^wget|^python|python-requests|aiohttp|go-http-client|^java\/|httpclient|okhttp|libwww|lwp::|guzzle|^ruby|axios|node-fetch|undici|powershell/i
// Office looks a link up before it hands it to the browser.
const OFFICE = /microsoft office|ms-?office/i

/**
 * Judges who opened and clicked a message, from all its events; their order does not matter. The rule:
 *
 * - An open is a machine's when its user agent is `Mozilla/5.0` alone (Apple Mail Privacy Protection), a known scanner or
 *   program, when it comes less than 10 s after the delivery, or within 2 s of a machine's click by the same user agent.
 * - An open by Gmail's or Yahoo's picture proxy is a person's: these load pictures when the e-mail is opened.
 * - An open without a user agent is unknown: Resend reports none, and with it Apple's proxy looks like a person.
 * - A click is a machine's when its user agent is missing, bare, a scanner, a program, a picture proxy or Office, when it
 *   comes less than 2 s after the delivery, or when another link is clicked within 2 s of it: no person is that fast.
 *
 * A person behind a machine's open is missed; so figures of opens say "at least". Scanners that imitate a browser, wait and
 * follow one link only are not found.
 *
 * Sources: SocketLabs, "Identifying Apple MPP opens" and ClickDimensions, "Adjusted Opens" (user agent `Mozilla/5.0`);
 * ScientiaMobile, "What is Google Image Proxy" (a person's open); Nylas, "Multiple message.opened notifications" (immediate
 * opens); Mautic issue 9798 (scanners follow all links at once); SDK of Resend, EmailOpenedEvent (no user agent).
 *
 * @param deliveredAt ISO 8601; null while neither delivery nor sending is known: then nothing is too early.
 */
export function judgeEngagement(
  events: readonly EngagementEvent[],
  deliveredAt: string | null,
): Map<string, Actor> {
  const timed = events.map((event) => ({ ...event, ms: Date.parse(event.at) }))
  const delivered = deliveredAt === null ? Number.NEGATIVE_INFINITY : Date.parse(deliveredAt)
  const clicks = timed.filter(({ kind }) => kind === 'click')
  const isMachineClick = ({ agent, ms, link }: (typeof timed)[number]) =>
    !agent?.trim() ||
    isMachine(agent) ||
    MAIL_PROXY.test(agent) ||
    OFFICE.test(agent) ||
    ms < delivered + SCAN_MS ||
    clicks.some((other) => other.link !== link && Math.abs(other.ms - ms) <= SCAN_MS)
  const scans = clicks.filter(isMachineClick)
  const actorOfOpen = ({ agent, ms }: (typeof timed)[number]): Actor => {
    if (ms < delivered + PREFETCH_MS) return 'machine'
    if (!agent?.trim()) return 'unknown'
    const isScan = scans.some((scan) => scan.agent === agent && Math.abs(scan.ms - ms) <= SCAN_MS)
    return isScan || isMachine(agent) ? 'machine' : 'person'
  }
  const machines = new Set(scans.map(({ receipt }) => receipt))
  return new Map(
    timed.map((event) => {
      if (event.kind === 'open') return [event.receipt, actorOfOpen(event)]
      return [event.receipt, machines.has(event.receipt) ? 'machine' : 'person']
    }),
  )
}

const isMachine = (agent: string) =>
  APPLE_PROXY.test(agent.trim()) || SCANNER.test(agent) || PROGRAM.test(agent)

/** Sums the events of a message up by kind, link and actor, with the time of the first. */
export function summarizeEngagement(
  events: readonly EngagementEvent[],
  deliveredAt: string | null,
): Engagement[] {
  const actors = judgeEngagement(events, deliveredAt)
  const sums = new Map<string, Engagement>()
  for (const { receipt, kind, link, at } of events) {
    const actor = actors.get(receipt) ?? 'unknown'
    const key = JSON.stringify([kind, link, actor])
    const sum = sums.get(key)
    if (!sum) sums.set(key, { kind, link, actor, first_at: at, times: 1 })
    else {
      sum.times += 1
      if (Date.parse(at) < Date.parse(sum.first_at)) sum.first_at = at
    }
  }
  return [...sums.values()]
}

/**
 * A clicked address as it is stored: without query and fragment, which may say who clicked; `unsubscribe` or `feedback` for
 * our own links, which differ for every guest. Null when it is no web address.
 */
export function linkOf(address: string, publicUrl: string): string | null {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  const [, page = ''] = /^\/([uf])\/[^/]+\/?$/.exec(url.pathname) ?? []
  if (url.origin === URL.parse(publicUrl)?.origin && page in OUR_LINKS)
    return OUR_LINKS[page as keyof typeof OUR_LINKS]
  return `${url.origin}${url.pathname.replace(/\/$/, '')}`.slice(0, MAX_LINK)
}
