import { IconCalendarX } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { Allergies } from '@/components/customers/allergy-badges'
import { Badge, StatusBadge, TierBadge } from '@/components/ui/badge'
import { EmptyState } from '@/components/ui/empty-state'
import { Link } from '@/components/ui/link'
import { LinkButton } from '@/components/ui/link-button'
import { Money } from '@/components/ui/money'
import { currentServiceDay, serviceDayOf } from '@/components/ui/service-day'
import { useDaysAgo } from '@/components/ui/use-days-ago'
import { VisitMark, visitReason } from '@/components/ui/visit-mark'
import type { Session } from '@/lib/auth/session'
import { readableEmail } from '@/lib/contact/readable-email'
import { readablePhone } from '@/lib/contact/readable-phone'
import { allergiesOf } from '@/lib/customers/allergies'
import { personName, shownName } from '@/lib/customers/person-name'
import { getCustomer } from '@/lib/customers/read-customer'
import type { Customer } from '@/lib/customers/schema'
import { calendarDate } from '@/lib/i18n/formats'
import type { Location } from '@/lib/locations/locations'
import { noShowRisks } from '@/lib/reservations/no-show-risk'
import {
  customerHistory,
  findReservation,
  type HistoryEntry,
  reservationActivity,
  type StaffMarks,
  staffMarks,
} from '@/lib/reservations/reads'
import type { NoShowRisk } from '@/lib/reservations/risk-schema'
import type { Reservation } from '@/lib/reservations/schema'
import { Activity } from './activity'
import { type DayQuery, dayHref } from './day-query'
import classes from './drawer.module.css'
import { DrawerFrame } from './drawer-frame'
import { ReservationControls } from './reservation-controls'
import { RISK_TONES, riskReasons } from './risk-reasons'

interface DrawerProps {
  session: Session
  id: string
  day: DayQuery
  locations: readonly Location[]
}

/** A reservation's drawer: its fields, actions, customer and changes. */
export async function Drawer({ session, id, day, locations }: DrawerProps) {
  const [reservation, t, texts] = await Promise.all([
    findReservation(session, id),
    getTranslations('reservations.drawer'),
    getTranslations('reservation'),
  ])
  const closed = dayHref(day, { cursor: day.cursor })
  if (!reservation)
    return (
      <DrawerFrame title={t('gone')} closed={closed}>
        <EmptyState icon={IconCalendarX} title={t('gone')} text={t('goneText')} />
      </DrawerFrame>
    )
  const customerId = session.can('canAccessClientes') ? reservation.customer_id : null
  const isPms = reservation.source === 'pms'
  const isMissing = reservation.status === 'cancelled' && reservation.pms_status === 'missing'
  const [customer, history, marks, activity, risks, allergies] = await Promise.all([
    customerId ? getCustomer(session, customerId) : null,
    customerId ? customerHistory(session, customerId, { limit: 6 }) : null,
    staffMarks(session, id),
    reservationActivity(session, id),
    noShowRisks(session, [id]),
    allergiesOf(session, [reservation.customer_id]),
  ])
  const card = reservation.customer_id && session.can('canUseGuestCards') ? reservation.customer_id : null
  const risk = risks.get(id)
  const location = locations.find((one) => one.id === reservation.location_id)
  const ahead =
    location !== undefined &&
    serviceDayOf(reservation.reservation_date, reservation.reservation_time) >
      currentServiceDay(location.timezone)
  return (
    <DrawerFrame title={shownName(reservation.customer_name ?? texts('noName'))} closed={closed}>
      <Allergies allergies={allergies.get(reservation.customer_id ?? '')} />
      <ReservationFacts reservation={reservation} marks={marks} location={location} />
      {risk ? <RiskNote risk={risk} /> : null}
      <ReservationControls
        key={reservation.id}
        reservation={reservation}
        pmsStatus={marks.status}
        ahead={ahead}
        locations={locations.map(({ id: value, name: label }) => ({ value, label }))}
        findsCustomers={session.can('canAccessClientes')}
      />
      {isPms ? <p className={classes.managed}>{t(isMissing ? 'missing' : 'managed')}</p> : null}
      {customer ? (
        <CustomerSection
          customer={customer}
          visits={(history?.data ?? []).filter((visit) => visit.id !== reservation.id).slice(0, 5)}
        />
      ) : card ? (
        <p className={classes.actions}>
          <LinkButton href={`/service/guests/${card}`}>{t('card')}</LinkButton>
        </p>
      ) : (
        <p className={classes.none}>{t(reservation.customer_id ? 'noCustomerAccess' : 'noCustomer')}</p>
      )}
      <Activity entries={activity} />
    </DrawerFrame>
  )
}

/** How likely a no-show is, and why. */
function RiskNote({ risk }: { risk: NoShowRisk }) {
  const t = useTranslations('client.risk')
  const texts = useTranslations('reservations.drawer')
  return (
    <p className={classes.reason}>
      <Badge tone={RISK_TONES[risk.level]}>{t(`level.${risk.level}`)}</Badge> {riskReasons(t, risk)}{' '}
      <small className={classes.mark}>{texts('riskHint')}</small>
    </p>
  )
}

interface ReservationFactsProps {
  reservation: Reservation
  marks: StaffMarks
  location: Location | undefined
}

/** The fields of a reservation, with the PMS' value where staff changed one. */
export function ReservationFacts({ reservation, marks, location }: ReservationFactsProps) {
  const t = useTranslations('reservations.drawer')
  const texts = useTranslations('reservation')
  const statuses = useTranslations('status')
  const format = useFormatter()
  const reason = visitReason(reservation)
  const average = location?.average_spend_per_guest ?? null
  const estimate = reservation.visited && average !== null ? reservation.party_size * average : null
  const amount = reservation.total_amount ?? estimate
  const place = [reservation.zone_name, reservation.table_name].filter(Boolean).join(' · ')
  /** The PMS' value of a field that staff changed. */
  const mark = (pms: string | null | undefined) =>
    pms === undefined ? null : (
      <small className={classes.mark}>{pms ? t('marked', { value: pms }) : t('markedEmpty')}</small>
    )
  const tableMark = mark(marks.table_name)
  const facts: [name: string, value: ReactNode, mark?: ReactNode][] = [
    [t('date'), format.dateTime(calendarDate(reservation.reservation_date), 'longDate')],
    [t('time'), reservation.reservation_time, mark(marks.reservation_time)],
    [
      t('party'),
      texts('party', { count: reservation.party_size }),
      mark(marks.party_size ? texts('party', { count: marks.party_size }) : undefined),
    ],
    [t('location'), location?.name],
    [t('place'), place || (tableMark && '–'), tableMark],
    [
      t('amount'),
      amount === null ? null : (
        <Money key="amount" value={amount} estimate={reservation.total_amount === null} />
      ),
    ],
    [t('source'), t(`sources.${reservation.source}`)],
  ]
  return (
    <>
      <div className={classes.status}>
        <StatusBadge status={reservation.status} />
        <VisitMark reservation={reservation} />
        {marks.guest_answer === reservation.status ? (
          <small className={classes.mark}>
            {t('answered', {
              pms: marks.status ? 'yes' : 'no',
              value: statuses(`one.${marks.status ?? reservation.status}`),
            })}
          </small>
        ) : (
          mark(marks.status && statuses(`one.${marks.status}`))
        )}
        {reason ? <p className={classes.reason}>{statuses(`visit.why.${reason}`)}</p> : null}
      </div>
      <dl className={classes.facts}>
        {facts.map(([name, value, note]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {value}
                {note}
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      {reservation.notes ? <p className={classes.notes}>{reservation.notes}</p> : null}
      {mark(marks.notes)}
    </>
  )
}

/** The customer: figures, notes, tags and last visits. */
function CustomerSection({ customer, visits }: { customer: Customer; visits: readonly HistoryEntry[] }) {
  const t = useTranslations('reservations.drawer')
  const texts = useTranslations('reservation')
  const format = useFormatter()
  const daysAgo = useDaysAgo()
  const { last_visit_on: last, birth_date: birth } = customer
  const facts: [string, ReactNode][] = [
    [t('visits'), format.number(customer.total_visits)],
    [t('spend'), <Money key="spend" value={customer.total_spend} estimate={customer.spend_is_estimate} />],
    [t('lastVisit'), last ? daysAgo(last) : t('never')],
    [
      t('birthday'),
      birth ? format.dateTime(calendarDate(birth), { day: 'numeric', month: 'long', timeZone: 'UTC' }) : null,
    ],
    [t('phone'), customer.phone && readablePhone(customer.phone)],
    [t('email'), customer.email && readableEmail(customer.email)],
  ]
  return (
    <section className={classes.guest} aria-label={t('customer')}>
      <div className={classes.guestHead}>
        <h3>{personName(customer) ?? texts('noName')}</h3>
        <TierBadge tier={customer.loyalty_tier} />
        <Link href={`/customers/${customer.id}`} prefetch={false}>
          {t('open')}
        </Link>
      </div>
      {customer.notes ? <p className={classes.notes}>{customer.notes}</p> : null}
      {customer.tags.length > 0 ? (
        <div className={classes.tags}>
          {customer.tags.map((tag) => (
            <Badge key={tag} tone="neutral">
              {tag}
            </Badge>
          ))}
        </div>
      ) : null}
      <dl className={classes.facts}>
        {facts.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
      <h4>{t('lastVisits')}</h4>
      {visits.length > 0 ? (
        <ul className={classes.visits}>
          {visits.map((visit) => (
            <li key={visit.id}>
              <span>
                {format.dateTime(
                  calendarDate(serviceDayOf(visit.reservation_date, visit.reservation_time)),
                  'date',
                )}
              </span>
              <span>
                {visit.location?.name} · {texts('party', { count: visit.party_size })}
              </span>
              <span>
                <StatusBadge status={visit.status} />
                <VisitMark reservation={visit} />
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p className={classes.none}>{t('noVisits')}</p>
      )}
    </section>
  )
}
