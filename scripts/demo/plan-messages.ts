import type { AutomationType } from '../../lib/automations/types'
import { share } from './chance'
import { type Booking, type Correspondent, daysAgo } from './correspondents'

const every = (step: number, from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, n) => from + n * step)

/** How many days ago each automation ran. */
export const RUN_DAYS: Record<AutomationType, number[]> = {
  birthday: every(7, 2, 107),
  reengagement: every(28, 5, 89),
  vip_reward: every(30, 45, 105),
  post_visit: every(3, 9, 60),
  no_show: every(3, 8, 62),
  reservation_confirmation: every(3, 10, 61),
}

const REGULAR_VISITS = 9
const INACTIVE_DAYS = 90
const MISSED_VISITS = 4

/** A message: its automation, run, customer and reservation. */
export interface PlannedMessage {
  type: AutomationType
  ago: number
  person: Correspondent
  booking: Booking | null
}

/** The messages to one customer in the last months, by the rules of the automations. */
export function planMessages(person: Correspondent, today: string): PlannedMessage[] {
  const planned: PlannedMessage[] = []
  const add = (type: AutomationType, ago: number | undefined, booking: Booking | null = null) => {
    if (ago !== undefined) planned.push({ type, ago, person, booking })
  }
  const visits = person.reservations.filter(({ visited }) => visited)
  const visitDays = visits.map((visit) => daysAgo(visit.reservation_date, today))
  const chance = (about: string) => share(person.email, about)

  const birthday = person.birth_date ? sinceBirthday(person.birth_date, today) : null
  if (birthday !== null)
    add(
      'birthday',
      RUN_DAYS.birthday.find((ago) => ago >= birthday && ago <= birthday + 7),
    )
  if (person.total_visits >= REGULAR_VISITS) {
    const runs = RUN_DAYS.vip_reward
    add('vip_reward', runs[Math.floor(chance('vip run') * runs.length)])
  } else if (person.total_visits >= MISSED_VISITS && chance('reengagement') < 0.8) {
    const quiet = (ago: number) =>
      visitDays.some((day) => day > ago) && visitDays.every((day) => day < ago || day > ago + INACTIVE_DAYS)
    add('reengagement', RUN_DAYS.reengagement.find(quiet))
  }
  if (chance('post visit') < 0.6) {
    // Not always the last visit, so that the results show guests who came back.
    const runs = RUN_DAYS.post_visit
    const turn = Math.floor(chance('post visit run') * runs.length)
    const run = firstMatch(
      [...runs.slice(turn), ...runs.slice(0, turn)],
      visits,
      today,
      (ago, day) => day > ago && day <= ago + 3,
    )
    add('post_visit', run?.ago, run?.booking)
  }
  const missed = person.reservations.filter(({ status, reservation_date }) => {
    const day = daysAgo(reservation_date, today)
    // Who has come since is not written to.
    return status === 'no_show' && !visitDays.some((visit) => visit <= day && visit > day - 4)
  })
  const after = firstMatch(RUN_DAYS.no_show, missed, today, (ago, day) => day > ago && day <= ago + 3)
  add('no_show', after?.ago, after?.booking)
  if (chance('confirmation') < 0.7) {
    const kept = person.reservations.filter(({ status }) => status !== 'cancelled')
    const days = RUN_DAYS.reservation_confirmation
    const run = firstMatch(days, kept, today, (ago, day) => day < ago && day >= ago - 3)
    add('reservation_confirmation', run?.ago, run?.booking)
  }
  return planned
}

function firstMatch(
  runs: number[],
  bookings: Booking[],
  today: string,
  fits: (ago: number, day: number) => boolean,
) {
  for (const ago of runs) {
    const booking = bookings.find(({ reservation_date }) => fits(ago, daysAgo(reservation_date, today)))
    if (booking) return { ago, booking }
  }
  return undefined
}

function sinceBirthday(birthDate: string, today: string): number {
  const monthAndDay = birthDate.slice(4).replace('02-29', '02-28')
  const since = daysAgo(`${today.slice(0, 4)}${monthAndDay}`, today)
  return since >= 0 ? since : daysAgo(`${Number(today.slice(0, 4)) - 1}${monthAndDay}`, today)
}
