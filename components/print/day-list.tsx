import { useFormatter, useTranslations } from 'next-intl'
import { useClosingText } from '@/components/closings/closing-text'
import { sitsWith } from '@/components/service/board-model'
import { readablePhone } from '@/lib/contact/readable-phone'
import { shownName } from '@/lib/customers/person-name'
import { severeFirst } from '@/lib/customers/severe'
import { calendarDate } from '@/lib/i18n/formats'
import type { Party, Service } from '@/lib/service/schema'
import classes from './print.module.css'

interface DayListProps {
  service: Service
  /** Whether the PMS was asked for the day: if not, an empty list does not mean that there are no reservations. */
  known: boolean
}

/** A location's reservations of the day. The table's head is repeated on every page. */
export function DayList({ service, known }: DayListProps) {
  const t = useTranslations('reservations.print')
  const format = useFormatter()
  const closed = useClosingText()
  const parties = service.parties.filter(({ status }) => status !== 'cancelled' && status !== 'no_show')
  const covers = parties.reduce((sum, { party_size }) => sum + party_size, 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable
    <section className={classes.place} aria-label={service.location.name} tabIndex={0}>
      <table>
        <thead>
          <tr className={classes.heading}>
            <th colSpan={7} scope="colgroup">
              <strong>{service.location.name}</strong> ·{' '}
              {format.dateTime(calendarDate(service.day), 'longDate')} ·{' '}
              {t('totals', { reservations: parties.length, covers })}
              {service.closings.map((each) => (
                <span key={each.id}>
                  {' · '}
                  {closed(each)}
                  {each.reason ? ` (${each.reason})` : null}
                </span>
              ))}
            </th>
          </tr>
          <tr>
            {(['time', 'name', 'party', 'table', 'know', 'tags', 'phone'] as const).map((column) => (
              <th key={column} scope="col" data-num={column === 'party' || undefined}>
                {t(`columns.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {parties.map((party) => (
            <PartyLine key={party.id} party={party} together={sitsWith(party, parties)} />
          ))}
          {parties.length === 0 ? (
            <tr>
              <td colSpan={7}>{t(known ? 'none' : 'noData')}</td>
            </tr>
          ) : null}
        </tbody>
      </table>
    </section>
  )
}

function PartyLine({ party, together }: { party: Party; together: readonly Party[] }) {
  const t = useTranslations('reservations.print')
  const service = useTranslations('client.service')
  const nameOf = ({ name }: Party) => (name ? shownName(name) : t('noName'))
  const facts = useTranslations('client.facts')
  const allergies = severeFirst(party.facts.filter(({ kind }) => kind === 'allergy'))
  const others = party.facts.filter(({ kind }) => kind !== 'allergy')
  const named = ({ code, note }: Party['facts'][number]) => facts(code) + (note ? ` (${note})` : '')
  const notes = [party.notes, party.customer_notes].filter(Boolean).join(' · ')
  return (
    <tr>
      <td>{party.time}</td>
      <td>
        {nameOf(party)}
        {party.first_visit ? <small> {t('first')}</small> : null}
      </td>
      <td data-num>{party.party_size}</td>
      <td>
        {[party.zone_name, party.table_name].filter(Boolean).join(' · ')}
        {together.length > 0 ? (
          <small> {service('together.with', { names: together.map(nameOf).join(', ') })}</small>
        ) : null}
      </td>
      <td>
        {allergies.length > 0 ? (
          <strong className={classes.allergy}>
            {t('allergies', { list: allergies.map(named).join(', ') })}
          </strong>
        ) : null}
        {party.suggested.length > 0 ? (
          <em>{t('suggested', { list: party.suggested.map((code) => facts(code)).join(', ') })}</em>
        ) : null}
        {others.length > 0 ? <span>{others.map(named).join(', ')}</span> : null}
        {notes ? <span>{notes}</span> : null}
      </td>
      <td>{[party.vip ? (party.tier ?? t('vip')) : null, ...party.tags].filter(Boolean).join(', ')}</td>
      <td className={classes.phone}>{party.phone ? readablePhone(party.phone) : null}</td>
    </tr>
  )
}
