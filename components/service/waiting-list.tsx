import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { type Refusal, send } from '@/components/forms/send'
import { Badge } from '@/components/ui/badge'
import { MoreMenu } from '@/components/ui/more-menu'
import { useToast } from '@/components/ui/toast'
import { shownName } from '@/lib/customers/person-name'
import type { Confirmed } from '@/lib/reservations/questions'
import type { WaitingAnswer, WaitingParty } from '@/lib/waitlist/schema'
import classes from './board.module.css'
import { type BoardService, type BoardWaiting, clockAt, placeName } from './board-model'
import type { freedTables } from './freed-tables'
import type { TablePicker } from './table-picker'
import { isUnreachable, type NewWaitingTap, PATIENCE_MS } from './use-service'

interface WaitingListProps {
  /** What loads after the list: the choice of a table, and which tables are free for whom. Null until then. */
  forms: { TablePicker: typeof TablePicker; freedTables: typeof freedTables } | null
  service: BoardService
  /** The waiting parties that a search has found: only these; null without a search. */
  found: readonly WaitingParty[] | null | undefined
  clock: string
  now: Date
  /** Reads the service again. */
  onChanged: () => void
  /** Takes a tap of a party of that name; returns a function that undoes it. */
  onTap: (tap: NewWaitingTap, name: string) => () => void
  /** Shows a confirmation with an undo button. */
  onDone: (text: string, undo?: () => void) => void
}

/** The waiting parties without a reservation: since when they wait, the announced wait, and the next step. */
export function WaitingList(props: WaitingListProps) {
  const { forms, service, found, clock, now, onChanged, onTap, onDone } = props
  const t = useTranslations('client.service')
  const words = useErrorText()
  const say = useToast()
  const [seating, setSeating] = useState<BoardWaiting | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const waiting = found ?? service.waiting
  const freed = found || !forms ? [] : forms.freedTables(service, clock)

  // A call is a message: without a connection nobody would send it.
  async function call(party: BoardWaiting) {
    const name = shownName(party.name)
    setBusy(party.id)
    const called = party.unsaved
      ? NO_ANSWER
      : await send<WaitingAnswer>(
          'PATCH',
          `/api/waitlist/${party.id}`,
          { action: 'call' },
          { signal: AbortSignal.timeout(PATIENCE_MS) },
        )
    setBusy(null)
    onChanged()
    if (called.ok) onDone(t(called.data.channel ? 'wait.called' : 'wait.callByVoice', { name }))
    else if (isUnreachable(called)) say({ text: t('needsConnection.call', { name }), tone: 'warning' })
    else say({ text: words.ofRefusal(called), tone: 'problem' })
  }

  function seat(party: BoardWaiting, table_name?: string, confirm?: Confirmed[]) {
    setSeating(null)
    const name = shownName(party.name)
    onTap({ action: 'wait_seat', waiting_id: party.id, table_name, confirm }, name)
    onDone(table_name ? t('done.seat', { name, table: table_name }) : t('done.seated', { name }))
  }

  function leave(party: BoardWaiting) {
    const name = shownName(party.name)
    onDone(t('wait.left', { name }), onTap({ action: 'wait_leave', waiting_id: party.id }, name))
  }

  if (waiting.length === 0) return null
  return (
    <section className={classes.group} aria-label={t('wait.title')}>
      <h2>
        {t('wait.title')}{' '}
        <small className={classes.count}>
          {t('count', {
            parties: waiting.length,
            covers: waiting.reduce((sum, { party_size }) => sum + party_size, 0),
          })}
        </small>
      </h2>
      {freed.length > 0 ? (
        <section className={classes.freed} aria-label={t('wait.freedTitle')}>
          {freed.map(({ freed: gone, table, at, party }) => (
            <p key={gone.id}>
              {t('wait.freed', {
                table: table ?? 'none',
                at,
                size: gone.party_size,
                name: shownName(party.name),
              })}
            </p>
          ))}
        </section>
      ) : null}
      <ul>
        {waiting.map((party) => (
          <li key={party.id} className={classes.party} data-arrived={party.called_at ? true : undefined}>
            <span className={classes.time}>
              {t('wait.minutes', { count: minutesSince(party.joined_at, now) })}
            </span>
            <div className={classes.what}>
              <p className={classes.who}>
                <b className={classes.name}>{shownName(party.name)}</b>
                <span className={classes.size}>{t('guests', { count: party.party_size })}</span>
                {party.quoted_minutes === null ? null : (
                  <span className={classes.table}>{t('wait.quoted', { count: party.quoted_minutes })}</span>
                )}
                {isOver(party, now) ? <Badge tone="amber">{t('wait.over')}</Badge> : null}
                {party.phone ? <a href={`tel:${party.phone}`}>{party.readable_phone}</a> : null}
              </p>
              {party.called_at ? <p className={classes.notes}>{t(`wait.states.${stateOf(party)}`)}</p> : null}
              {party.offer && party.offer.outcome !== 'accepted' ? (
                <p className={classes.notes}>
                  {t(`wait.offers.${party.offer.outcome ?? 'held'}`, {
                    table: party.offer.table_name,
                    until: clockAt(new Date(party.offer.expires_at), service.location.timezone),
                  })}
                </p>
              ) : null}
              {party.notes ? <p className={classes.notes}>{party.notes}</p> : null}
            </div>
            <div className={classes.actions}>
              {party.called_at ? null : (
                <Button variant="default" loading={busy === party.id} onClick={() => call(party)}>
                  {t('wait.call')}
                </Button>
              )}
              <Button variant="light" onClick={() => setSeating(party)}>
                {t('seat')}
              </Button>
              <MoreMenu label={t('more', { name: party.name })}>
                <button type="button" onClick={() => leave(party)}>
                  {t('wait.leave')}
                </button>
              </MoreMenu>
            </div>
          </li>
        ))}
      </ul>
      {forms && seating ? (
        <forms.TablePicker
          service={service}
          clock={clock}
          partySize={seating.party_size}
          title={t('seatTitle', { name: shownName(seating.name), count: seating.party_size })}
          onPick={(place, confirm) => seat(seating, place && placeName(place), confirm)}
          onClose={() => setSeating(null)}
        />
      ) : null}
    </section>
  )
}

const NO_ANSWER: Refusal = { ok: false, status: 0, issues: [] }

const minutesSince = (instant: string, now: Date) =>
  Math.max(0, Math.floor((now.getTime() - Date.parse(instant)) / 60_000))

/** Whether a party has waited longer than announced and has not been called. */
const isOver = ({ called_at, quoted_minutes, joined_at }: WaitingParty, now: Date) =>
  called_at === null && quoted_minutes !== null && minutesSince(joined_at, now) > quoted_minutes

/** The outcome of the message that called a party. */
function stateOf({ message }: WaitingParty): 'voice' | 'sending' | 'simulated' | 'sent' | 'failed' {
  if (!message) return 'voice'
  if (message.simulated) return 'simulated'
  if (message.status === 'queued' || message.status === 'sending') return 'sending'
  return message.status === 'sent' || message.status === 'delivered' ? 'sent' : 'failed'
}
