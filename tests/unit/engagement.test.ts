import { describe, expect, it } from 'vitest'
import {
  type EngagementEvent,
  judgeEngagement,
  linkOf,
  summarizeEngagement,
} from '@/lib/messaging/engagement'

const DELIVERED = '2026-11-20T11:00:00.000Z'
const after = (seconds: number) => new Date(Date.parse(DELIVERED) + seconds * 1000).toISOString()
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'
const GMAIL = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'

let count = 0
const event = (
  kind: EngagementEvent['kind'],
  seconds: number,
  agent: string | null = CHROME,
  link = 'https://example.com/carta',
): EngagementEvent => ({
  receipt: `e${++count}`,
  kind,
  at: after(seconds),
  agent,
  link: kind === 'click' ? link : null,
})
const verdicts = (events: EngagementEvent[], delivered: string | null = DELIVERED) => {
  const actors = judgeEngagement(events, delivered)
  return events.map(({ receipt }) => actors.get(receipt))
}

describe('an open an hour after the delivery', () => {
  it.each([
    ['Gmail’s proxy', GMAIL, 'person'],
    ['Yahoo’s proxy', 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html', 'person'],
    ['Apple Mail without privacy protection', IPHONE.replace(' Version/17.5', ''), 'person'],
    [
      'Outlook',
      'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; Microsoft Outlook 16.0.17928; ms-office; MSOffice 16)',
      'person',
    ],
    ['Thunderbird', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0', 'person'],
    [
      'a CUBOT telephone',
      'Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36',
      'person',
    ],
    ['Apple’s privacy proxy', 'Mozilla/5.0', 'machine'],
    ['Apple’s privacy proxy, padded', ' Mozilla/5.0 ', 'machine'],
    ['Barracuda', 'Mozilla/5.0 (compatible; BarracudaSentinel/1.0)', 'machine'],
    [
      'a crawler',
      'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/131',
      'machine',
    ],
    ['a program', 'python-requests/2.32.3', 'machine'],
    ['nobody named', null, 'unknown'],
    ['an empty name', ' ', 'unknown'],
  ])('by %s', (_, agent, actor) => {
    expect(verdicts([event('open', 3600, agent)])).toEqual([actor])
  })
})

describe('a click an hour after the delivery', () => {
  it.each([
    ['Chrome', CHROME, 'person'],
    ['Safari', IPHONE, 'person'],
    [
      'Firefox',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0',
      'person',
    ],
    [
      'Samsung’s browser',
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36',
      'person',
    ],
    [
      'Instagram’s browser',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 355.0',
      'person',
    ],
    ['nobody named', null, 'machine'],
    ['a bare name', 'Mozilla/5.0', 'machine'],
    [
      'Office, before the browser',
      'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0; Pro)',
      'machine',
    ],
    ['Gmail’s picture proxy', GMAIL, 'machine'],
    ['a preview', 'WhatsApp/2.24.20.89 A', 'machine'],
    ['a headless browser', CHROME.replace('Chrome/', 'HeadlessChrome/'), 'machine'],
    ['Go', 'Go-http-client/2.0', 'machine'],
    ['Proofpoint', 'Mozilla/5.0 (compatible; ProofPoint URL Defense)', 'machine'],
  ])('by %s', (_, agent, actor) => {
    expect(verdicts([event('click', 3600, agent)])).toEqual([actor])
  })
})

describe('the time', () => {
  it.each([
    ['open', -5, 'machine'],
    ['open', 9.9, 'machine'],
    ['open', 10, 'person'],
    ['click', 1.9, 'machine'],
    ['click', 2, 'person'],
  ] as const)('of an %s, %s s after the delivery', (kind, seconds, actor) => {
    expect(verdicts([event(kind, seconds, kind === 'open' ? GMAIL : CHROME)])).toEqual([actor])
  })

  it('is never too early while the delivery is not known', () => {
    expect(verdicts([event('open', 1, GMAIL), event('click', 900)], null)).toEqual(['person', 'person'])
  })
})

describe('clicks on several links', () => {
  const [one, two, three] = ['https://a.example', 'https://b.example', 'https://c.example']

  it('within two seconds are a scanner’s; a later one on one of them is a person’s', () => {
    const scan = [one, two, three].map((link, n) => event('click', 60 + n * 0.4, CHROME, link))
    expect(verdicts([...scan, event('click', 4000, CHROME, two)])).toEqual([
      'machine',
      'machine',
      'machine',
      'person',
    ])
  })

  it('more than two seconds apart are a person’s, as are two on one link', () => {
    const slow = [event('click', 60, CHROME, one), event('click', 62.1, CHROME, two)]
    expect(verdicts(slow)).toEqual(['person', 'person'])
    expect(verdicts([event('click', 60, CHROME, one), event('click', 60.2, CHROME, one)])).toEqual([
      'person',
      'person',
    ])
  })

  it('by a scanner that loads the pictures too', () => {
    const scan = [
      event('open', 59, CHROME),
      event('click', 60, CHROME, one),
      event('click', 60, CHROME, two),
      event('open', 60, IPHONE),
    ]
    expect(verdicts(scan)).toEqual(['machine', 'machine', 'machine', 'person'])
  })

  it('change the verdict on an earlier one', () => {
    const first = event('click', 60, CHROME, one)
    expect(verdicts([first])).toEqual(['person'])
    expect(verdicts([first, event('click', 61, CHROME, two)])).toEqual(['machine', 'machine'])
  })
})

it('the order of the events does not matter', () => {
  const agents = [CHROME, GMAIL, 'Mozilla/5.0', null, IPHONE]
  const events = Array.from({ length: 40 }, (_, n) =>
    event(
      n % 3 ? 'click' : 'open',
      ((n * 7919) % 97) / 3,
      agents[n % agents.length] ?? null,
      `https://${n % 4}.example`,
    ),
  )
  const sorted = (list: EngagementEvent[]) =>
    summarizeEngagement(list, DELIVERED)
      .map((row) => JSON.stringify(row))
      .sort()
  const expected = sorted(events)
  for (let turn = 1; turn < events.length; turn += 1)
    expect(sorted([...events.slice(turn), ...events.slice(0, turn)].reverse())).toEqual(expected)
  expect(expected.join()).toContain('machine')
  expect(expected.join()).toContain('person')
})

it('opens and clicks are summed up by link and actor', () => {
  const events = [
    event('click', 5000),
    event('click', 4000),
    event('open', 4000, 'Mozilla/5.0'),
    event('open', 3, GMAIL),
  ]
  expect(summarizeEngagement(events, DELIVERED)).toEqual([
    {
      kind: 'click',
      link: 'https://example.com/carta',
      actor: 'person',
      first_at: after(4000),
      times: 2,
    },
    { kind: 'open', link: null, actor: 'machine', first_at: after(3), times: 2 },
  ])
})

it.each([
  ['https://example.com/carta?utm_source=x&email=ana@example.com#top', 'https://example.com/carta'],
  ['https://ana:secret@example.com/', 'https://example.com'],
  ['https://crm.example/u/abc.def', 'unsubscribe'],
  ['https://crm.example/f/abc', 'feedback'],
  ['https://other.example/u/abc', 'https://other.example/u/abc'],
  ['https://crm.example/unknown/u/abc', 'https://crm.example/unknown/u/abc'],
  ['mailto:ana@example.com', null],
  ['javascript:alert(1)', null],
  ['', null],
])('the link %s is kept as %s', (address, link) => {
  expect(linkOf(address, 'https://crm.example')).toBe(link)
})
