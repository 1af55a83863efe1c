import { setTimeout as wait } from 'node:timers/promises'
import type { Service } from '@/lib/service/schema'
import { createRandom, type Random } from '../fakes/pms/random'
import type { Stack } from '../support/stack'
import { processorSeconds } from './cost'
import { delaysOf } from './delays'
import { bookAtDesk } from './desk'
import { type Ask, Device, type Fate } from './device'
import { type House, openHouse } from './house'
import { openSession } from './http'
import { Staff } from './staff'
import { type Desk, judge, type Verdict } from './verdict'
import { readWitness, startWitness, stateOf } from './witness'

export interface Night {
  devices: number
  minutes: number
  seed: string
}

/** What a night came to. */
export interface Outcome extends Verdict {
  /** Milliseconds from a change to a device that is connected, in order. */
  delays: number[]
  lost: Record<string, number>
  /** Milliseconds of each answer, in order. */
  waits: number[]
  bytes: number
  /** Seconds of processor by program. */
  processor: [program: string, seconds: number][]
}

const OFFLINE_SHARE = 0.2
const OFFLINE_SECONDS = 60
/** Between two taps at a device, on average. */
const TAP_SECONDS = 15
const FATES: readonly (readonly [Fate, number])[] = [
  ['passes', 92],
  ['request_lost', 2],
  ['answer_lost', 3],
  ['given_up', 3],
]

/** Plays a night by the clock: staff tap, connections go and come, and the desk books. */
export async function playNight(stack: Stack, url: string, night: Night): Promise<Outcome> {
  const random = createRandom(night.seed)
  const people = Math.ceil(night.devices * 0.8)
  const house = await openHouse(stack, random, { tables: 40, bookings: 100, people })
  await startWitness(stack.sql, house.day)
  const path = `/api/service?location_id=${house.location}`
  const read = async (ask: Ask): Promise<Service> => JSON.parse((await ask('GET', path)).text).data
  const flags = { isOver: false }
  const devices: Device[] = []
  const asking: Ask[] = []
  for (let nth = 0; nth < night.devices; nth++) {
    const person = house.people[nth % people] as House['people'][number]
    const own = createRandom(`${night.seed}:fate:${nth}`)
    const ask = await openSession(url, person.email)
    asking.push(ask)
    const fate = () => (flags.isOver ? 'passes' : own.weighted(FATES))
    devices.push(new Device({ name: `D${nth + 1}`, person: person.id, ask, fate, timed: true }))
  }
  for (const [nth, device] of devices.entries()) await device.open(await read(asking[nth] as Ask))
  await Promise.all(devices.map((device) => device.settled()))

  const desk: Desk = new Map()
  const before = processorSeconds()
  const counted = devices.map(({ waits, bytes }) => ({ requests: waits.length, bytes }))
  const ends = Date.now() + night.minutes * 60_000
  const atDesk = createRandom(`${night.seed}:desk`)
  const deskAsk = asking[2] ?? (asking[0] as Ask)
  await Promise.all([
    ...devices.map((device, nth) => work(device, createRandom(`${night.seed}:${nth}`), ends)),
    comeAndGo(devices, random, ends),
    every(20_000, ends, () => bookAtDesk(deskAsk, house, desk, atDesk)),
    every(60_000, ends, async () => {
      const taps = devices.reduce((sum, each) => sum + each.taps.size, 0)
      const away = devices.filter(({ isOnline }) => !isOnline).length
      console.log(
        `${Math.max(0, Math.round((ends - Date.now()) / 60_000))} min left: ${taps} taps, ${away} devices offline`,
      )
    }),
  ])
  const after = processorSeconds()
  const waits = devices.flatMap((each, nth) => each.waits.slice(counted[nth]?.requests))
  const bytes = devices.reduce((sum, each, nth) => sum + each.bytes - (counted[nth]?.bytes ?? 0), 0)

  flags.isOver = true
  const until = Date.now()
  for (const device of devices) if (!device.isOnline) device.goOnline()
  for (let turn = 0; turn < 3; turn++) {
    await Promise.all(devices.map((device) => device.settled()))
    for (const device of devices) device.look()
  }
  await Promise.all(devices.map((device) => device.settled()))
  const changes = await readWitness(stack.sql)
  const verdict = judge(house, devices, desk, changes)
  const delays = delaysOf(devices, changes, until)
  const truth = JSON.stringify((await read(deskAsk)).parties.map(stateOf))
  for (const { name, board } of devices)
    if (JSON.stringify(board.service.parties.map(stateOf)) !== truth)
      verdict.violations.push(`${name} shows another board than the server`)
  for (const device of devices) await device.end()
  return {
    ...verdict,
    violations: [...verdict.violations, ...delays.late],
    delays: delays.all,
    lost: sums(devices.map(({ lost }) => lost)),
    waits: waits.sort((one, other) => one - other),
    bytes,
    processor: [...after].map(([name, seconds]) => [name, seconds - (before.get(name) ?? 0)]),
  }
}

/** A person at a device taps now and then until the end. */
async function work(device: Device, random: Random, ends: number): Promise<void> {
  const staff = new Staff(device, random)
  for (;;) {
    const next = random.int(0.3 * TAP_SECONDS * 1000, 1.7 * TAP_SECONDS * 1000)
    if (Date.now() + next > ends) return void (await wait(Math.max(0, ends - Date.now())))
    await wait(next)
    staff.move()
  }
}

/** Keeps a fifth of the devices out of reach, each for a minute. */
async function comeAndGo(devices: readonly Device[], random: Random, ends: number): Promise<void> {
  const count = Math.round(devices.length * OFFLINE_SHARE)
  const away: Device[] = []
  const leave = () => {
    const device = random.pick(devices.filter(({ isOnline }) => isOnline))
    device.goOffline()
    away.push(device)
  }
  for (let nth = 0; nth < count; nth++) leave()
  await every((OFFLINE_SECONDS * 1000) / Math.max(1, count), ends, async () => {
    leave()
    away.shift()?.goOnline()
  })
}

async function every(ms: number, ends: number, work: () => Promise<void>): Promise<void> {
  while (Date.now() + ms < ends) {
    await wait(ms)
    await work()
  }
}

function sums(all: readonly Record<string, number>[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const each of all)
    for (const [name, count] of Object.entries(each)) total[name] = (total[name] ?? 0) + count
  return total
}
