import { useTranslations } from 'next-intl'
import type { CSSProperties, MouseEvent } from 'react'
import { AllergyNote, useAllergyText } from '@/components/customers/allergy-note'
import { serviceMinute } from '@/components/ui/service-day'
import { allergiesIn, type BoardParty } from './board-model'
import { clockOf, QUARTER, type Span } from './table-model'
import { isFree, type TableState } from './table-states'
import classes from './tables.module.css'
import type { Bar, TableRow, TablesDay } from './tables-day'

/** The party whose table is being chosen, and how well each table suits it. */
export interface Chosen {
  party: BoardParty
  purpose: 'seat' | 'assign'
  states: readonly TableState[]
  onTable: (name: string) => void
}

export interface TablesViewProps {
  day: TablesDay
  /** The current local time; null for another day than today. */
  clock: string | null
  chosen: Chosen | null
  onChoose: (party: BoardParty | null, byKeyboard?: boolean) => void
}

/** The tables as rows by zone, time in quarters of an hour, each party a bar. Parties without a table are on top. */
export function TablesByTime({ day, clock, chosen, onChoose }: TablesViewProps) {
  const t = useTranslations('client.tablesBoard')
  const { range, without, zones } = day
  const now = clock === null ? null : serviceMinute(clock)
  const quarters = (range.until - range.from) / QUARTER
  const firstHour = Math.ceil(range.from / 60) * 60
  const hours = Array.from(
    { length: Math.max(0, Math.ceil((range.until - firstHour) / 60)) },
    (_, hour) => firstHour + hour * 60,
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable
    <section className={classes.scroll} aria-label={t('byTime')} tabIndex={0}>
      <div className={classes.grid} style={{ '--quarters': quarters } as CSSProperties}>
        <div className={classes.hours} aria-hidden>
          {hours.map((hour) => (
            <span key={hour} style={{ left: percent(hour, range) }}>
              {clockOf(hour)}
            </span>
          ))}
        </div>
        {now !== null && now >= range.from && now <= range.until ? (
          <div className={classes.nowArea} aria-hidden>
            <div className={classes.now} style={{ left: percent(now, range) }} />
          </div>
        ) : null}
        <ul aria-label={t('without')}>
          <Row row={without} title={t('without')} {...{ range, chosen, onChoose }} />
        </ul>
        {zones.map(({ zone, rows }) => (
          <div key={zone ?? ''}>
            <h2 className={classes.zone}>{zone ?? t('noZone')}</h2>
            <ul aria-label={zone ?? t('noZone')}>
              {rows.map((row) => (
                <Row key={row.name} row={row} {...{ range, chosen, onChoose }} />
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  )
}

const percent = (minute: number, { from, until }: Span) =>
  `${((Math.min(Math.max(minute, from), until) - from) / (until - from)) * 100}%`

interface RowProps extends Pick<TablesViewProps, 'chosen' | 'onChoose'> {
  row: TableRow
  /** The label of the row of parties without a table. */
  title?: string
  range: Span
}

function Row({ row, title, range, chosen, onChoose }: RowProps) {
  const t = useTranslations('client.service')
  return (
    <li className={classes.row}>
      <div className={classes.head}>
        {title === undefined ? <TableHead row={row} chosen={chosen} /> : <b>{title}</b>}
        {row.capacity === null ? null : <small>{t('seats', { count: row.capacity })}</small>}
      </div>
      <div className={classes.lane} style={{ '--lines': row.lines } as CSSProperties}>
        {row.bars.map((bar) => (
          <PartyBar
            key={bar.party.id}
            bar={bar}
            range={range}
            chosen={chosen?.party.id === bar.party.id}
            onChoose={onChoose}
          />
        ))}
      </div>
    </li>
  )
}

/** How well a table suits a party, in a word: what is in the way comes first. */
export const suitsOf = (state: TableState) =>
  isFree(state) ? 'free' : state.clashes.length > 0 ? 'taken' : state.small ? 'small' : 'closed'

/** The name of a table. While a party is chosen, a button that gives it the table, and how well the table suits. */
export function TableHead({ row, chosen }: { row: TableRow; chosen: Chosen | null }) {
  const t = useTranslations('client.tablesBoard')
  if (!chosen) return <b>{row.name}</b>
  const state = chosen.states.find(({ name }) => name === row.name)
  const suits = state ? suitsOf(state) : 'free'
  return (
    <button
      type="button"
      className={classes.target}
      data-suits={suits}
      aria-label={t(`${chosen.purpose}.${suits}`, { name: row.name })}
      onClick={() => chosen.onTable(row.name)}
    >
      {row.name}
    </button>
  )
}

interface PartyBarProps extends Pick<TablesViewProps, 'onChoose'> {
  bar: Bar
  range: Span
  chosen: boolean
}

function PartyBar({ bar, range, chosen, onChoose }: PartyBarProps) {
  const t = useTranslations('client.tablesBoard')
  const texts = useTranslations('client.service')
  const { party, from, until, line, clashes } = bar
  const name = party.name ?? texts('noName')
  const over = party.status === 'completed'
  const alarms = allergiesIn(party)
  const alarm = useAllergyText()(alarms)
  const label = t(clashes ? 'barClash' : 'bar', {
    ...{ name, count: party.party_size, from: clockOf(from), until: clockOf(until) },
    state: t(`states.${over ? 'over' : party.status === 'seated' ? 'seated' : 'expected'}`),
    // Where the bar has them: who speaks to the device says what is on the screen.
    alarm: alarm || 'none',
  })
  const left = percent(from, range)
  return (
    <button
      type="button"
      className={classes.bar}
      data-state={over ? 'over' : party.status === 'seated' ? 'seated' : 'expected'}
      aria-pressed={over ? undefined : chosen}
      disabled={over}
      aria-label={label}
      title={label}
      style={{ left, width: `calc(${percent(until, range)} - ${left})`, '--place': line } as CSSProperties}
      onClick={(event: MouseEvent) => onChoose(chosen ? null : party, event.detail === 0)}
    >
      {clashes ? '! ' : null}
      <AllergyNote allergies={alarms} sign />
      {name} · {party.party_size}
      {alarm ? ` · ${alarm}` : null}
    </button>
  )
}
