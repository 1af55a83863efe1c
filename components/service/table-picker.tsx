import { Button, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { type Confirmed, confirmed } from '@/lib/reservations/questions'
import type { Place } from '@/lib/service/schema'
import classes from './board.module.css'
import type { BoardParty, BoardService } from './board-model'
import { isTooMany, joinable, joined, placeOf } from './joined-tables'
import { isFree, type TableState, tableStates } from './table-states'

interface TablesProps {
  service: BoardService
  /** The current local time; null for another day than today. */
  clock: string | null
  partySize: number
  /** The parties whose table is chosen, when they are on the list. */
  moved?: readonly BoardParty[]
  /** Whether the choice seats them now, or only plans their table. */
  purpose?: 'seat' | 'assign'
  /** Receives the tables, undefined for none, and what the person was told of them and confirmed. */
  onPick: (place?: Place, confirm?: Confirmed[]) => void
}

/** A dialog with the location's tables: free ones that seat the party come first. */
export function TablePicker({
  title,
  onClose,
  ...tables
}: TablesProps & { title: string; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Tables {...tables} />
    </Dialog>
  )
}

/**
 * The tables as buttons: one tap chooses one. Where none seats the party, tables that do together stand first; any can be
 * joined. What is taken, booked during the stay or too small asks for a confirmation. Without known tables, a field for
 * the table's name.
 */
export function Tables({ service, clock, partySize, moved = [], purpose = 'seat', onPick }: TablesProps) {
  const t = useTranslations('client.service')
  const own = moved[0]?.tables ?? []
  const [doubtful, setDoubtful] = useState<TableState | null>(null)
  /** The names of those that are joined; null while one tap chooses. */
  const [several, setSeveral] = useState<readonly string[] | null>(null)
  // The buttons of a doubt are gone after it, and the focus with them.
  const [isBack, setIsBack] = useState(false)
  const states = tableStates(service, clock, partySize, { moved, planned: purpose === 'assign' })
  const pick = (state: TableState) => (isFree(state) ? onPick(placeOf(state.names)) : setDoubtful(state))
  function back() {
    setDoubtful(null)
    setIsBack(true)
  }
  if (doubtful)
    return (
      <TableDoubts
        state={doubtful}
        purpose={purpose}
        onAnother={() => {
          setSeveral(doubtful.names)
          back()
        }}
        onOther={back}
        onAnyway={() => onPick(placeOf(doubtful.names), doubtsOf(doubtful))}
      />
    )
  if (states.length === 0)
    return (
      <>
        <TableName purpose={purpose} onPick={onPick} />
        <WithoutTable purpose={purpose} onPick={onPick} />
      </>
    )
  const chosen = states.filter(({ name }) => several?.includes(name))
  const together = joined(
    chosen.toSorted((a, b) => (several ?? []).indexOf(a.name) - (several ?? []).indexOf(b.name)),
    partySize,
  )
  const toggle = (names: readonly string[], name: string) =>
    setSeveral(names.includes(name) ? names.filter((each) => each !== name) : [...names, name])
  const rest = states.filter(({ name }) => !several?.includes(name))
  const isFull = several !== null && rest.length > 0 && rest.every(({ name }) => isTooMany(several, name))
  const choices = several ? states : [...joinable(service.tables, states, partySize), ...states]
  return (
    <>
      <Button
        variant={several ? 'light' : 'default'}
        size="xs"
        aria-pressed={several !== null}
        autoFocus={isBack}
        onClick={() => setSeveral(several ? null : own.filter((name) => states.some((s) => s.name === name)))}
      >
        {t('joined.several')}
      </Button>
      <ul className={classes.tables}>
        {choices.map((state, index) => (
          <li key={state.name}>
            <button
              type="button"
              className={classes.choice}
              data-taken={state.party ? true : undefined}
              data-small={(several === null && state.small) || undefined}
              aria-pressed={several ? several.includes(state.name) : undefined}
              disabled={several !== null && isTooMany(several, state.name)}
              onClick={() => (several ? toggle(several, state.name) : pick(state))}
            >
              <b>{state.name}</b>
              <small>
                {[state.zone, state.capacity && t('seats', { count: state.capacity })]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
              {several === null && index === 0 && isFree(state) ? <small>{t('best')}</small> : null}
              {state.party ? <small>{t('taken', { name: state.party.name ?? t('noName') })}</small> : null}
              {!state.party && state.next ? (
                <small>{t('reservedAt', { time: state.next.time })}</small>
              ) : null}
            </button>
          </li>
        ))}
      </ul>
      <div className={several ? classes.joined : undefined}>
        <p role="status">
          {several === null
            ? null
            : chosen.length === 0
              ? t('joined.none')
              : t('joined.sum', {
                  table: together.name,
                  seats: together.seats ?? -1,
                  count: together.covers,
                  missing: together.small ? together.covers - (together.seats ?? 0) : 0,
                })}
          {isFull ? ` ${t('joined.full')}` : null}
        </p>
        {several ? (
          <Button disabled={chosen.length === 0} onClick={() => pick(together)}>
            {t(purpose === 'seat' ? 'seat' : 'assign')}
          </Button>
        ) : null}
      </div>
      {several ? null : <WithoutTable purpose={purpose} onPick={onPick} />}
    </>
  )
}

function WithoutTable({ purpose, onPick }: Pick<TablesProps, 'purpose' | 'onPick'>) {
  const t = useTranslations('client.service')
  return (
    <Button variant="subtle" onClick={() => onPick()}>
      {t(purpose === 'seat' ? 'withoutTable' : 'leaveWithout')}
    </Button>
  )
}

/** What there is to confirm about a table. */
export const doubtsOf = ({ clashes, small }: TableState): Confirmed[] => [
  ...(clashes.length > 0 ? [confirmed('TABLE_TAKEN')] : []),
  ...(small ? [confirmed('TABLE_TOO_SMALL')] : []),
]

interface TableDoubtsProps {
  state: TableState
  purpose: 'seat' | 'assign'
  /** Adds another table to this one, where several can be chosen. */
  onAnother?: () => void
  onOther: () => void
  onAnyway: () => void
}

/** Why the table may be a bad choice: clashing parties with their times, or too few seats. It can still be chosen. */
export function TableDoubts(props: TableDoubtsProps) {
  const { state, purpose, onAnother, onOther, onAnyway } = props
  const t = useTranslations('client.service')
  const table = state.name
  return (
    <div role="alert" className={classes.clash}>
      {state.clashes.map(({ id, name, status, time }) => (
        <p key={id}>
          {status === 'seated'
            ? t('clash', { table, name: name ?? t('noName') })
            : t('clashLater', { table, name: name ?? t('noName'), time })}
        </p>
      ))}
      {state.small ? (
        <p>{t('tooSmall', { table, capacity: state.seats ?? 0, count: state.covers })}</p>
      ) : null}
      <div className={classes.actions}>
        {onAnother && state.small ? (
          <Button variant="default" onClick={onAnother}>
            {t('joined.another')}
          </Button>
        ) : null}
        <Button variant="default" onClick={onOther}>
          {t('otherTable')}
        </Button>
        <Button onClick={onAnyway}>{t(purpose === 'seat' ? 'seatAnyway' : 'assignAnyway')}</Button>
      </div>
    </div>
  )
}

function TableName({ purpose, onPick }: Pick<TablesProps, 'purpose' | 'onPick'>) {
  const t = useTranslations('client.service')
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('table') ?? '').trim()
    if (name) onPick({ table_name: name })
  }
  return (
    <form onSubmit={submit} className={classes.named}>
      <TextInput name="table" label={t('tableName')} maxLength={100} autoComplete="off" data-autofocus />
      <Button type="submit">{t(purpose === 'assign' ? 'assign' : 'seat')}</Button>
    </form>
  )
}
