'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { Fragment, useEffect, useRef, useState } from 'react'
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
import { allergiesIn, type BoardParty, clockAt, shiftAt } from './board-model'
import { Dock } from './dock'
import { placeOf } from './joined-tables'
import { ALL_SHIFTS, ShiftTabs } from './shift-tabs'
import { doubtsOf } from './table-states'
import classes from './tables.module.css'
import { TablesByTime } from './tables-by-time'
import { tablesDay } from './tables-day'
import { TablesList } from './tables-list'
import { isReady } from './together'
import { useService } from './use-service'
import { type Choice, useTableChoice } from './use-table-choice'
import { TABLE_VIEWS, useView } from './use-view'

interface TablesBoardProps {
  initial: Service
  person: string
  /** The path of guests' cards on the list. */
  cards: '/customers' | '/service/guests'
  /** The service day shown; absent for the current one. */
  date?: string
}

/**
 * The tables of a location, by time or as they stand in the room. The person chooses a party, then its table; clashes are
 * shown but do not prevent the choice. It uses the taps of the service: shown at once, kept without a connection, and
 * undoable.
 */
export function TablesBoard({ initial, person, cards, date }: TablesBoardProps) {
  const t = useTranslations('client.tablesBoard')
  const texts = useTranslations('client.service')
  const now = useClock(new Date(initial.at))
  const { service, list, readAt, waiting, failure, ...taps } = useService(initial, person, { date })
  const { refused, takeAgain, forget, tap } = taps
  const [view, setView] = useView()
  const { parts, isMissing } = useParts()
  const [shift, setShift] = useState<string | null>(null)
  const [picking, setPicking] = useState(false)
  const [finding, setFinding] = useState(false)
  const [done, setDone] = useState<Done | null>(null)
  const area = useRef<HTMLDivElement>(null)

  const present = clockAt(now, service.location.timezone)
  const clock = date === undefined ? present : null
  const known = shift === ALL_SHIFTS || service.shifts.some(({ id }) => id === shift)
  const chosenShift = known ? shift : shiftAt(service, clock ?? '20:00')
  const shown = chosenShift === ALL_SHIFTS ? null : chosenShift
  const { choice, choose, give, offer, doubtful, setDoubtful } = useTableChoice({
    ...{ service, clock, tap },
    onDone: setDone,
  })
  const isPlan = view === 'plan' && parts !== null
  const shownView = isMissing ? 'time' : view
  const title =
    choice && texts('seatTitle', { name: namesOf(choice.moved, texts('noName')), count: choice.covers })

  function chooseBar(next: BoardParty | null, byKeyboard = false) {
    choose(next)
    // The tables come after the party's actions, so the focus moves there.
    if (byKeyboard) focusSoon(area.current, '[data-chosen] button')
  }

  /** What has the focus may go with the choice: then the party has it, where the plan shows it, or its table. */
  function stay({ party }: Choice, tables: readonly string[] = party.tables) {
    if (isPlan)
      focusSoon(area.current, [
        ...tables.map((name) => `[data-table="${CSS.escape(name)}"]`),
        `[data-party="${party.id}"]`,
      ])
  }

  function take(place?: Place, confirm?: Confirmed[]) {
    setPicking(false)
    if (!choice) return
    give(choice, place, confirm)
    stay(choice, place?.table_name?.split('+') ?? place?.tables)
  }

  function cancel() {
    if (choice) stay(choice)
    choose(null)
  }

  const views = choice && { ...choice, onTable: (name: string) => offer(choice.party, name) }
  const day = isPlan ? null : tablesDay(service, shown, clock === null ? null : serviceMinute(clock))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape cancels the choice, as the button does
    <div
      ref={area}
      className={shared.board}
      onKeyDown={(event) => event.key === 'Escape' && !picking && !doubtful && cancel()}
    >
      <div className={shared.bar}>
        <ShiftTabs shifts={service.shifts} shown={chosenShift ?? ALL_SHIFTS} onChoose={setShift} />
        <fieldset className={shared.shifts} aria-label={t('views.label')}>
          <div>
            {TABLE_VIEWS.map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={each === shownView}
                onClick={() => setView(each)}
              >
                {t(`views.${each}`)}
              </button>
            ))}
          </div>
        </fieldset>
        <p className={shared.state}>{failure ? null : <Freshness at={new Date(readAt)} offline={false} />}</p>
        <div className={shared.actions}>
          <Button variant="default" onClick={() => setFinding(true)}>
            {t('find')}
          </Button>
        </div>
      </div>
      <ClosingsBanner closings={service.closings} tight />
      <div role="status" className={isPlan ? classes.above : undefined}>
        {view === 'plan' && isMissing ? <p className={shared.state}>{t('plan.offline')}</p> : null}
        {choice ? (
          <Chosen
            choice={choice}
            onPick={() => setPicking(true)}
            onSeat={choice.purpose === 'seat' && isReady(choice.moved, service) ? () => take() : undefined}
            onLeave={() => {
              give({ ...choice, purpose: 'assign' })
              stay(choice, [])
            }}
            onCancel={cancel}
          />
        ) : null}
      </div>
      {isPlan ? (
        <parts.FloorPlan
          plan={parts.floorPlan(service, { now, isToday: clock !== null, shift: shown })}
          choice={choice}
          onChoose={choose}
          onTable={(name) => choice && offer(choice.party, name)}
          onDrop={(id, name) => {
            const party = service.parties.find((each) => each.id === id)
            if (party) offer(party, name)
          }}
        />
      ) : null}
      {day ? <TablesByTime day={day} clock={clock} chosen={views} onChoose={chooseBar} /> : null}
      {day ? <TablesList day={day} clock={clock} chosen={views} onChoose={chooseBar} /> : null}
      {parts && picking && choice && title ? (
        <parts.TablePicker
          service={service}
          clock={clock}
          moved={choice.moved}
          purpose={choice.purpose}
          partySize={choice.covers}
          title={title}
          onPick={take}
          onClose={() => setPicking(false)}
        />
      ) : null}
      {parts && doubtful && choice && title ? (
        <Dialog title={title} onClose={() => setDoubtful(null)}>
          <parts.TableDoubts
            state={doubtful}
            moved={choice.moved}
            purpose={choice.purpose}
            onOther={() => setDoubtful(null)}
            onAnyway={() => take(placeOf(doubtful.names), doubtsOf(doubtful, choice.moved))}
          />
        </Dialog>
      ) : null}
      {parts && finding ? (
        <parts.FindTable
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

const namesOf = (parties: readonly BoardParty[], noName: string) =>
  parties.map(({ name }) => name ?? noName).join(' + ')

interface ChosenProps {
  choice: Choice
  onPick: () => void
  /** Seats them at the table they have; absent when that is not free, or they are not at the door. */
  onSeat?: () => void
  onLeave: () => void
  onCancel: () => void
}

/** The party whose table is being chosen, with those who get it too. */
function Chosen({ choice: { party, moved, covers }, onPick, onSeat, onLeave, onCancel }: ChosenProps) {
  const t = useTranslations('client.tablesBoard')
  const texts = useTranslations('client.service')
  return (
    <section className={classes.chosen} data-chosen aria-label={t('chosen')}>
      <p>
        <b>{namesOf(moved, texts('noName'))}</b> · {texts('guests', { count: covers })} · {party.time} ·{' '}
        {party.table_name ? texts('table', { name: party.table_name }) : texts('noTable')}
      </p>
      {moved.map((each) => (
        <Fragment key={each.id}>
          {moved.length > 1 && allergiesIn(each).length > 0 ? (
            <b>{namesOf([each], texts('noName'))}</b>
          ) : null}
          <Allergies allergies={allergiesIn(each)} />
        </Fragment>
      ))}
      <div className={shared.actions}>
        {onSeat ? <Button onClick={onSeat}>{texts('seat')}</Button> : null}
        <Button variant={onSeat ? 'default' : 'filled'} onClick={onPick}>
          {t('choose')}
        </Button>
        {party.table_name ? (
          <Button variant="default" onClick={onLeave}>
            {texts('leaveWithout')}
          </Button>
        ) : null}
        <Button variant="subtle" onClick={onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </section>
  )
}

type Parts = typeof import('./tables-parts')

/** What loads after the page: null until then, and missing without a connection. */
function useParts(): { parts: Parts | null; isMissing: boolean } {
  const [parts, setParts] = useState<Parts | null>(null)
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    if (parts) return
    const load = () => void import('./tables-parts').then(setParts, () => setMissing(true))
    load()
    for (const name of ['online', 'focus'] as const) window.addEventListener(name, load)
    return () => {
      for (const name of ['online', 'focus'] as const) window.removeEventListener(name, load)
    }
  }, [parts])
  return { parts, isMissing: isMissing && !parts }
}

/** Moves the focus to the first of these elements that is shown, if what had it is gone by then. */
function focusSoon(area: HTMLElement | null, selectors: string | readonly string[]) {
  requestAnimationFrame(() => {
    if (typeof selectors !== 'string' && document.activeElement !== document.body) return
    for (const selector of [selectors].flat()) {
      const found = area?.querySelector<HTMLElement>(selector)
      if (found) return found.focus()
    }
  })
}
