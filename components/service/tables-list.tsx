import { useTranslations } from 'next-intl'
import { Allergies } from '@/components/customers/allergy-badges'
import { serviceMinute } from '@/components/ui/service-day'
import { allergiesIn } from './board-model'
import { clockOf } from './table-model'
import classes from './tables.module.css'
import { TableHead, type TablesViewProps } from './tables-by-time'
import type { Bar, TableRow } from './tables-day'

/** The phone's view: parties without a table, then the tables by zone with the seated and the next party. */
export function TablesList({ day, clock, chosen, onChoose }: TablesViewProps) {
  const t = useTranslations('client.tablesBoard')
  const texts = useTranslations('client.service')
  const now = clock === null ? null : serviceMinute(clock)
  const entry = (bar: Bar, word: string | null) => (
    <button
      key={bar.party.id}
      type="button"
      className={classes.entry}
      aria-pressed={chosen?.party.id === bar.party.id}
      onClick={(event) => onChoose(chosen?.party.id === bar.party.id ? null : bar.party, event.detail === 0)}
    >
      {word ? <small>{word}</small> : null}
      <span>
        {bar.party.name ?? texts('noName')} · {texts('guests', { count: bar.party.party_size })} ·{' '}
        {clockOf(bar.from)}–{clockOf(bar.until)}
        {bar.clashes ? ` · ${t('clashes')}` : null}
      </span>
      <Allergies allergies={allergiesIn(bar.party)} />
    </button>
  )

  function partiesOf({ bars }: TableRow) {
    const coming = bars.filter(({ party }) => party.status !== 'completed')
    const here = coming.filter(({ party }) => party.status === 'seated')
    const next = coming.filter((bar) => !here.includes(bar) && (now === null || bar.until > now))
    return (
      <>
        {here.map((bar) => entry(bar, t('now')))}
        {next.map((bar, index) => entry(bar, index === 0 ? t('next') : null))}
        {here.length + next.length === 0 ? <p className={classes.free}>{t('nobody')}</p> : null}
      </>
    )
  }

  return (
    <div className={classes.list}>
      {day.without.bars.length > 0 ? (
        <section aria-label={t('without')}>
          <h2 className={classes.zone}>{t('without')}</h2>
          <div className={classes.card}>{day.without.bars.map((bar) => entry(bar, null))}</div>
        </section>
      ) : null}
      {day.zones.map(({ zone, rows }) => (
        <section key={zone ?? ''} aria-label={zone ?? t('noZone')}>
          <h2 className={classes.zone}>{zone ?? t('noZone')}</h2>
          <ul>
            {rows.map((row) => (
              <li key={row.name} className={classes.card}>
                <p className={classes.head}>
                  <TableHead row={row} chosen={chosen} />
                  {row.capacity === null ? null : <small>{texts('seats', { count: row.capacity })}</small>}
                </p>
                {partiesOf(row)}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
