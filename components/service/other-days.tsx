import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { AllergiesByCode } from '@/components/customers/allergy-badges'
import { send } from '@/components/forms/send'
import { foundHref, isEnough, useFoundDay } from '@/components/reservations/found-reservation'
import { Link } from '@/components/ui/link'
import { shownName } from '@/lib/customers/person-name'
import type { FoundReservation } from '@/lib/service/schema'
import classes from './other-days.module.css'

const DELAY_MS = 300

interface Answer {
  text: string
  tries: number
  /** Null: it could not be searched. */
  list: FoundReservation[] | null
}

interface OtherDaysProps {
  search: string
  locationId: string
  /** What the board itself shows. */
  found: readonly { id: string }[]
}

/** How many are read: more say that the text is too short. */
const MOST = 20

/** What a search at the door finds beyond the board: other days, and what only the server knows of tonight. */
export function OtherDays({ search, locationId, found: onBoard }: OtherDaysProps) {
  const t = useTranslations('client.service')
  const words = useTranslations('client.booking')
  const dayOf = useFoundDay()
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [tries, setTries] = useState(0)
  const text = search.trim()
  useEffect(() => {
    if (!isEnough(text)) return
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      const path = `/api/service/find?location_id=${locationId}&limit=${MOST}&search=${encodeURIComponent(text)}`
      const read = await send<FoundReservation[]>('GET', path, undefined, { signal: abort.signal })
      if (!abort.signal.aborted) setAnswer({ text, tries, list: read.ok ? read.data : null })
    }, DELAY_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [text, locationId, tries])

  if (!isEnough(text)) return null
  // An answer to an earlier text is not shown.
  const current = answer?.text === text && answer.tries === tries ? answer : null
  const others = (current?.list ?? []).filter(({ id }) => onBoard.every((party) => party.id !== id))
  const isCut = current?.list?.length === MOST && others.length > 0
  const found = isCut ? 'first' : 'found'
  const state = current === null ? 'searching' : current.list === null ? 'failed' : found
  const title = t(others.some(({ days }) => days === 0) ? 'moreFound' : 'otherDays')
  return (
    <section className={classes.group} aria-label={title}>
      <h2>{title}</h2>
      <p role="status" className={classes.state}>
        {t(`others.${state}`, { count: others.length })}{' '}
        {state === 'failed' ? (
          <Button variant="subtle" size="compact-sm" onClick={() => setTries(tries + 1)}>
            {t('others.again')}
          </Button>
        ) : null}
      </p>
      <ul>
        {others.map((each) => (
          <li key={each.id}>
            <Link href={foundHref(each)} className={classes.row}>
              <b>{each.name ? shownName(each.name) : t('noName')}</b>
              <span>{dayOf(each)}</span>
              <small>
                {[
                  t('guests', { count: each.party_size }),
                  each.table_name && t('table', { name: each.table_name }),
                  words(`statuses.${each.status}`),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
              <AllergiesByCode codes={each.allergies} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
