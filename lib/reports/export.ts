import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { SEPARATORS } from '@/lib/csv/cells'
import { csvDownload } from '@/lib/csv/download'
import { type Cell, inCsv, textCell as text, xlsxDownload } from '@/lib/csv/sheet'
import en from './export-words/en.json'
import es from './export-words/es.json'
import { hourOf, meanCovers, readHours, shownHours } from './hours'
import { readCohorts, readTierRevenue } from './reports'
import { returnedBy } from './returns'
import type { CohortGroup, reportsExportQuery, Served, Split, TierRevenue } from './schema'
import { STEP_DAYS, STEPS } from './schema'
import { readWeeks } from './weeks'

const WORDS = { es, en }
type Words = typeof es
type Asked = z.infer<typeof reportsExportQuery>
type Table = { header: string[]; rows: Cell[][]; from: string; to: string }

const number = (value: number | null): Cell => ({ kind: 'number', value })
const money = (value: number): Cell => ({ kind: 'money', value })

/**
 * A report as a file: the cohorts with a line for each month and part of the split, or the revenue with a line for each
 * tier. A cell of a cohort that is too young is empty.
 * @throws HttpError 404 for a location outside the caller's.
 */
export async function exportReport(
  session: Pick<Session, 'db'>,
  { report, format, language, ...query }: Asked,
  now = new Date(),
): Promise<Response> {
  const { header, rows, from, to } = await TABLES[report](session, query, WORDS[language], now)
  const fileName = `${report}-${from}-${to}.${format}`
  const file = { fileName, page: async () => ({ data: rows, next_cursor: null }) }
  if (format === 'xlsx')
    return xlsxDownload({
      ...file,
      columns: header.map((title) => ({ title, width: 16 })),
      row: (cells) => cells,
    })
  return csvDownload({
    ...{ ...file, header, separator: SEPARATORS[language] },
    row: (cells) => cells.map((cell) => inCsv(cell, language)),
  })
}

const TABLES = {
  weeks: weekTable,
  hours: hourTable,
  channels: channelTable,
  cohorts: cohortTable,
  tiers: tierTable,
}

async function weekTable(
  session: Pick<Session, 'db'>,
  query: Pick<Asked, 'location_id'>,
  words: Words,
  now: Date,
): Promise<Table> {
  const { locations } = await readWeeks(session, query, now)
  const of = (served: Served | null) => [
    ...(['reservations', 'covers', 'visits', 'no_shows', 'cancelled'] as const).map((field) =>
      number(served?.[field] ?? null),
    ),
    ...(['revenue', 'estimated_revenue'] as const).map(
      (field): Cell => ({ kind: 'money', value: served?.[field] ?? null }),
    ),
  ]
  const figures = [
    ...[words.reservations, words.covers, words.visits, words.noShows, words.cancelled],
    ...[words.revenue, words.estimated],
  ]
  const weeks = locations[0]?.weeks.map(({ week }) => week) ?? []
  return {
    ...{ from: weeks[0] ?? '', to: weeks.at(-1) ?? '' },
    header: [
      ...[words.week, words.location, ...figures, words.booked],
      ...figures.map((name) => `${name} ${words.yearBefore}`),
    ],
    rows: locations.flatMap(({ name, weeks: own }) =>
      own.map((week): Cell[] => [
        { kind: 'date', value: week.week },
        text(name),
        ...of(week.served),
        number(week.booked?.covers ?? null),
        ...of(week.year_before),
      ]),
    ),
  }
}

async function hourTable(
  session: Pick<Session, 'db'>,
  query: Pick<Asked, 'months' | 'location_id'>,
  words: Words,
  now: Date,
): Promise<Table> {
  const { from, to, locations } = await readHours(session, query, now)
  return {
    ...{ from, to },
    header: [words.location, words.weekday, words.hour, words.days, words.covers, words.meanCovers],
    rows: locations.flatMap((location) =>
      words.weekdays.flatMap((weekday, index) =>
        shownHours(location).map((hour): Cell[] => [
          ...[text(location.name), text(weekday), { kind: 'time', value: hourOf(hour) } as Cell],
          ...[number(location.days[index] ?? 0), number(location.covers[index]?.[hour] ?? 0)],
          { kind: 'money', value: meanCovers(location, index, hour) },
        ]),
      ),
    ),
  }
}

async function channelTable(
  session: Pick<Session, 'db'>,
  query: Pick<Asked, 'months' | 'location_id'>,
  words: Words,
  now: Date,
): Promise<Table> {
  const { from, to, locations } = await readHours(session, query, now)
  return {
    ...{ from, to },
    header: [words.location, words.channel, words.visits, words.covers],
    rows: locations.flatMap(({ name, channels }) =>
      channels.map(({ channel, visits, covers }) => [
        ...[text(name), text(words.channels[channel])],
        ...[number(visits), number(covers)],
      ]),
    ),
  }
}

async function cohortTable(
  session: Pick<Session, 'db'>,
  query: Omit<Asked, 'report' | 'format' | 'language'>,
  words: Words,
  now: Date,
): Promise<Table> {
  const { split } = query
  const { groups, from, to } = await readCohorts(session, query, now)
  const steps = Array.from({ length: STEPS }, (_, index) => index + 1)
  const returns = steps.flatMap((step) => {
    const days = String(step * STEP_DAYS)
    return [words.returned.replace('{days}', days), words.share.replace('{days}', days)]
  })
  return {
    ...{ from, to },
    header: [words.month, ...(split ? [words.splits[split]] : []), words.newGuests, ...returns],
    rows: groups.flatMap((group) =>
      group.cohorts.map((cohort): Cell[] => [
        { kind: 'date', value: cohort.month },
        ...(split ? [text(groupName(group, split, words))] : []),
        number(cohort.guests),
        ...steps.flatMap((step): Cell[] => {
          const known = returnedBy(cohort, step)
          return [
            number(known?.returned ?? null),
            { kind: 'share', value: known && known.returned / known.guests },
          ]
        }),
      ]),
    ),
  }
}

async function tierTable(
  session: Pick<Session, 'db'>,
  query: Omit<Asked, 'report' | 'format' | 'language'>,
  words: Words,
  now: Date,
): Promise<Table> {
  const { tiers, from, to } = await readTierRevenue(session, query, now)
  return {
    ...{ from, to },
    header: [words.tier, words.guests, words.visits, words.covers, words.revenue, words.estimated],
    rows: tiers.map((tier) => [
      text(tierName(tier, words)),
      ...[tier.guests, tier.visits, tier.covers].map(number),
      money(tier.revenue),
      money(tier.estimated_revenue),
    ]),
  }
}

function groupName({ key, name, rest }: CohortGroup, split: Split, words: Words): string {
  if (rest) return words.rest
  if (key === null) return words.unknown
  return split === 'channel' ? words.channels[key as keyof Words['channels']] : (name ?? '')
}

function tierName({ known, name }: TierRevenue, words: Words): string {
  return known ? (name ?? words.noTier) : words.nobody
}
