'use client'
import { Button, TextInput } from '@mantine/core'
import { IconPlus, IconSearch, IconToolsKitchen2 } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { Fragment, useState } from 'react'
import { ClosingsBanner } from '@/components/closings/closings-banner'
import { Allergies } from '@/components/customers/allergy-badges'
import { useReopened } from '@/components/forms/draft-owner'
import { type Done, UndoNotice } from '@/components/reservations/undo-notice'
import { EmptyState } from '@/components/ui/empty-state'
import { Freshness } from '@/components/ui/freshness'
import { useClock } from '@/components/ui/use-clock'
import type { Confirmed } from '@/lib/reservations/questions'
import type { Service } from '@/lib/service/schema'
import classes from './board.module.css'
import { allergiesIn, type BoardParty, clockAt, GROUPS, groupParties, isLost, shiftAt } from './board-model'
import { JoinWaitlist } from './join-waitlist'
import { PartyRow } from './party-row'
import { RefusedTaps } from './refused-taps'
import { ALL_SHIFTS, ShiftTabs } from './shift-tabs'
import { tableStates, tablesOf } from './table-model'
import { TablePicker } from './table-picker'
import { targetOf, useService } from './use-service'
import { WaitingList } from './waiting-list'
import { WalkIn } from './walk-in'

interface BoardProps {
  initial: Service
  person: string
  /** The path of guests' cards: floor staff have one of their own, outside the customers. */
  cards: '/customers' | '/service/guests'
}

/** Tonight's parties of one location, grouped by their next step. Every tap is one step of the service. */
export function Board({ initial, person, cards }: BoardProps) {
  const t = useTranslations('client.service')
  const now = useClock(new Date(initial.at))
  const { service, readAt, waiting, offline, refused, takeAgain, forget, tap, refresh } = useService(
    initial,
    person,
  )
  const [chosen, setChosen] = useState<string | null>(null)
  const [search, setSearch] = useState('')
  const [done, setDone] = useState<Done | null>(null)
  const [seating, setSeating] = useState<BoardParty | null>(null)
  const [walkIn, setWalkIn] = useState(false)
  const [joining, setJoining] = useState(false)
  const waitlistDraft = `waitlist:${service.location.id}:new`
  useReopened(waitlistDraft, () => setJoining(true))
  const clock = clockAt(now, service.location.timezone)
  const known = chosen === ALL_SHIFTS || service.shifts.some(({ id }) => id === chosen)
  const shift = known ? chosen : shiftAt(service, clock)
  const groups = groupParties(service, { shift: shift === ALL_SHIFTS ? null : shift, clock, search })
  const next = search ? undefined : groups.expected.find(({ arrived_at }) => arrived_at === null)
  const nameOf = ({ name }: BoardParty) => name ?? t('noName')

  function act(action: 'arrive' | 'no_show' | 'finish', party: BoardParty, byKeyboard: boolean) {
    const undo = tap({ action, ...targetOf(party), seen: party.status }, party)
    confirm(t(`done.${action}`, { name: nameOf(party) }), undo, byKeyboard)
  }

  function seat(party: BoardParty, table?: string, confirmed?: Confirmed[]) {
    const seen = { ...targetOf(party), seen: party.status }
    // A seated party only changes its table: the time since when it sits stays.
    const undo =
      party.status === 'seated'
        ? tap({ action: 'assign', ...seen, table_name: table ?? null, confirm: confirmed }, party)
        : tap({ action: 'seat', ...seen, table_name: table, confirm: confirmed }, party)
    setSeating(null)
    const moved = party.status === 'seated'
    const at = moved ? table : (table ?? party.table_name)
    const name = nameOf(party)
    confirm(
      at ? t('done.seat', { name, table: at }) : t(moved ? 'done.unassign' : 'done.seated', { name }),
      undo,
    )
  }

  /** Whether the party has a table at which no other party sits. */
  function isReady(party: BoardParty): boolean {
    const names = tablesOf(party)
    const states = tableStates(service, clock, party.party_size, { except: party.id })
    return names.length > 0 && !states.some(({ name, party: sits }) => sits !== null && names.includes(name))
  }

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

  const waitingList = (
    <WaitingList
      service={service}
      clock={clock}
      now={now}
      onChanged={refresh}
      onDone={(text, undo) => (undo ? confirm(text, undo) : setDone({ text }))}
    />
  )
  return (
    <div className={classes.board}>
      <div className={classes.bar}>
        <ShiftTabs shifts={service.shifts} shown={shift ?? ALL_SHIFTS} onChoose={setChosen} />
        <p className={classes.state}>
          <Freshness at={new Date(readAt)} offline={offline} />
          <span role="status">{waiting > 0 ? t('waiting', { count: waiting }) : null}</span>
        </p>
        <div className={classes.actions}>
          <Button variant="default" onClick={() => setJoining(true)}>
            {t('wait.open')}
          </Button>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setWalkIn(true)}>
            {t('walkIn')}
          </Button>
        </div>
      </div>
      <TextInput
        type="search"
        className={classes.search}
        aria-label={t('search')}
        placeholder={t('search')}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        leftSection={<IconSearch size={16} aria-hidden />}
      />
      <ClosingsBanner closings={service.closings} tight />
      {next ? (
        <section className={classes.next} aria-label={t('next')}>
          <h2>{t('next')}</h2>
          <p>
            <b>{next.time}</b> {nameOf(next)} · {t('pax', { count: next.party_size })} ·{' '}
            {next.table_name ? t('table', { name: next.table_name }) : t('noTable')}
          </p>
          <Allergies allergies={allergiesIn(next)} />
        </section>
      ) : null}
      <RefusedTaps refused={refused} onAgain={takeAgain} onForget={forget} />
      {GROUPS.every((group) => groups[group].length === 0) ? (
        <>
          {waitingList}
          <EmptyState
            icon={IconToolsKitchen2}
            title={search ? t('notFound') : t(service.closed ? 'closed' : 'none')}
            text={t(search ? 'notFoundText' : 'noneText')}
          />
        </>
      ) : (
        <>
          {GROUPS.map((group) => (
            <Fragment key={group}>
              {group === 'expected' && !search ? waitingList : null}
              {groups[group].length > 0 ? (
                <section className={classes.group} data-group={group} aria-label={t(`groups.${group}`)}>
                  <h2>
                    {t(`groups.${group}`)}{' '}
                    <small className={classes.count}>
                      {t('count', {
                        parties: groups[group].length,
                        covers: groups[group].reduce(
                          (sum, party) => sum + (isLost(party) ? 0 : party.party_size),
                          0,
                        ),
                      })}
                    </small>
                  </h2>
                  <ul>
                    {groups[group].map((party) => (
                      <PartyRow
                        key={party.id}
                        party={party}
                        cards={cards}
                        late={group === 'late'}
                        onAct={(action, byKeyboard) => act(action, party, byKeyboard)}
                        onSeat={() => (isReady(party) ? seat(party) : setSeating(party))}
                        onTable={() => setSeating(party)}
                      />
                    ))}
                  </ul>
                </section>
              ) : null}
            </Fragment>
          ))}
          {/* What was found comes first. */}
          {search ? waitingList : null}
        </>
      )}
      {seating ? (
        <TablePicker
          service={service}
          clock={clock}
          partySize={seating.party_size}
          except={seating.id}
          purpose={seating.status === 'seated' ? 'assign' : 'seat'}
          title={t('seatTitle', { name: nameOf(seating), count: seating.party_size })}
          onPick={(table, confirmed) => seat(seating, table, confirmed)}
          onClose={() => setSeating(null)}
        />
      ) : null}
      {walkIn ? (
        <WalkIn
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
      {joining ? (
        <JoinWaitlist
          draftName={waitlistDraft}
          service={service}
          clock={clock}
          onJoined={(text) => {
            setJoining(false)
            setDone({ text })
            refresh()
          }}
          onClose={() => setJoining(false)}
        />
      ) : null}
      <UndoNotice done={done} onGone={() => setDone(null)} />
    </div>
  )
}
