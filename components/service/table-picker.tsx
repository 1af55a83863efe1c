import { Button, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { type Confirmed, confirmed } from '@/lib/reservations/questions'
import classes from './board.module.css'
import type { BoardService } from './board-model'
import { isFree, type TableState, tableStates } from './table-model'

interface TablesProps {
  service: BoardService
  /** The current local time; null for another day than today. */
  clock: string | null
  partySize: number
  /** When the party comes; now when absent. */
  at?: string
  /** The party whose table is chosen, when it is on the list. */
  except?: string
  /** Whether the choice seats the party now, or only plans its table. */
  purpose?: 'seat' | 'assign'
  /** Receives the table's name, undefined for none, and what the person was told of it and confirmed. */
  onPick: (table?: string, confirm?: Confirmed[]) => void
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
 * The tables as buttons. A table that is taken, booked during the stay or too small asks for a confirmation. Without
 * known tables, a field for the table's name.
 */
export function Tables({ service, clock, partySize, at, except, purpose = 'seat', onPick }: TablesProps) {
  const t = useTranslations('client.service')
  const [doubtful, setDoubtful] = useState<TableState | null>(null)
  const states = tableStates(service, clock, partySize, { at, except })
  if (doubtful)
    return (
      <TableDoubts
        state={doubtful}
        partySize={partySize}
        purpose={purpose}
        onOther={() => setDoubtful(null)}
        onAnyway={() => onPick(doubtful.name, doubtsOf(doubtful))}
      />
    )
  return (
    <>
      {states.length > 0 ? (
        <ul className={classes.tables}>
          {states.map((state, index) => (
            <li key={state.name}>
              <button
                type="button"
                className={classes.choice}
                data-taken={state.party ? true : undefined}
                data-small={state.small || undefined}
                onClick={() => (isFree(state) ? onPick(state.name) : setDoubtful(state))}
              >
                <b>{state.name}</b>
                <small>
                  {[state.zone, state.capacity && t('seats', { count: state.capacity })]
                    .filter(Boolean)
                    .join(' · ')}
                </small>
                {index === 0 && isFree(state) ? <small>{t('best')}</small> : null}
                {state.party ? <small>{t('taken', { name: state.party.name ?? t('noName') })}</small> : null}
                {!state.party && state.next ? (
                  <small>{t('reservedAt', { time: state.next.time })}</small>
                ) : null}
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <TableName purpose={purpose} onPick={onPick} />
      )}
      <Button variant="subtle" onClick={() => onPick(undefined)}>
        {t(purpose === 'seat' ? 'withoutTable' : 'leaveWithout')}
      </Button>
    </>
  )
}

/** What there is to confirm about a table. */
export const doubtsOf = ({ clashes, small }: TableState): Confirmed[] => [
  ...(clashes.length > 0 ? [confirmed('TABLE_TAKEN')] : []),
  ...(small ? [confirmed('TABLE_TOO_SMALL')] : []),
]

interface TableDoubtsProps {
  state: TableState
  partySize: number
  purpose: 'seat' | 'assign'
  onOther: () => void
  onAnyway: () => void
}

/** Why the table may be a bad choice: clashing parties with their times, or too few seats. It can still be chosen. */
export function TableDoubts({ state, partySize, purpose, onOther, onAnyway }: TableDoubtsProps) {
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
        <p>{t('tooSmall', { table, capacity: state.capacity ?? 0, count: partySize })}</p>
      ) : null}
      <div className={classes.actions}>
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
    if (name) onPick(name)
  }
  return (
    <form onSubmit={submit} className={classes.named}>
      <TextInput name="table" label={t('tableName')} maxLength={100} autoComplete="off" data-autofocus />
      <Button type="submit">{t(purpose === 'assign' ? 'assign' : 'seat')}</Button>
    </form>
  )
}
