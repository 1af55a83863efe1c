'use client'
import { IconToolsKitchen2 } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { Fragment, useEffect, useState } from 'react'
import { ClosingsBanner } from '@/components/closings/closings-banner'
import { useReopened } from '@/components/forms/draft-owner'
import { type Done, UndoNotice } from '@/components/reservations/undo-notice'
import { EmptyState } from '@/components/ui/empty-state'
import { Freshness } from '@/components/ui/freshness'
import { useClock } from '@/components/ui/use-clock'
import { type Confirmed, confirmed } from '@/lib/reservations/questions'
import type { Place, Service } from '@/lib/service/schema'
import classes from './board.module.css'
import { BoardBar } from './board-bar'
import {
  type BoardParty,
  clockAt,
  coversOf,
  GROUPS,
  type Group,
  groupParties,
  placeName,
  shiftAt,
  sitsWith,
} from './board-model'
import { Dock } from './dock'
import { PartyGroup } from './party-group'
import { PartyRow, type RowTap } from './party-row'
import type { PartyChange } from './party-sheet'
import { ALL_SHIFTS } from './shift-tabs'
import { isForgotten, minutesSeated } from './table-model'
import { finishTaps, isReady, type PartyTap, seatedWith, seatTaps, withOthers } from './together'
import { usePlaces } from './use-places'
import { isUnreachable, targetOf, useService } from './use-service'
import { WaitingList } from './waiting-list'

interface BoardProps {
  initial: Service
  person: string
  /** The path of guests' cards: floor staff have one of their own, outside the customers. */
  cards: '/customers' | '/service/guests'
  /** For a list that this device kept: how far the server's clock was ahead of its own, in milliseconds. */
  keptAhead?: number
}

/** Tonight's parties of one location, grouped by their next step. Every tap is one step of the service. */
export function Board({ initial, person, cards, keptAhead }: BoardProps) {
  const t = useTranslations('client.service')
  const now = useClock(new Date(initial.at))
  const {
    service,
    list: read,
    readAt,
    waiting,
    failure,
    ...taps
  } = useService(initial, person, {
    keptAhead,
  })
  const { refused, takeAgain, forget, tap, tapWaiting, refresh } = taps
  const [chosen, setChosen] = useState<string | null>(null)
  const [search, setSearch] = useState('')
  const [done, setDone] = useState<Done | null>(null)
  const [picking, setPicking] = useState<{ party: BoardParty; purpose: 'seat' | 'assign' } | null>(null)
  const [walkIn, setWalkIn] = useState(false)
  const [joining, setJoining] = useState(false)
  const [open, setOpen] = useState<string | null>(null)
  /** Who shall sit together with another party. */
  const [joined, setJoined] = useState<string | null>(null)
  const [forms, setForms] = useState<Forms | null>(null)
  const load = () => void (forms ?? loadForms().then(setForms))
  useEffect(() => void loadForms().then(setForms), [])
  const waitlistDraft = `waitlist:${service.location.id}:new`
  useReopened(waitlistDraft, () => setJoining(true))
  const { timezone } = service.location
  const clock = clockAt(now, timezone)
  const known = chosen === ALL_SHIFTS || service.shifts.some(({ id }) => id === chosen)
  const shift = known ? chosen : shiftAt(service, clock)
  // Until the search has loaded, the list stays as it is.
  const found = forms && search.trim() ? forms.findParties(service.parties, search) : null
  const waits = found && forms?.findParties(service.waiting, search)
  const groups = groupParties(service, { shift: shift === ALL_SHIFTS ? null : shift, clock, found })
  const { shown, list } = usePlaces(groups, service.parties, `${chosen} ${search}`)
  const next = search ? undefined : groups.expected.find(({ arrived_at }) => arrived_at === null)
  const nameOf = ({ name }: BoardParty) => name ?? t('noName')

  const group = (party: BoardParty) => withOthers(party, service)
  const namesOf = (parties: readonly BoardParty[]) => parties.map(nameOf).join(' + ')

  function act(what: RowTap, party: BoardParty, byKeyboard: boolean) {
    const undo = tap({ ...what, ...targetOf(party), seen: party.status }, party)
    const key = what.action === 'set_back' ? (`back.${what.to}` as const) : what.action
    confirm(t(`done.${key}`, { name: nameOf(party) }), undo, byKeyboard)
  }

  function change(party: BoardParty, changes: readonly PartyChange[]) {
    const seen = { ...targetOf(party), seen: party.status }
    const undos = changes.map((each) => tap({ action: 'change', ...seen, ...each }, party))
    confirm(t('done.change', { name: nameOf(party) }), () => {
      for (const undo of undos.toReversed()) undo()
    })
  }

  /** Takes several taps as one: undo takes all back, with yes to what it would be asked. */
  function tapAll(taps: readonly PartyTap[], text: string, byKeyboard = false, said?: Confirmed[]) {
    const undos = taps.map(([what, party]) => tap(what, party))
    const undo = () => {
      for (const each of undos.toReversed()) each(said)
    }
    confirm(text, undo, byKeyboard)
  }

  function finish(parties: readonly BoardParty[], byKeyboard: boolean) {
    const text = t('done.finishAll', { count: parties.length })
    // Two of them may have had one table: both come back to it.
    tapAll(finishTaps(parties), text, byKeyboard, [confirmed('TABLE_TAKEN'), confirmed('TABLE_TOO_SMALL')])
  }

  /** Who sits together and is at the door sits down together. */
  function seat(party: BoardParty, place: Place = {}, said?: Confirmed[], byKeyboard = false) {
    setPicking(null)
    const parties = seatedWith(party, service)
    const taps = seatTaps(parties, place, said)
    // Without a chosen table each sits at its own.
    const isOne = parties.every(({ table_name }) => table_name === party.table_name)
    const table = placeName(place) ?? (isOne ? party.table_name : null)
    const name = namesOf(parties)
    const text = table ? t('done.seat', { name, table }) : t('done.seated', { name })
    tapAll(taps, text, byKeyboard, BACK)
  }

  /** Changes the table and nothing else: who has not come is not seated, who sits has sat since the same time. */
  function assign(party: BoardParty, place: Place = { tables: [] }, said?: Confirmed[]) {
    setPicking(null)
    const table = placeName(place)
    const taps = forms?.assignTaps(group(party), place, said) ?? []
    if (taps.length === 0) return
    const name = namesOf(taps.map(([, each]) => each))
    const text = table ? t('done.assign', { name, table }) : t('done.unassign', { name })
    tapAll(taps, text, false, BACK)
  }

  function pick(party: BoardParty, purpose: 'seat' | 'assign') {
    setPicking({ party, purpose })
    load()
  }

  const toSeat = (party: BoardParty, byKeyboard = false) =>
    isReady(seatedWith(party, service), service)
      ? seat(party, undefined, undefined, byKeyboard)
      : pick(party, 'seat')

  function confirm(text: string, undo: () => void, byKeyboard = false) {
    setDone({
      text,
      byKeyboard,
      undo: () => {
        undo()
        setDone(null)
      },
    })
  }

  const forgotten = [...shown.earlier, ...shown.seated].filter((party) =>
    isForgotten(party, service.location, now),
  )
  // One button for all, beside the first of them.
  const offering = shown.earlier.some((party) => forgotten.includes(party)) ? 'earlier' : 'seated'
  const rowsOf = (group: Group) =>
    shown[group].map((party) => (
      <PartyRow
        key={party.id}
        party={party}
        cards={cards}
        together={sitsWith(party, service.parties)}
        group={group}
        clock={clock}
        minutes={party.status === 'seated' ? Math.max(0, minutesSeated(party, service.location, now)) : null}
        forgotten={forgotten.includes(party)}
        onTap={(what, byKeyboard) => act(what, party, byKeyboard)}
        onSeat={(byKeyboard) => toSeat(party, byKeyboard)}
        onTable={() => pick(party, 'assign')}
        onOpen={() => {
          setOpen(party.id)
          load()
        }}
      />
    ))
  const moved = picking
    ? picking.purpose === 'seat'
      ? seatedWith(picking.party, service)
      : group(picking.party)
    : []
  const opened = service.parties.find(({ id }) => id === open)
  const joins = service.parties.find(({ id }) => id === joined)
  function leaveFor(next: () => void) {
    setOpen(null)
    next()
  }
  const isEmpty = !waits?.length && GROUPS.every((group) => shown[group].length === 0)
  const waitingList = (
    <div data-keep>
      <WaitingList
        forms={forms}
        service={service}
        found={waits}
        clock={clock}
        now={now}
        onChanged={refresh}
        onTap={tapWaiting}
        onDone={(text, undo) => (undo ? confirm(text, undo) : setDone({ text }))}
      />
    </div>
  )
  return (
    <div className={classes.board}>
      <BoardBar
        shifts={service.shifts}
        shown={shift ?? ALL_SHIFTS}
        onChoose={setChosen}
        search={search}
        onSearch={(text) => {
          setSearch(text)
          load()
        }}
        next={next}
        onWait={() => {
          setJoining(true)
          load()
        }}
        onWalkIn={() => {
          setWalkIn(true)
          load()
        }}
      />
      <ClosingsBanner closings={service.closings} tight />
      <div ref={list} className={classes.list}>
        {GROUPS.map((group) => (
          <Fragment key={group}>
            {group === 'expected' ? waitingList : null}
            {shown[group].length > 0 ? (
              <PartyGroup
                group={group}
                parties={groups[group]}
                shifts={earlierShifts(service, shown.earlier)}
                forgotten={group === offering ? forgotten : []}
                onFinish={finish}
              >
                {rowsOf(group)}
              </PartyGroup>
            ) : null}
          </Fragment>
        ))}
        {search.trim() && !forms ? <p role="status">{t('others.searching')}</p> : null}
        {isEmpty ? (
          <EmptyState
            icon={IconToolsKitchen2}
            title={search ? t('notFound') : t(service.closed ? 'closed' : 'none')}
            text={t(search ? 'notFoundText' : 'noneText')}
          />
        ) : null}
        {forms && found ? (
          <forms.OtherDays search={search} locationId={service.location.id} found={found} />
        ) : null}
      </div>
      {failure !== null ? null : (
        <p className={classes.state}>
          <Freshness at={new Date(readAt)} offline={false} />
        </p>
      )}
      {forms && picking ? (
        <forms.TablePicker
          service={service}
          clock={clock}
          partySize={coversOf(moved)}
          moved={moved}
          purpose={picking.purpose}
          title={t('seatTitle', { name: namesOf(moved), count: coversOf(moved) })}
          onPick={(place, said) => (picking.purpose === 'seat' ? seat : assign)(picking.party, place, said)}
          onClose={() => setPicking(null)}
        />
      ) : null}
      {forms && opened ? (
        <forms.PartySheet
          key={opened.id}
          party={opened}
          cards={cards}
          readAt={readAt}
          onChange={(changes) => change(opened, changes)}
          onTable={() => leaveFor(() => pick(opened, 'assign'))}
          onSeat={() => leaveFor(() => toSeat(opened))}
          together={sitsWith(opened, service.parties)}
          onJoin={() => leaveFor(() => setJoined(opened.id))}
          onSeparate={(byKeyboard) =>
            leaveFor(() => {
              const text = t('done.separate', { name: nameOf(opened) })
              tapAll([forms.separateTap(opened)], text, byKeyboard)
            })
          }
          onCancel={() => leaveFor(() => act({ action: 'cancel' }, opened, false))}
          onClose={() => setOpen(null)}
        />
      ) : null}
      {forms && joins ? (
        <forms.JoinParty
          party={joins}
          parties={service.parties}
          onJoin={(other, byKeyboard) => {
            setJoined(null)
            const text = t('done.join', { name: namesOf([...group(joins), ...group(other)]) })
            tapAll([forms.joinTap(joins, other, service)], text, byKeyboard)
          }}
          onClose={() => setJoined(null)}
        />
      ) : null}
      {forms && walkIn ? (
        <forms.WalkIn
          service={service}
          clock={clock}
          onSeat={(party) => {
            const undo = tap({ action: 'walk_in', ...party }, null)
            setWalkIn(false)
            confirm(t('done.walk_in', { count: party.party_size }), undo)
          }}
          onClose={() => setWalkIn(false)}
        />
      ) : null}
      {joining && forms ? (
        <forms.JoinWaitlist
          draftName={waitlistDraft}
          service={service}
          clock={clock}
          offline={isUnreachable(failure)}
          onTap={tapWaiting}
          onJoined={(text) => {
            setJoining(false)
            setDone({ text })
            refresh()
          }}
          onClose={() => setJoining(false)}
        />
      ) : null}
      <Dock
        {...{ refused, readAt, failure, waiting }}
        engaged={search !== '' || done !== null}
        keeps={{ person, cards, list: read, fromDevice: keptAhead !== undefined }}
        onAgain={takeAgain}
        onForget={forget}
      >
        <UndoNotice done={done} onGone={() => setDone(null)} />
      </Dock>
    </div>
  )
}

/** Who comes back to the table they had is not asked whether it is closed. */
const BACK = [confirmed('CLOSED')]

type Forms = typeof import('./board-forms')

/** What opens above the list loads after it; null without a connection. */
const loadForms = () => import('./board-forms').catch(() => null)

/** The names of the shifts since which some parties sit. */
const earlierShifts = ({ shifts }: Service, parties: readonly BoardParty[]): string =>
  shifts
    .filter(({ id }) => parties.some(({ shift_id }) => shift_id === id))
    .map(({ name }) => name)
    .join(', ')
