import { Button, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, Fragment, useState } from 'react'
import { useClosingText } from '@/components/closings/closing-text'
import { Dialog } from '@/components/ui/dialog'
import type { Confirmed } from '@/lib/reservations/questions'
import type { Place } from '@/lib/service/schema'
import classes from './board.module.css'
import type { BoardParty, BoardService } from './board-model'
import { isTooMany, joined, placeOf } from './joined-tables'
import look from './table-picker.module.css'
import { proposedTables, type Reason, reasonsOf, tablesByZone } from './table-reasons'
import { doubtsOf, type TableState, tableStates } from './table-states'

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
 * The tables as buttons: one tap chooses one. Three that suit the party stand on top with the reason (table-reasons.ts), the
 * others follow by zone; any can be joined. What is taken, booked during the stay, too small or closed asks for a
 * confirmation. Without known tables, a field for the table's name.
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
  const pick = (state: TableState) =>
    doubtsOf(state, moved).length === 0 ? onPick(placeOf(state.names)) : setDoubtful(state)
  function back() {
    setDoubtful(null)
    setIsBack(true)
  }
  if (doubtful)
    return (
      <TableDoubts
        state={doubtful}
        moved={moved}
        purpose={purpose}
        onAnother={() => {
          setSeveral(doubtful.names)
          back()
        }}
        onOther={back}
        onAnyway={() => onPick(placeOf(doubtful.names), doubtsOf(doubtful, moved))}
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
  const proposed = several ? [] : proposedTables(service, states, moved, partySize)
  const others = states.filter(({ name }) => proposed.every((each) => each.name !== name))
  const choice = (state: TableState, at: number | null) => (
    <Choice
      key={state.name}
      state={state}
      reasons={at === null ? null : reasonsOf(state, moved)}
      best={at === 0}
      pressed={several ? several.includes(state.name) : undefined}
      disabled={several !== null && isTooMany(several, state.name)}
      onClick={() => (several ? toggle(several, state.name) : pick(state))}
    />
  )
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
      {proposed.length > 0 ? (
        <ul className={look.proposals} aria-label={t('proposed')}>
          {proposed.map(choice)}
        </ul>
      ) : null}
      {tablesByZone(service, others).map(({ zone, states: some }) => (
        <Fragment key={zone ?? ''}>
          <h3 className={look.zone}>{zone ?? t('noZone')}</h3>
          <ul className={classes.tables} aria-label={zone ?? t('noZone')}>
            {some.map((state) => choice(state, null))}
          </ul>
        </Fragment>
      ))}
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

interface ChoiceProps {
  state: TableState
  /** Why it is proposed; null for the other tables. */
  reasons: Reason[] | null
  best: boolean
  pressed: boolean | undefined
  disabled: boolean
  onClick: () => void
}

/** A table as a button, with what speaks for it, or who is there. */
function Choice({ state, reasons, best, pressed, disabled, onClick }: ChoiceProps) {
  const t = useTranslations('client.service')
  const { name, zone, capacity, party, next, closing } = state
  const says = (reason: Reason) => t(`reasons.${reason.kind}`, { spare: 0, time: '', ...reason })
  return (
    <li>
      <button
        type="button"
        className={reasons ? `${classes.choice} ${look.proposed}` : classes.choice}
        data-taken={party || closing ? true : undefined}
        data-small={(pressed === undefined && state.small) || undefined}
        aria-pressed={pressed}
        disabled={disabled}
        onClick={onClick}
      >
        <b>{name}</b>
        <small>
          {[reasons ? zone : null, capacity && t('seats', { count: capacity })].filter(Boolean).join(' · ')}
        </small>
        {best ? <small className={look.best}>{t('best')}</small> : null}
        {reasons && reasons.length > 0 ? (
          <small className={look.reasons}>{reasons.map(says).join(' · ')}</small>
        ) : null}
        {party ? <small>{t('taken', { name: party.name ?? t('noName') })}</small> : null}
        {!(party || reasons) && next ? <small>{t('reservedAt', { time: next.time })}</small> : null}
        {closing ? <small>{t('closedTable')}</small> : null}
      </button>
    </li>
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

interface TableDoubtsProps {
  state: TableState
  /** The parties whose table is chosen, when they are on the list. */
  moved: readonly BoardParty[]
  purpose: 'seat' | 'assign'
  /** Adds another table to this one, where several can be chosen. */
  onAnother?: () => void
  onOther: () => void
  onAnyway: () => void
}

/** Why the table may be a bad choice: clashing parties with their times, too few seats, or closed. It can still be chosen. */
export function TableDoubts(props: TableDoubtsProps) {
  const { state, moved, purpose, onAnother, onOther, onAnyway } = props
  const t = useTranslations('client.service')
  const closed = useClosingText()
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
      {state.closing && doubtsOf(state, moved).includes('closed') ? (
        <p>
          {closed(state.closing)}
          {state.closing.reason ? `: ${state.closing.reason}` : null}
        </p>
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
