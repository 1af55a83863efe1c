import { globSync } from 'node:fs'
import { postgres17 } from '../support/postgres/postgres-17'

/** One piece of the night: a command in a process group of its own. */
export interface Part {
  name: string
  /** Names it together with others: `clocks`, `benches`, `chaos`. */
  group?: string
  command: string
  /** It is ended after so long: about three times what it takes on two cores. */
  minutes: number
  /** What it did, by the lines of its log. */
  counts: (log: string[]) => string
  /** What it needs on the machine and does not find, with the cure. */
  missing?: () => string | undefined
}

const vitest = last(/^\s*Tests\s+(.+)$/)
const LIGHTHOUSE_ROW = /│ '(\S+), CPU \/ [\d.]+' *│ '(\d+)'/

const CLOCKS = {
  'new-year': '2026-12-31T22:53Z',
  spring: '2027-03-28T00:53Z',
  autumn: '2027-10-31T00:53Z',
  'leap-day': '2028-02-29T10:00Z',
}

// Left out: `identity` needs public data and Splink, `scale` and `plans` the whole lab (25 GB).
const BENCHES = {
  guards: 15,
  master: 10,
  downloads: 15,
  host: 45,
  sync: 30,
  imports: 30,
  messages: 45,
  segments: 30,
  pages: 60,
  lift: 60,
  'no-show': 30,
  rhythm: 30,
  'rhythm-million': 60,
  'identity-spanish': 60,
  'identity-million': 60,
}

/** What runs every night, in this order: what finds most comes first. */
export const PARTS: Part[] = [
  { name: 'embedded', command: 'npm run test:embedded', minutes: 60, counts: vitest },
  {
    name: 'postgres-17',
    command: 'POSTGRES=17 STACK=postgres vitest run tests/sql',
    minutes: 30,
    counts: vitest,
    missing: without17,
  },
  {
    name: 'pages',
    command: 'PAGES=all STACK=postgres vitest run tests/security/deploy-pages.test.ts',
    minutes: 10,
    counts: vitest,
    missing: without17,
  },
  {
    name: 'large-values',
    command: 'LARGE_VALUES=all STACK=postgres vitest run tests/security/hostile-values.test.ts',
    minutes: 20,
    counts: vitest,
  },
  {
    name: 'histories',
    command: 'HISTORIES=1000 STACK=postgres vitest run tests/sql/visit-histories.test.ts',
    minutes: 10,
    counts: vitest,
  },
  {
    name: 'no-means-no',
    command:
      'NO_GUESTS=3000 NO_SEED=$(date +%s) STACK=postgres vitest run --project stack tests/api/nobody-who-said-no.test.ts',
    minutes: 30,
    counts: vitest,
  },
  {
    name: 'nights',
    command: 'NIGHTS=5000 NIGHT_SEED=$(date +%s) STACK=postgres vitest run tests/sql/nights.test.ts',
    minutes: 100,
    counts: last(/^(\d+ nights, \d+ calls, .+ s)$/),
  },
  {
    name: 'markdown',
    command: 'MARKDOWN_TEXTS=20000 SEED=$(date +%s) vitest run --project unit tests/unit/markdown.test.ts',
    minutes: 10,
    counts: vitest,
  },
  {
    name: 'leaving',
    command: 'LEAVING=100 STACK=postgres vitest run --project stack tests/api/what-leaves.test.ts',
    minutes: 10,
    counts: vitest,
  },
  {
    name: 'emails',
    command:
      'EMAILS=10000 EMAILS_SEED=$(date +%s) playwright test --config tests/e2e/playwright.config.ts --workers 2 email-html',
    minutes: 100,
    counts: last(/^(\d+ e-mails at .+)$/),
  },
  {
    name: 'erased-names',
    command: 'ERASED_NAMES=200 STACK=postgres vitest run tests/security/erasure-names.test.ts',
    minutes: 10,
    counts: vitest,
  },
  {
    name: 'mutations',
    command: 'tsx tests/support/rls-mutations.ts',
    minutes: 60,
    counts: last(/^(\d+ mutations, \d+ not noticed)$/),
  },
  {
    name: 'breaks',
    command: 'npm run test:breaks',
    minutes: 240,
    counts: last(/^(\d+ breaks, \d+ not found)/),
  },
  {
    name: 'former-app',
    command: 'npm run test:former-app',
    minutes: 45,
    counts: last(/^(It (?:passed|fails) in.+)$/),
  },
  {
    name: 'lab',
    command: 'LAB_GUESTS=2000 LAB_DIR=/tmp/sobremesa-lab npm run lab && rm -rf /tmp/sobremesa-lab*',
    minutes: 10,
    counts: last(/^(Grown in .+)$/),
  },
  { name: 'fuzz', command: 'npm run test:fuzz', minutes: 240, counts: vitest },
  {
    name: 'chaos-small',
    group: 'chaos',
    command: 'npm run test:chaos',
    minutes: 90,
    counts: last(/^(\d+ of \d+) …$/),
  },
  {
    name: 'chaos-large',
    group: 'chaos',
    command: 'npm run test:chaos -- --large',
    minutes: 90,
    counts: last(/^(\d+ kills: .+|\d+ guests, \d+ sent)/),
  },
  {
    name: 'devices',
    command: 'DEVICE_SEED=$(date +%s) npm run test:devices',
    minutes: 60,
    counts: last(/^(\d+ taps, .+)$/),
  },
  ...Object.entries(CLOCKS).map(([name, at]): Part => {
    return {
      ...{ name: `clock-${name}`, group: 'clocks', command: `E2E_LANES=2 npm run test:e2e:at -- ${at}` },
      ...{ minutes: 75, counts: browser, missing: withoutFaketime },
    }
  }),
  ...Object.entries(BENCHES).map(([name, minutes]): Part => {
    return {
      name: `bench-${name}`,
      group: 'benches',
      command: `npm run bench -- ${name}`,
      minutes,
      counts: bounds,
    }
  }),
  {
    name: 'lighthouse',
    command: 'npm run lighthouse',
    minutes: 45,
    counts: lighthouse,
  },
]

/** The last line's piece that the pattern takes. */
function last(pattern: RegExp): (log: string[]) => string {
  return (log) => log.flatMap((line) => pattern.exec(line)?.[1] ?? []).at(-1) ?? '–'
}

function browser(log: string[]): string {
  return log
    .flatMap((line) => /^(?:lane \d \| )?\s+(\d+ (?:passed|failed|flaky|did not run))/.exec(line)?.[1] ?? [])
    .join(', ')
}

function bounds(log: string[]): string {
  const count = (verdict: string) =>
    log.filter((line) => new RegExp(` {2}${verdict}( {2}|$)`).test(line)).length
  return `${count('yes')} bounds kept, ${count('NO')} missed`
}

function lighthouse(log: string[]): string {
  const rows = log.flatMap((line) => LIGHTHOUSE_ROW.exec(line) ?? [])
  return rows.length === 0 ? '–' : `${rows.length / 3} page visits`
}

/** The parts of these names or groups; all without any. @throws on an unknown name. */
export function chooseParts(names: string[]): Part[] {
  for (const name of names)
    if (!PARTS.some((part) => isCalled(part, name)))
      throw new Error(`No part ${name}. The parts are: ${[...new Set(PARTS.flatMap(namesOf))].join(', ')}`)
  return names.length === 0 ? PARTS : PARTS.filter((part) => names.some((name) => isCalled(part, name)))
}

const namesOf = ({ name, group }: Part) => (group ? [group, name] : [name])
const isCalled = (part: Part, name: string) => namesOf(part).includes(name)

function without17(): string | undefined {
  return postgres17() ? undefined : 'Postgres 17 is missing: .ci/install'
}

function withoutFaketime(): string | undefined {
  const found = globSync('/usr/lib/*/faketime/libfaketime.so.1').length > 0
  return found ? undefined : 'libfaketime is missing: apt-get install faketime'
}
