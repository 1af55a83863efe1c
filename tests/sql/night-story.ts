import { addDays } from '../fakes/pms/calendar'
import type { Random } from '../fakes/pms/random'
import { instant, minutes, type Zone } from './night-clock'
import { CODES, type Place, type Setup } from './night-rules'

/** A step of a night; `which` counts among what is there when it is taken, so that steps can be left out. */
export type Step =
  | { do: 'wait'; minutes: number }
  | { do: 'sync'; place: Place; answer: 'whole' | 'cut' | 'failed' | 'malformed'; twice: boolean }
  | {
      do: 'pms'
      change: PmsChange
      which: number
      guest: number
      size: number
      slot: Slot
      code: string
      table: string | null
    }
  | {
      do: 'tap'
      device: 0 | 1
      /** Whether the board was read again before, as it is every few seconds. */
      looks: boolean
      which: number
      action: string
      to: string
      table: string | null
      size: number
      confirm: string[]
    }
  | { do: 'undo'; device: 0 | 1; back: number }
  | { do: 'again' | 'yes' | 'offline' | 'online' | 'refresh'; device: 0 | 1 }
  | {
      do: 'book'
      place: Place
      guest: number | null
      size: number
      slot: Slot
      table: string | null
      confirm: string[]
    }
  | {
      do: 'patch'
      which: number
      field: string
      size: number
      slot: Slot
      table: string | null
      code: string
      amount: number | null
      confirm: string[]
    }
  | { do: 'close'; place: Place; shift: string | null; zone: string | null; ahead: number }
  | { do: 'reopen'; place: Place; which: number }
  | { do: 'nightly' }
type PmsChange =
  | 'new'
  | 'move'
  | 'status'
  | 'table'
  | 'size'
  | 'lose'
  | 'back'
  | 'also'
  | 'outage'
  | 'restored'
type Slot = { date: string; time: string }

export interface Story {
  day: string
  begin: number
  setup: Setup
  steps: Step[]
}

const QUESTIONS = [
  'service_over',
  'table_taken',
  'table_too_small',
  'closed',
  'outside_hours',
  'unusual_amount',
]
/** The two nights of the clock changes, the turn of the year, a summer's day, and the last day of a week. */
const DAYS = ['2026-10-24', '2027-03-27', '2026-12-31', '2026-07-10', '2026-10-23', '2026-06-14']
const TIMES = [
  '13:30',
  '14:00',
  '15:00',
  '20:30',
  '21:00',
  '21:30',
  '22:00',
  '23:15',
  '00:30',
  // One hour that the clocks skip in Madrid, one on the Canaries; the last minute of a service.
  '02:30',
  '01:30',
  '05:59',
  '17:00',
]

/** Draws a night: 10 to 25 bookings, and 20 to 60 steps after them. */
export function drawStory(random: Random): Story {
  const { int, pick, chance, weighted } = random
  const day = pick(DAYS)
  const zone: Zone = pick(['Europe/Madrid', 'Atlantic/Canary'] as const)
  const tables = Array.from({ length: int(6, 12) }, (_, n) => ({
    ...{ name: `S${n + 1}`, zone: n % 2 ? 'Sala' : 'Terraza', capacity: chance(0.1) ? null : int(2, 8) },
  }))
  const shifts = [
    { name: 'Comida', opens: '13:00', closes: '16:00' },
    { name: 'Cena', opens: '20:00', closes: '00:45' },
  ]
  const setup: Setup = {
    ...{ zone, tables, average: pick([null, 20, 33.3]), unmarked: chance(0.7) },
    ...{ stays: chance(0.5) ? null : { '3': 60, '8': 100 }, shifts: chance(0.85) ? shifts : [] },
  }
  const table = () => {
    if (chance(0.25)) return null
    // A few are wanted by many.
    const wanted = tables.slice(0, chance(0.7) ? 4 : undefined).map(({ name }) => name)
    const one = pick(wanted)
    const other = pick(wanted)
    return chance(0.15) && one !== other ? `${one}+${other}` : one
  }
  const slot = (): Slot => {
    const time = pick(TIMES)
    const service = addDays(
      day,
      weighted([
        [0, 16],
        [1, 2],
        [-1, 2],
        [2, 1],
        [5, 1],
      ] as const),
    )
    return { time, date: time < '06:00' ? addDays(service, 1) : service }
  }
  const size = () => int(1, 8)
  const code = () => (chance(0.5) ? '1' : pick(Object.keys(CODES)))
  const confirm = () => (chance(0.3) ? QUESTIONS : chance(0.3) ? [pick(QUESTIONS)] : [])
  const place = (): Place => (chance(0.75) ? 'A' : 'B')
  const device = () => int(0, 1) as 0 | 1
  const which = () => int(0, 99)
  const pms = (change: PmsChange): Step => ({
    ...{
      do: 'pms',
      change,
      which: which(),
      guest: int(0, 7),
      size: size(),
      slot: slot(),
      code: code(),
      table: table(),
    },
  })
  const book = (): Step => ({
    ...{ do: 'book', place: place(), guest: chance(0.5) ? int(0, 7) : null, size: size(), slot: slot() },
    ...{ table: table(), confirm: chance(0.5) ? QUESTIONS : confirm() },
  })
  const sync = (): Step => ({
    ...{ do: 'sync', place: place(), twice: chance(0.2) },
    answer: weighted([
      ['whole', 7],
      ['malformed', 1],
      ['cut', 1],
      ['failed', 1],
    ] as const),
  })
  const kinds: (readonly [() => Step, number])[] = [
    [() => ({ do: 'wait', minutes: pick([1, 5, 12, 30, 60, 90, 240]) }), 18],
    [sync, 14],
    [
      () => pms(pick(['new', 'move', 'move', 'status', 'status', 'table', 'size', 'lose', 'back', 'also'])),
      14,
    ],
    [() => pms(pick(['outage', 'restored'])), 2],
    [
      () => ({
        ...{
          do: 'tap',
          device: device(),
          looks: chance(0.7),
          which: which(),
          to: pick(['expected', 'arrived', 'seated']),
        },
        action: pick([
          'arrive',
          'seat',
          'seat',
          'seat',
          'assign',
          'no_show',
          'cancel',
          'finish',
          'set_back',
          'walk_in',
          'join',
          'join',
        ]),
        ...{ table: table(), size: size(), confirm: confirm() },
      }),
      26,
    ],
    [() => ({ do: 'undo', device: device(), back: int(0, 2) }), 5],
    [() => ({ do: pick(['again', 'yes', 'offline', 'online', 'refresh'] as const), device: device() }), 14],
    [book, 3],
    [
      () => ({
        ...{ do: 'patch', which: which(), field: pick(['size', 'slot', 'table', 'status', 'amount']) },
        ...{ size: size(), slot: slot(), table: table(), code: code(), confirm: confirm() },
        amount: chance(0.2) ? null : chance(0.2) ? int(1000, 3000) : int(0, 30_000) / 100,
      }),
      8,
    ],
    [
      () => ({
        ...{ do: 'close', place: place(), shift: shifts === setup.shifts && chance(0.5) ? 'Cena' : null },
        ...{ zone: chance(0.5) ? 'Sala' : null, ahead: int(0, 1) },
      }),
      2,
    ],
    [() => ({ do: 'reopen', place: place(), which: which() }), 1],
    [() => ({ do: 'nightly' }), 1],
  ]
  const first = Array.from({ length: int(10, 25) }, () => (chance(0.75) ? pms('new') : book()))
  const began: Step[] = (['A', 'B'] as const).map((at) => ({
    do: 'sync',
    place: at,
    answer: 'whole',
    twice: false,
  }))
  const rest = Array.from({ length: int(20, 60) }, () => weighted(kinds)())
  // A third begins late, so that the clocks change, or the service ends, while staff work.
  const hour = chance(0.35) ? int(11, 17) : int(0, 10)
  const begin = (instant(day, '11:00', zone) ?? 0) + minutes(60 * hour)
  return { day, begin, setup, steps: [...first, ...began, ...rest] }
}
