'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { Fragment, useRef, useState } from 'react'
import { ClosingsBanner } from '@/components/closings/closings-banner'
import { Allergies } from '@/components/customers/allergy-badges'
import { type Done, UndoNotice } from '@/components/reservations/undo-notice'
import { Dialog } from '@/components/ui/dialog'
import { Freshness } from '@/components/ui/freshness'
import { serviceMinute } from '@/components/ui/service-day'
import { useClock } from '@/components/ui/use-clock'
import type { Confirmed } from '@/lib/reservations/questions'
import type { Place, Service } from '@/lib/service/schema'
import shared from './board.module.css'
import { allergiesIn, type BoardParty, clockAt, coversOf, placeName, shiftAt } from './board-model'
import { Dock } from './dock'
import { FindTable } from './find-table'
import { placeOf } from './joined-tables'
import { ALL_SHIFTS, ShiftTabs } from './shift-tabs'
import { doubtsOf, TableDoubts, TablePicker } from './table-picker'
import { isFree, type TableState, tableStates } from './table-states'
import { assignTaps } from './table-taps'
import classes from './tables.module.css'
import { TablesByTime } from './tables-by-time'
import { tablesDay } from './tables-day'
import { TablesList } from './tables-list'
import { withOthers } from './together'
import { useService } from './use-service'

interface TablesBoardProps {
  initial: Service
  person: string
  /** The path of guests' cards on the list. */
  cards: '/customers' | '/service/guests'
  /** The service day shown; absent for the current one. */
  date?: string
}

/**
 * The tables of a location by time. The person chooses a party, then its table; clashes are shown but do not prevent
 * the choice. It uses the taps of the service: shown at once, kept without a connection, and undoable.
 */
export function TablesBoard({ initial, person, cards, date }: TablesBoardProps) {
  const t = useTranslations('client.tablesBoard')
  const texts = useTranslations('client.service')
  const now = useClock(new Date(initial.at))
  const { service, list, readAt, waiting, failure, ...taps } = useService(initial, person, { date })
  const { refused, takeAgain, forget, tap } = taps
  const [chosen, setChosen] = useState<string | null>(null)
  const [shift, setShift] = useState<string | null>(null)
  const [picking, setPicking] = useState(false)
  const [finding, setFinding] = useState(false)
  const [doubtful, setDoubtful] = useState<TableState | null>(null)
  const [done, setDone] = useState<Done | null>(null)
  const area = useRef<HTMLDivElement>(null)

  const present = clockAt(now, service.location.timezone)
  const clock = date === undefined ? present : null
  const known = shift === ALL_SHIFTS || service.shifts.some(({ id }) => id === shift)
  const shown = known ? shift : shiftAt(service, clock ?? '20:00')
  const day = tablesDay(
    service,
    shown === ALL_SHIFTS ? null : shown,
    clock === null ? null : serviceMinute(clock),
  )
  const party = service.parties.find(({ id }) => id === chosen) ?? null
  const group = party ? withOthers(party, service) : []
  const covers = coversOf(group)
  const nameOf = ({ name }: BoardParty) => name ?? texts('noName')
  const namesOf = (parties: readonly BoardParty[]) => parties.map(nameOf).join(' + ')

  function choose(next: BoardParty | null, byKeyboard = false) {
    setChosen(next?.id ?? null)
    // The tables come after the party's actions, so the focus moves there.
    if (byKeyboard)
      requestAnimationFrame(() => area.current?.querySelector<HTMLElement>('[data-chosen] button')?.focus())
  }

  function assign(place: Place = { tables: [] }, confirm?: Confirmed[]) {
    setPicking(false)
    setDoubtful(null)
    if (!party) return
    choose(null)
    const table = placeName(place)
    const taps = assignTaps(group, place, confirm)
    if (taps.length === 0) return
    const undos = taps.map(([what, each]) => tap(what, each))
    const name = namesOf(taps.map(([, each]) => each))
    setDone({
      text: table ? texts('done.assign', { name, table }) : texts('done.unassign', { name }),
      undo: () => {
        for (const undo of undos.toReversed()) undo()
        setDone(null)
      },
    })
  }

  const states = party ? tableStates(service, clock, covers, { moved: group, planned: true }) : []
  function pick(name: string) {
    const state = states.find((each) => each.name === name)
    if (!state || isFree(state)) assign(placeOf([name]))
    else setDoubtful(state)
  }
  const choice = party && { party, states, onTable: pick }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape cancels the choice, as the button does
    <div
      ref={area}
      className={shared.board}
      onKeyDown={(event) => event.key === 'Escape' && !picking && !doubtful && choose(null)}
    >
      <div className={shared.bar}>
        <ShiftTabs shifts={service.shifts} shown={shown ?? ALL_SHIFTS} onChoose={setShift} />
        <p className={shared.state}>{failure ? null : <Freshness at={new Date(readAt)} offline={false} />}</p>
        <div className={shared.actions}>
          <Button variant="default" onClick={() => setFinding(true)}>
            {t('find')}
          </Button>
        </div>
      </div>
      <ClosingsBanner closings={service.closings} tight />
      <div role="status">
        {party ? (
          <section className={classes.chosen} data-chosen aria-label={t('chosen')}>
            <p>
              <b>{namesOf(group)}</b> · {texts('pax', { count: covers })} · {party.time} ·{' '}
              {party.table_name ? texts('table', { name: party.table_name }) : texts('noTable')}
            </p>
            {group.map((each) => (
              <Fragment key={each.id}>
                {group.length > 1 && allergiesIn(each).length > 0 ? <b>{nameOf(each)}</b> : null}
                <Allergies allergies={allergiesIn(each)} />
              </Fragment>
            ))}
            <div className={shared.actions}>
              <Button onClick={() => setPicking(true)}>{t('choose')}</Button>
              {party.table_name ? (
                <Button variant="default" onClick={() => assign()}>
                  {texts('leaveWithout')}
                </Button>
              ) : null}
              <Button variant="subtle" onClick={() => choose(null)}>
                {t('cancel')}
              </Button>
            </div>
          </section>
        ) : null}
      </div>
      <TablesByTime day={day} clock={clock} chosen={choice} onChoose={choose} />
      <TablesList day={day} clock={clock} chosen={choice} onChoose={choose} />
      {picking && party ? (
        <TablePicker
          service={service}
          clock={clock}
          moved={group}
          purpose="assign"
          partySize={covers}
          title={texts('seatTitle', { name: namesOf(group), count: covers })}
          onPick={assign}
          onClose={() => setPicking(false)}
        />
      ) : null}
      {doubtful && party ? (
        <Dialog
          title={texts('seatTitle', { name: namesOf(group), count: covers })}
          onClose={() => setDoubtful(null)}
        >
          <TableDoubts
            state={doubtful}
            purpose="assign"
            onOther={() => setDoubtful(null)}
            onAnyway={() => assign(placeOf(doubtful.names), doubtsOf(doubtful))}
          />
        </Dialog>
      ) : null}
      {finding ? (
        <FindTable
          service={service}
          clock={clock}
          at={clock ?? service.shifts.find(({ id }) => id === shown)?.opens ?? '20:00'}
          onClose={() => setFinding(false)}
        />
      ) : null}
      <Dock
        {...{ refused, readAt, failure, waiting }}
        keeps={date ? undefined : { person, cards, list }}
        onAgain={takeAgain}
        onForget={forget}
      >
        <UndoNotice done={done} onGone={() => setDone(null)} />
      </Dock>
    </div>
  )
}
