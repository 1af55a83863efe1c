import { useFormatter, useTranslations } from 'next-intl'
import { DataTable } from '@/components/ui/data-table'
import { Link } from '@/components/ui/link'
import type { NamedLine } from '@/lib/audit/schema'
import { calendarDate } from '@/lib/i18n/formats'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import classes from './audit.module.css'

/** The lines of the log: time, actor, action, and the values before and after. */
export function AuditTable({ lines }: { lines: readonly NamedLine[] }) {
  const t = useTranslations('audit')
  const format = useFormatter()
  return (
    <DataTable caption={t('title')}>
      <thead>
        <tr>
          <th scope="col">{t('columns.when')}</th>
          <th scope="col" data-wide>
            {t('columns.who')}
          </th>
          <th scope="col">{t('columns.what')}</th>
          <th scope="col" data-wide>
            {t('columns.changes')}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => {
          const at = new Date(line.at)
          const actor = who(line.actor)
          const key = `actions.${line.action}` as Parameters<typeof t.has>[0]
          return (
            <tr key={line.id}>
              <td className={classes.when}>
                <time dateTime={line.at}>
                  {format.dateTime(at, 'instantDate')}
                  <small>{format.dateTime(at, 'time')}</small>
                </time>
              </td>
              <td data-wide>{actor}</td>
              <td className={classes.what}>
                {t.has(key) ? t(key) : line.action}
                {line.subject ? <small>{line.subject}</small> : null}
                {actor === line.subject ? null : <small data-narrow>{actor}</small>}
                <div data-narrow>
                  <AuditChanges line={line} />
                </div>
              </td>
              <td data-wide>
                <AuditChanges line={line} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </DataTable>
  )

  function who(actor: string): string {
    return actor === 'system' || actor === 'database' || actor === 'guest' ? t(`actors.${actor}`) : actor
  }
}

const PAGES: Readonly<Record<string, string>> = {
  automation: '/automations',
  campaign: '/campaigns',
  location: '/settings/locations',
  segment: '/customers/segments',
}

// A date, perhaps with a time to the minute, perhaps with a time zone.
const TIME = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** Each changed field with its value before and after; names and values without a translation show as they are. */
function AuditChanges({ line: { before, after } }: { line: Pick<NamedLine, 'before' | 'after'> }) {
  const t = useTranslations('audit')
  const fields = useTranslations('audit.fields')
  const guest = useTranslations('client.guestFields')
  const languages = useTranslations('client.guestLanguages')
  const criteria = useTranslations('client.automationEditor.criteria')
  const values = useTranslations('audit.values')
  const format = useFormatter()
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort()
  if (names.length === 0) return null
  return (
    <ul className={classes.changes}>
      {names.map((name) => {
        const [old, next] = [before?.[name], after?.[name]]
        return (
          <li key={name}>
            <b>{fieldOf(name)}:</b> {before && after && name in before ? <del>{shown(old, name)}</del> : null}
            {before && after && name in before ? ' → ' : null}
            {name === 'to_mend' && Array.isArray(next) ? next.map(toMend) : shown(after ? next : old, name)}
          </li>
        )
      })}
    </ul>
  )

  function fieldOf(name: string): string {
    const known = name as Parameters<typeof fields.has>[0]
    const ofGuest = name as Parameters<typeof guest.has>[0]
    const ofAutomation = name as Parameters<typeof criteria.has>[0]
    if (!/^[a-z_]+$/.test(name)) return name
    if (fields.has(known)) return fields(known)
    if (guest.has(ofGuest)) return guest(ofGuest)
    return criteria.has(ofAutomation) ? criteria(ofAutomation) : name
  }

  /** What an erasure left for a person to mend, such as `segment <id>`: its kind, with a link where it has a page. */
  function toMend(value: unknown, place: number) {
    const [kind = '', id = ''] = String(value).split(' ')
    const key = `kinds.${kind}` as Parameters<typeof t.has>[0]
    const words = `${t.has(key) ? t(key) : kind} ${id.slice(0, 8)}`
    const page = PAGES[kind]
    return (
      <span key={id}>
        {place > 0 ? ', ' : null}
        {page ? (
          <Link href={`${page}/${id}`} prefetch={false}>
            {words}
          </Link>
        ) : (
          words
        )}
      </span>
    )
  }

  /** Typed text gets an empty `lang`, as its language is unknown. */
  function shown(value: unknown, name: string) {
    if (name === 'language' && languages.has(value as GuestLanguage)) return languages(value as GuestLanguage)
    const words = wordsOf(value)
    return words === value ? <span lang="">{words}</span> : words
  }

  function wordsOf(value: unknown): string {
    if (value === null || value === undefined || value === '') return t('nothing')
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (Array.isArray(value)) return value.length === 0 ? t('nothing') : value.map(inList).join(', ')
    if (typeof value === 'object')
      return Object.entries(value)
        .map(([name, each]) => `${fieldOf(name)}: ${wordsOf(each)}`)
        .join('; ')
    const known = String(value) as Parameters<typeof values.has>[0]
    if (/^[a-z_]+$/.test(known)) return values.has(known) ? values(known) : known
    return timeOf(known) ?? known
  }

  /** A date, a local time or an instant as the page shows them; null for any other text. */
  function timeOf(text: string): string | null {
    const [, date, time, zone] = TIME.exec(text) ?? []
    if (!date || Number.isNaN(Date.parse(zone ? text : date))) return null
    if (!time) return format.dateTime(calendarDate(date), 'date')
    if (!zone) return `${format.dateTime(calendarDate(date), 'date')}, ${time}`
    const at = new Date(text)
    return `${format.dateTime(at, 'instantDate')}, ${format.dateTime(at, 'time')}`
  }

  /** Entries about customers list the names of the fields, without values. */
  function inList(value: unknown): string {
    return typeof value === 'string' ? fieldOf(value) : wordsOf(value)
  }
}
