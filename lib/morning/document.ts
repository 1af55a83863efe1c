import { createFormatter, createTranslator } from 'next-intl'
import { closedPart } from '@/lib/closings/closed-part'
import { shownName } from '@/lib/customers/person-name'
import enClosings from '@/lib/i18n/en/client/closings.json'
import enFacts from '@/lib/i18n/en/client/facts.json'
import enHome from '@/lib/i18n/en/home.json'
import en from '@/lib/i18n/en/morning.json'
import esClosings from '@/lib/i18n/es/client/closings.json'
import esFacts from '@/lib/i18n/es/client/facts.json'
import esHome from '@/lib/i18n/es/home.json'
import es from '@/lib/i18n/es/morning.json'
import { calendarDate, formats } from '@/lib/i18n/formats'
import { type Locale, TIME_ZONE } from '@/lib/i18n/locales'
import { reasonsOf } from '@/lib/overview/reasons'
import { turned } from '@/lib/paper/paper-text'
import { type Ahead, type Compared, MEASURES, type Measure, type Morning } from './schema'

const inLanguage = (
  morning: typeof es,
  home: typeof esHome,
  facts: typeof esFacts,
  closings: typeof esClosings,
) => ({ morning, home, client: { facts, closings } })
const TEXTS: Record<Locale, ReturnType<typeof inLanguage>> = {
  es: inLanguage(es, esHome, esFacts, esClosings),
  en: inLanguage(en, enHome, enFacts, enClosings),
}

/** A figure, and in small type its comparison. */
interface DocumentCell {
  value: string
  note: string
}

/** A table: the first column has names. */
export interface DocumentTable {
  title: string
  legend: string
  columns: string[]
  rows: { name: string; note: string; cells: DocumentCell[] }[]
}

/** The texts of the morning report, for paper and e-mail. */
export interface MorningDocument {
  title: string
  date: string
  yesterday: DocumentTable
  included: string
  notes: { title: string; entries: { by: string; text: string }[]; none: string }
  guests: {
    title: string
    /** `alarm`: the allergies, which are read first. */
    entries: { time: string; who: string; alarm: string; why: string }[]
    none: string
    more: string
  }
  closings: { title: string; entries: string[] }
  ahead: DocumentTable
  noLocations: string
}

/**
 * Words the morning report in a language.
 * @param now the time for relative texts, such as the time since a guest's last visit
 */
export function documentOf(morning: Morning, language: Locale, now: Date): MorningDocument {
  const shared = { locale: language, formats, timeZone: TIME_ZONE, now }
  const t = createTranslator({ ...shared, messages: TEXTS[language] })
  const format = createFormatter(shared)
  const day = (date: string) => format.dateTime(calendarDate(date), 'longDate')
  const several = morning.locations.length > 1
  const zones = new Map(morning.locations.map(({ id, timezone }) => [id, timezone]))

  const compared = (name: string, of: Compared) => ({
    name,
    note:
      of.figures === null ? t('morning.yesterday.noData') : of.closed ? t('morning.yesterday.closed') : '',
    cells: MEASURES.map((measure) => figure(of, measure)),
  })
  function figure(of: Compared, measure: Measure): DocumentCell {
    if (of.figures === null) return { value: '–', note: '' }
    const money = measure === 'revenue'
    const amount = (value: number, sign: boolean) =>
      format.number(value, {
        ...(money ? { style: 'currency', currency: 'EUR' } : {}),
        ...(sign ? { signDisplay: 'exceptZero' } : {}),
        maximumFractionDigits: 0,
        useGrouping: 'always',
      })
    const notes = [
      of.since_week ? amount(of.since_week[measure], true) : null,
      of.since_mean ? t('morning.yesterday.mean', { change: amount(of.since_mean[measure], true) }) : null,
    ]
    const value = amount(of.figures[measure], false)
    return {
      value: money && of.estimated_revenue > 0 ? t('morning.yesterday.estimated', { amount: value }) : value,
      note: notes.filter((note) => note !== null).join(' · '),
    }
  }
  function coming(of: Ahead): DocumentCell {
    const { covers, capacity, closed } = of
    if (covers === null) return { value: t('morning.ahead.noData'), note: '' }
    if (closed && covers === 0) return { value: t('morning.ahead.closed'), note: '' }
    const note = capacity ? t('morning.ahead.of', { capacity, share: covers / capacity }) : ''
    return { value: format.number(covers, 'grouped'), note }
  }

  return {
    title: t('morning.title'),
    date: day(morning.date),
    noLocations: morning.locations.length === 0 ? t('morning.none') : '',
    yesterday: {
      title: t('morning.yesterday.title', { day: day(morning.yesterday) }),
      legend: t('morning.yesterday.legend'),
      columns: [
        t('morning.yesterday.location'),
        ...MEASURES.map((measure) => t(`morning.measures.${measure}`)),
      ],
      rows: [
        ...morning.locations.map(({ name, yesterday }) => compared(name, yesterday)),
        ...(several ? [compared(t('morning.yesterday.total'), morning.totals)] : []),
      ],
    },
    included: t('morning.yesterday.included'),
    notes: {
      title: t('morning.notes.title'),
      none: t('morning.notes.none'),
      entries: morning.notes.map((note) => ({
        text: note.body,
        by: [
          several ? note.location : null,
          note.day === morning.date ? t('morning.notes.today') : null,
          t('morning.notes.by', {
            author: note.author,
            when: format.dateTime(new Date(note.created_at), 'instant', {
              timeZone: zones.get(note.location_id),
            }),
          }),
        ]
          .filter((part) => part !== null)
          .join(' · '),
      })),
    },
    guests: {
      title: t('home.know.title'),
      none: t('home.know.none'),
      more:
        morning.guests_total > morning.guests.length
          ? t('home.know.shown', { shown: morning.guests.length, total: morning.guests_total })
          : '',
      entries: morning.guests.map((guest) => {
        const reasons = reasonsOf(guest, now)
        const said = (wanted: boolean) =>
          reasons
            .filter(({ key }) => (key === 'allergy' || key === 'allergyTo') === wanted)
            .map(({ key, code, note, ...values }) => {
              const allergen = code ? t(`client.facts.${code}`) : ''
              return t(`home.know.reasons.${key}`, { ...values, allergen }) + (note ? ` (${note})` : '')
            })
        return {
          time: guest.reservation_time,
          who: `${turned(shownName(guest.customer_name ?? '–'))} (${guest.party_size})${several ? ` · ${guest.location_name}` : ''}`,
          alarm: said(true).join(' · '),
          why: [...said(false), guest.notes ?? ''].filter(Boolean).join(' · '),
        }
      }),
    },
    closings: {
      title: t('client.closings.label'),
      entries: morning.closings.map(({ day, location, shift, zone, reason }) => {
        const when =
          day === morning.date ? t('morning.ahead.today') : format.dateTime(calendarDate(day), 'shortDate')
        const what = t(`client.closings.what.${closedPart({ shift, zone })}`, {
          shift: shift ?? '',
          zone: zone ?? '',
        })
        return [when, several ? location : null, reason ? `${what}: ${reason}` : what]
          .filter((part) => part !== null)
          .join(' · ')
      }),
    },
    ahead: {
      title: t('morning.ahead.title'),
      legend: t('morning.ahead.legend'),
      columns: [
        t('morning.ahead.location'),
        ...morning.ahead.map(({ day }) =>
          day === morning.date ? t('morning.ahead.today') : format.dateTime(calendarDate(day), 'shortDate'),
        ),
      ],
      rows: [
        ...morning.locations.map(({ name, ahead }) => ({ name, note: '', cells: ahead.map(coming) })),
        ...(several ? [{ name: t('morning.ahead.total'), note: '', cells: morning.ahead.map(coming) }] : []),
      ],
    },
  }
}
