import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Service } from '@/lib/service/schema'
import { installBrowser } from '../devices/browser'
import { bookAtDesk } from '../devices/desk'
import { type Ask, Device, type Fate } from '../devices/device'
import { type House, openHouse } from '../devices/house'
import { Staff } from '../devices/staff'
import { type Desk, judge } from '../devices/verdict'
import { readWitness, startWitness, stateOf } from '../devices/witness'
import { createRandom } from '../fakes/pms/random'
import { type Client, startApp, type TestApp } from '../support/app'
import { signedIn } from '../support/sign-in'

// Several devices with the board open in one service, with connections that fail, in steps of a seed. `npm run test:devices`
// plays it by the clock, with thirty devices on the built app.
const STEPS = Number(process.env.DEVICE_STEPS ?? 90)
const SEED = process.env.DEVICE_SEED ?? 'six devices'
const DEVICES = 6
const random = createRandom(SEED)

let app: TestApp
let house: House
let removeBrowser = () => {}
beforeAll(async () => {
  // A stack of its own: the witness is a change of the schema.
  app = await startApp({}, {})
  house = await openHouse(app.stack, random, { tables: 12, bookings: 24, people: 4 })
  await startWitness(app.stack.sql, house.day)
  removeBrowser = installBrowser()
})
afterAll(async () => {
  removeBrowser()
  await app?.close()
})

const asks =
  (client: Client): Ask =>
  async (method, path, body, headers = {}) => {
    const response = await client.request(method, path, { body, headers })
    const text = await response.text()
    return { status: response.status, text, headers: response.headers, bytes: text.length }
  }

const FATES: readonly (readonly [Fate, number])[] = [
  ['passes', 14],
  ['request_lost', 2],
  ['answer_lost', 3],
  ['given_up', 3],
]

it(
  'no table goes twice, no tap is lost or counted twice, and all devices show the same in the end',
  async () => {
    const desk: Desk = new Map()
    let isCalm = false
    const devices: Device[] = []
    const path = `/api/service?location_id=${house.location}`
    const list = async (ask: Ask): Promise<Service> => JSON.parse((await ask('GET', path)).text).data
    const asking: Ask[] = []
    for (let nth = 0; nth < DEVICES; nth++) {
      const person = house.people[nth % house.people.length] as House['people'][number]
      const ask = asks(await signedIn(person))
      asking.push(ask)
      const own = createRandom(`${SEED}:${nth}`)
      const fate = () => (isCalm ? 'passes' : own.weighted(FATES))
      devices.push(new Device({ name: `D${nth + 1}`, person: person.id, ask, fate, timed: false }))
    }
    for (const [nth, device] of devices.entries()) await device.open(await list(asking[nth] as Ask))
    const staff = devices.map((device) => new Staff(device, random))
    const settled = () => Promise.all(devices.map((device) => device.settled()))
    await settled()
    for (let step = 0; step < STEPS; step++) {
      const nth = random.int(0, DEVICES - 1)
      const device = devices[nth] as Device
      const what = random.weighted([
        ['tap', 50],
        ['all_tap', 15],
        ['look', 15],
        ['connection', 12],
        ['reload', 3],
        ['desk', 5],
      ] as const)
      if (what === 'tap') staff[nth]?.move()
      if (what === 'all_tap') for (const each of staff) each.move()
      if (what === 'look') device.look()
      if (what === 'connection' && device.isOnline) device.goOffline()
      else if (what === 'connection') device.goOnline()
      if (what === 'reload' && device.isOnline) await device.reload(await list(asking[nth] as Ask))
      if (what === 'desk') await bookAtDesk(asking[2] as Ask, house, desk, random)
      await settled()
    }
    isCalm = true
    for (let turn = 0; turn < 2; turn++) {
      for (const device of devices) device.isOnline ? device.look() : device.goOnline()
      await settled()
    }
    const { taps, violations } = judge(house, devices, desk, await readWitness(app.stack.sql))
    expect(violations).toEqual([])
    const truth = (await list(asking[0] as Ask)).parties.map(stateOf)
    for (const { name, board } of devices)
      expect({ name, parties: board.service.parties.map(stateOf) }).toEqual({ name, parties: truth })
    // The devices must have met each kind of answer.
    expect(Object.keys(taps)).toEqual(
      expect.arrayContaining(['saved', 'repeated', 'conflict', 'table_taken']),
    )
    for (const device of devices) await device.end()
  },
  60_000 + STEPS * 2000,
)
