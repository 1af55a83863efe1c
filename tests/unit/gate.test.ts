import { describe, expect, it } from 'vitest'
import { createGate, type Gate, type OutboundMessage, type Outcome, sendEach } from '@/lib/messaging/provider'

const ACCEPTED: Outcome = { kind: 'accepted', providerId: 'SM1' }
const REFUSED: Outcome = { kind: 'retryable', reason: 'provider_unreachable' }
const HELD_BACK: Outcome = { kind: 'retryable', reason: 'held_back' }

const groups = (count: number): OutboundMessage[][] =>
  Array.from({ length: count }, (_, index) => [
    { id: `m${index}`, channel: 'sms', recipient: '+34600000000', content: {}, idempotencyKey: `k${index}` },
  ])

/** A provider whose requests end when the test says so. */
function provider() {
  const open: ((outcome: Outcome) => void)[] = []
  return {
    send: () => new Promise<Outcome[]>((resolve) => open.push((outcome) => resolve([outcome]))),
    /** Ends the request that has waited longest, and lets what follows from it happen. */
    answer: async (outcome: Outcome) => {
      open.shift()?.(outcome)
      await new Promise(setImmediate)
    },
    waiting: () => open.length,
  }
}

describe('the gate of a channel', () => {
  it('begins with five requests and widens by one with each success, up to the most', async () => {
    const twilio = provider()
    const sent = sendEach(groups(20), twilio.send, { parallel: 20, gate: createGate(7)() })
    await new Promise(setImmediate)
    expect(twilio.waiting()).toBe(5)
    await twilio.answer(ACCEPTED)
    expect(twilio.waiting()).toBe(6)
    await twilio.answer(ACCEPTED)
    await twilio.answer(ACCEPTED)
    expect(twilio.waiting()).toBe(7)
    while (twilio.waiting() > 0) await twilio.answer(ACCEPTED)
    expect((await sent).flat()).toEqual(Array.from({ length: 20 }, () => ACCEPTED))
  })

  it('holds back every batch under way once one meets trouble, and those claimed before that is recorded', async () => {
    const openGate = createGate(5)
    const twilio = provider()
    const send = (count: number, gate: Gate) =>
      sendEach(groups(count), twilio.send, { parallel: count, gate })
    const gate = openGate()
    const first = send(10, gate)
    const second = send(10, openGate())
    await new Promise(setImmediate)
    expect(twilio.waiting()).toBe(5)
    await twilio.answer(REFUSED)
    expect(twilio.waiting()).toBe(4)
    while (twilio.waiting() > 0) await twilio.answer(ACCEPTED)
    expect((await first).flat().filter(({ kind }) => kind === 'accepted')).toHaveLength(4)
    expect((await second).flat()).toEqual(Array.from({ length: 10 }, () => HELD_BACK))
    expect((await send(2, openGate())).flat()).toEqual([HELD_BACK, HELD_BACK])

    gate.close()
    const later = send(2, openGate())
    await new Promise(setImmediate)
    expect(twilio.waiting()).toBe(2)
    await twilio.answer(ACCEPTED)
    await twilio.answer(ACCEPTED)
    expect((await later).flat()).toEqual([ACCEPTED, ACCEPTED])
  })
})
