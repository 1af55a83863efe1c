import { useFormatter, useTranslations } from 'next-intl'
import { StaleNote } from '@/components/locations/stale-banner'
import { EmptyGroup } from '@/components/setup/empty-group'
import { Badge, STATUS_TONES } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import { Figure, Figures } from '@/components/ui/figures'
import { Link } from '@/components/ui/link'
import { Panel } from '@/components/ui/panel'
import { AWAITED, type Count, count, EXPECTED, LOST } from '@/components/ui/service-count'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { Session } from '@/lib/auth/session'
import { isKnown, knownOf } from '@/lib/locations/known-days'
import type { Location } from '@/lib/locations/locations'
import type { Occupancy, ServiceFigure } from '@/lib/overview/reads'
import type { MissingAt } from '@/lib/pms/missing-bookings'
import { type StaleLocation, staleLocations } from '@/lib/pms/stale-locations'
import { RESERVATION_STATUSES } from '@/lib/reservations/status'
import { LeftPmsNote } from './left-pms'
import classes from './service-today.module.css'

/** Today's service in four figures; dashes when it has not been fetched from the PMS yet. */
export function Tiles({ figures, known }: { figures: readonly ServiceFigure[]; known: boolean }) {
  const t = useTranslations('home.tiles')
  const format = useFormatter()
  if (!known && figures.length === 0)
    return (
      <Figures>
        {(['reservations', 'covers', 'seated', 'lost'] as const).map((key) => (
          <Figure key={key} label={t(key)} value="–" note={t('noData')} />
        ))}
      </Figures>
    )
  const expected = count(figures, EXPECTED)
  const awaited = count(figures, AWAITED)
  const seated = count(figures, ['seated'])
  const lost = count(figures, LOST)
  const noShow = count(figures, ['no_show']).reservations
  return (
    <Figures>
      <Figure
        label={t('reservations')}
        value={format.number(expected.reservations)}
        note={t('awaitedReservations', { count: awaited.reservations })}
      />
      <Figure
        label={t('covers')}
        value={format.number(expected.covers)}
        note={t('awaitedCovers', { count: awaited.covers })}
      />
      <Figure
        label={t('seated')}
        value={format.number(seated.reservations)}
        note={t('seatedCovers', { count: seated.covers })}
      />
      <Figure
        label={t('lost')}
        value={format.number(lost.reservations)}
        note={t('lostDetail', { noShow, cancelled: lost.reservations - noShow })}
      />
    </Figures>
  )
}

interface LocationsTodayProps {
  locations: readonly Location[]
  figures: readonly ServiceFigure[]
  occupancy: readonly Occupancy[]
  /** What left the PMS, by location. */
  missing: readonly MissingAt[]
  /** The service day. */
  today: string
  /** Whether names link to the location's reservations. */
  linked: boolean
  can: Session['can']
}

/** Today's reservations and covers of each location by status. */
export function LocationsToday(props: LocationsTodayProps) {
  const { locations, figures, occupancy, missing, today, linked, can } = props
  const t = useTranslations('home.locations')
  const statuses = useTranslations('status.many')
  const stale = new Map(staleLocations(locations).map((location) => [location.id, location]))
  if (locations.length === 0)
    return (
      <Panel title={t('title')}>
        <EmptyGroup need="locations" can={can} />
      </Panel>
    )
  return (
    <Panel title={t('title')} aside={t('legend')} flush>
      <DataTable caption={t('caption')}>
        <thead>
          <tr>
            <th scope="col">{t('location')}</th>
            <th scope="col" data-num>
              {t('expected')}
            </th>
            {occupancy.length > 0 ? (
              <th scope="col" data-wide="md">
                {t('occupancy')}
              </th>
            ) : null}
            {RESERVATION_STATUSES.map((status) => (
              <th key={status} scope="col" data-num data-wide="md">
                {statuses(status)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {locations.map((location) => (
            <LocationRow
              key={location.id}
              name={location.name}
              href={linked ? `/reservations?location=${location.id}` : null}
              figures={figures.filter((figure) => figure.location_id === location.id)}
              occupancy={
                occupancy.length > 0 ? occupancy.filter((one) => one.location_id === location.id) : null
              }
              known={isKnown(location, today)}
              stale={stale.get(location.id)}
              left={missing.find(({ location_id }) => location_id === location.id)}
            />
          ))}
        </tbody>
        {locations.length > 1 ? (
          <tfoot>
            <LocationRow
              name={t('total')}
              href={null}
              figures={figures}
              occupancy={occupancy.length > 0 ? [] : null}
              known={knownOf(locations, [today]) !== 'none'}
            />
          </tfoot>
        ) : null}
      </DataTable>
    </Panel>
  )
}

interface LocationRowProps {
  name: string
  href: string | null
  figures: readonly ServiceFigure[]
  /** Null where the status has no column. */
  occupancy: readonly Occupancy[] | null
  /** Whether today was fetched from the PMS: if not, missing figures do not mean that there are no reservations. */
  known: boolean
  /** Set when the location's last sync failed. */
  stale?: StaleLocation
  /** Set when bookings of the location left the PMS. */
  left?: MissingAt
}

/** One location's figures. On a phone its statuses are below the name. */
function LocationRow({ name, href, figures, occupancy, known, stale, left }: LocationRowProps) {
  const t = useTranslations('home.locations')
  const noData = !known && figures.length === 0
  return (
    <tr>
      <th scope="row">
        {href ? <Link href={href}>{name}</Link> : name}
        <span data-narrow="md">
          <LocationShares figures={figures} />
          <Shifts occupancy={occupancy ?? []} />
        </span>
        {figures.length === 0 && known ? <small data-narrow="md">{t('empty')}</small> : null}
        <StaleNote location={stale} />
        <LeftPmsNote left={left} />
      </th>
      <td data-num>
        {noData ? <small>{t('noData')}</small> : <Pair {...count(figures, EXPECTED)} strong />}
      </td>
      {occupancy ? (
        <td data-wide="md">
          <Shifts occupancy={occupancy} />
        </td>
      ) : null}
      {RESERVATION_STATUSES.map((status) => (
        <td key={status} data-num data-wide="md">
          {noData ? null : <Pair {...count(figures, [status])} />}
        </td>
      ))}
    </tr>
  )
}

/** The occupancy of each shift of a location. */
function Shifts({ occupancy }: { occupancy: readonly Occupancy[] }) {
  const t = useTranslations('home.locations')
  return (
    <span className={classes.shifts}>
      {occupancy.map(({ shift_id: id, name, covers, capacity }) => (
        <span key={id} data-full={covers >= capacity || undefined} title={t('seats', { covers, capacity })}>
          {t('shift', { name, share: covers / capacity })}
        </span>
      ))}
    </span>
  )
}

/** A location's reservations by status as badges: what a phone shows instead of the columns. */
function LocationShares({ figures }: { figures: readonly ServiceFigure[] }) {
  const t = useTranslations('status.counted')
  const format = useFormatter()
  return (
    <span className={classes.shares}>
      {RESERVATION_STATUSES.map((status) => {
        const { reservations, covers } = count(figures, [status])
        return reservations > 0 ? (
          <Badge key={status} tone={STATUS_TONES[status]}>
            {t(status, { count: reservations })} · {format.number(covers)}
          </Badge>
        ) : null
      })}
    </span>
  )
}

/** Reservations and, smaller, their covers; a dash when there are none. */
function Pair({ reservations, covers, strong = false }: Count & { strong?: boolean }) {
  const t = useTranslations('home.locations')
  const format = useFormatter()
  return (
    <span
      className={classes.pair}
      data-none={reservations === 0 || undefined}
      data-strong={strong || undefined}
    >
      <span aria-hidden>
        {reservations === 0 ? '–' : format.number(reservations)}
        {reservations === 0 ? null : (
          <span className={classes.covers}>
            {' · '}
            {strong ? t('covers', { covers }) : format.number(covers)}
          </span>
        )}
      </span>
      <VisuallyHidden>{t('pair', { reservations, covers })}</VisuallyHidden>
    </span>
  )
}
