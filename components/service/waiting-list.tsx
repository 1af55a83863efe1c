import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { useQuestions } from '@/components/reservations/use-questions'
import { Badge } from '@/components/ui/badge'
import { MoreMenu } from '@/components/ui/more-menu'
import { useToast } from '@/components/ui/toast'
import { shownName } from '@/lib/customers/person-name'
import type { Confirmed } from '@/lib/reservations/questions'
import type { WaitingAnswer, WaitingParty } from '@/lib/waitlist/schema'
import classes from './board.module.css'
import { type BoardService, clockAt } from './board-model'
import { freedTables } from './freed-tables'
import type { TablePicker } from './table-picker'

interface WaitingListProps {
  /** The dialog with the tables; null until it has loaded. */
  Picker: typeof TablePicker | null
  service: BoardService
  /** The waiting parties that a search has found: only these; null without a search. */
  found: readonly WaitingParty[] | null | undefined
  clock: string
  now: Date
  /** Reads the service again. */
  onChanged: () => void
  /** Shows a confirmation with an undo button. */
  onDone: (text: string, undo?: () => void) => void
}

/** The waiting parties without a reservation: since when they wait, the announced wait, and the next step. */
export function WaitingList({ Picker, service, found, clock, now, onChanged, onDone }: WaitingListProps) {
  const t = useTranslations('client.service')
  const words = useErrorText()
  const say = useToast()
  const [seating, setSeating] = useState<WaitingParty | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const waiting = found ?? service.waiting
  const freed = found ? [] : freedTables(service, clock)

  // What was asked about seating is answered for the same party and table.
  const seated = useRef<{ party: WaitingParty; table?: string }>(null)
  const questions = useQuestions(({ confirm }) => {
    if (seated.current) void seat(seated.current.party, seated.current.table, confirm as Confirmed[])
  })

  async function change(party: WaitingParty, body: object): Promise<WaitingAnswer | null> {
    setBusy(party.id)
    const answer = await send<WaitingAnswer>('PATCH', `/api/waitlist/${party.id}`, body)
    setBusy(null)
    if (!answer.ok && !questions.take(answer)) say({ text: words.ofRefusal(answer), tone: 'problem' })
    onChanged()
    return answer.ok ? answer.data : null
  }

  async function call(party: WaitingParty) {
    const called = await change(party, { action: 'call' })
    const name = shownName(party.name)
    if (called) onDone(called.channel ? t('wait.called', { name }) : t('wait.callByVoice', { name }))
  }

  async function seat(party: WaitingParty, table_name?: string, confirm?: Confirmed[]) {
    setSeating(null)
    seated.current = { party, table: table_name }
    const name = shownName(party.name)
    if (await change(party, { action: 'seat', table_name, confirm }))
      onDone(table_name ? t('done.seat', { name, table: table_name }) : t('done.seated', { name }))
  }

  async function leave(party: WaitingParty) {
    if (await change(party, { action: 'leave' }))
      onDone(t('wait.left', { name: shownName(party.name) }), () => void change(party, { action: 'return' }))
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
                <span className={classes.size}>{t('pax', { count: party.party_size })}</span>
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
      {Picker && seating ? (
        <Picker
          service={service}
          clock={clock}
          partySize={seating.party_size}
          title={t('seatTitle', { name: shownName(seating.name), count: seating.party_size })}
          onPick={(table, confirm) => seat(seating, table, confirm)}
          onClose={() => setSeating(null)}
        />
      ) : null}
      {questions.node}
    </section>
  )
}

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
