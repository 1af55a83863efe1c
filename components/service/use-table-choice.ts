import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Done } from '@/components/reservations/undo-notice'
import { type Confirmed, confirmed } from '@/lib/reservations/questions'
import type { Place } from '@/lib/service/schema'
import { type BoardParty, type BoardService, coversOf, isAtDoor, placeName } from './board-model'
import { placeOf } from './joined-tables'
import { doubtsOf, type TableState, tableStates } from './table-states'
import { assignTaps } from './table-taps'
import { seatedWith, seatTaps, withOthers } from './together'
import type { useService } from './use-service'

/** The party whose table is being chosen. */
export interface Choice {
  party: BoardParty
  /** The party and those who get the table with it. */
  moved: BoardParty[]
  covers: number
  /** Who waits at the door is seated; of the others only the table is planned or changed. */
  purpose: 'seat' | 'assign'
  states: TableState[]
}

interface Given {
  service: BoardService
  /** The current local time; null for another day than today. */
  clock: string | null
  tap: ReturnType<typeof useService>['tap']
  onDone: (done: Done | null) => void
}

/**
 * The choice of a table for a party, the same in every view of the tables: a table that is in doubt asks before its tap is
 * sent, and the last choice can be undone.
 */
export function useTableChoice({ service, clock, tap, onDone }: Given) {
  const t = useTranslations('client.service')
  const [chosen, setChosen] = useState<string | null>(null)
  const [doubtful, setDoubtful] = useState<TableState | null>(null)
  const party = service.parties.find(({ id }) => id === chosen) ?? null
  const choice = party && choiceOf(party)

  function choiceOf(party: BoardParty): Choice {
    const purpose = clock !== null && isAtDoor(party) ? 'seat' : 'assign'
    const moved = purpose === 'seat' ? seatedWith(party, service) : withOthers(party, service)
    const covers = coversOf(moved)
    const states = tableStates(service, clock, covers, { moved, planned: purpose === 'assign' })
    return { party, moved, covers, purpose, states }
  }

  function choose(next: BoardParty | null) {
    setDoubtful(null)
    setChosen(next?.id ?? null)
  }

  /** @param place the tables; absent: those they have, for who is seated, else none */
  function give({ moved, purpose }: Pick<Choice, 'moved' | 'purpose'>, place?: Place, confirm?: Confirmed[]) {
    choose(null)
    const taps =
      purpose === 'seat'
        ? seatTaps(moved, place ?? {}, confirm)
        : assignTaps(moved, place ?? { tables: [] }, confirm)
    if (taps.length === 0) return
    const undos = taps.map(([what, each]) => tap(what, each))
    const name = taps.map(([, each]) => each.name ?? t('noName')).join(' + ')
    const table = placeName(place ?? {}) ?? (purpose === 'seat' ? moved[0]?.table_name : null)
    const text =
      purpose === 'seat'
        ? table
          ? t('done.seat', { name, table })
          : t('done.seated', { name })
        : table
          ? t('done.assign', { name, table })
          : t('done.unassign', { name })
    onDone({
      text,
      undo: () => {
        // Back where they were, also where it is closed.
        for (const undo of undos.toReversed()) undo([confirmed('CLOSED')])
        onDone(null)
      },
    })
  }

  /** Gives a party a table; where that is in doubt, the party is chosen and the person asked. */
  function offer(next: BoardParty, name: string) {
    const its = choiceOf(next)
    const state = its.states.find((each) => each.name === name)
    if (!state || doubtsOf(state, its.moved).length === 0) return give(its, placeOf([name]))
    setChosen(next.id)
    setDoubtful(state)
  }

  return { choice, choose, give, offer, doubtful, setDoubtful }
}
