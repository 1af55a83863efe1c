import { type BoardParty, clockAt, formerState, isExpected, isThere } from '@/components/service/board-model'
import { isFree, tableStates } from '@/components/service/table-states'
import { joinTap, separateTap } from '@/components/service/table-taps'
import { targetOf } from '@/components/service/use-service'
import { type Confirmed, confirmed } from '@/lib/reservations/questions'
import type { Random } from '../fakes/pms/random'
import type { Device } from './device'

type Undo = (confirm?: Confirmed[]) => void
const MOVES = [
  ['arrive', 20],
  ['seat', 26],
  ['assign', 9],
  ['change', 12],
  ['no_show', 3],
  ['cancel', 3],
  ['finish', 20],
  ['set_back', 5],
  ['walk_in', 12],
  ['join', 7],
  ['undo', 10],
  ['answer', 14],
] as const
type Move = (typeof MOVES)[number][0]

/** Someone at a device: looks at its board and taps, as the board's buttons allow. */
export class Staff {
  private readonly undos: Undo[] = []
  private walkIns = 0

  constructor(
    private readonly device: Device,
    private readonly random: Random,
  ) {}

  /** The next tap; the first that is possible of a few drawn. */
  move(): void {
    this.device.act(() => {
      for (let attempt = 0; attempt < 5; attempt++) if (this.take(this.random.weighted(MOVES))) return
    })
  }

  private take(move: Move): boolean {
    const { board } = this.device
    if (move === 'walk_in') return this.walkIn()
    if (move === 'answer') return this.answer()
    if (move === 'undo') {
      const undo = this.undos.splice(-1 - this.random.int(0, 1), 1)[0]
      undo?.(this.random.chance(0.3) ? ['table_taken', 'table_too_small'] : undefined)
      return undo !== undefined
    }
    const party = this.partyFor(move)
    if (!party) return false
    const seen = { ...targetOf(party), seen: party.status }
    const undoOf = {
      arrive: () => board.tap({ action: 'arrive', ...seen }, party),
      no_show: () => board.tap({ action: 'no_show', ...seen }, party),
      cancel: () => board.tap({ action: 'cancel', ...seen }, party),
      finish: () => board.tap({ action: 'finish', ...seen }, party),
      set_back: () => board.tap({ action: 'set_back', ...seen, to: formerState(party) ?? 'expected' }, party),
      seat: () => {
        const own = party.table_name !== null && this.random.chance(0.5)
        const table = own ? {} : this.table(party.party_size, party)
        return board.tap({ action: 'seat', ...seen, ...table }, party)
      },
      assign: () => {
        const none = party.table_name !== null && this.random.chance(0.2)
        const table = none ? { tables: [] } : this.table(party.party_size, party)
        return board.tap({ action: 'assign', ...seen, ...table }, party)
      },
      change: () => board.tap({ action: 'change', ...seen, ...this.change(party) }, party),
      join: () => this.join(party),
    }[move]
    this.undos.push(undoOf())
    if (this.undos.length > 4) this.undos.shift()
    return true
  }

  private partyFor(move: Move): BoardParty | undefined {
    const fits: Partial<Record<Move, (party: BoardParty) => boolean>> = {
      arrive: (party) => isExpected(party) && party.arrived_at === null,
      finish: ({ status }) => status === 'seated',
      assign: isThere,
      change: isThere,
      join: isThere,
      set_back: (party) => formerState(party) !== null && party.status !== 'seated',
    }
    const { parties } = this.device.board.service
    // By name: ids are drawn by the database.
    const all = parties.filter(fits[move] ?? isExpected).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    return all.length === 0 ? undefined : this.random.pick(all)
  }

  /** Sits the party together with another one, or on its own when it is with others. */
  private join(party: BoardParty): Undo {
    const { service, tap } = this.device.board
    const others = service.parties.filter((each) => each !== party && isThere(each))
    const isAlone = others.length === 0 || (party.joined_to !== null && this.random.chance(0.6))
    return tap(...(isAlone ? separateTap(party) : joinTap(party, this.random.pick(others), service)))
  }

  private change(party: BoardParty) {
    const { random } = this
    const [hour = 20, minute = 0] = party.time.split(':').map(Number)
    const later = Math.min(hour * 60 + minute + random.int(-2, 3) * 15, 23 * 60 + 45)
    return random.weighted([
      [{ party_size: random.int(1, 7) }, 4],
      [{ late_minutes: random.pick([10, 15, 20, 30, null]) }, 3],
      [{ notes: random.pick(['Trona', 'Con perro', 'Mesa tranquila', null]), was: party.notes }, 3],
      [{ time: `${Math.floor(later / 60)}:${String(later % 60).padStart(2, '0')}` }, 2],
    ] as const)
  }

  /** A table of the picker: commonly a free one; at another one the person may say yes at once to what it shows. */
  private table(size: number, party?: BoardParty): { tables: string[]; confirm?: Confirmed[] } {
    const { service } = this.device.board
    const clock = clockAt(new Date(), service.location.timezone)
    const states = tableStates(service, clock, size, { moved: party ? [party] : [] })
    const free = states.filter(isFree)
    if (free.length > 0 && this.random.chance(0.7))
      return { tables: this.random.pick(free.slice(0, 3)).names }
    const chosen = [this.random.pick(states), ...(this.random.chance(0.15) ? [this.random.pick(states)] : [])]
    const says = this.random.chance(0.25)
    const asked = [
      ...(chosen.some(({ clashes }) => clashes.length > 0) ? [confirmed('TABLE_TAKEN')] : []),
      ...(chosen.some(({ small }) => small) ? [confirmed('TABLE_TOO_SMALL')] : []),
    ]
    const tables = [...new Set(chosen.map(({ name }) => name))]
    return { tables, ...(says && asked.length > 0 ? { confirm: asked } : {}) }
  }

  private walkIn(): boolean {
    const { device, random } = this
    const party_size = random.int(1, 6)
    const customer_name = `De paso ${device.name}.${++this.walkIns}`
    const table = random.chance(0.85) ? this.table(party_size) : {}
    this.undos.push(device.board.tap({ action: 'walk_in', party_size, customer_name, ...table }, null))
    return true
  }

  /** What the server refused: taken again with yes, or put away. */
  private answer(): boolean {
    const { refused, takeAgain, forget } = this.device.board
    const [one] = refused
    if (!one) return false
    if (one.questions && this.random.chance(0.4)) takeAgain(one)
    else forget(one)
    return true
  }
}

const nameOf = ({ name, time }: BoardParty) => `${name} ${time}`
