import { describe, expect, it } from 'vitest'
import { durationOf, slaOf } from '@/components/tickets/ticket-badges'

const NOW = new Date('2026-11-21T12:00:00Z')
const ticket = (created_at: string, sla_due_at: string, resolved_at: string | null = null) => ({
  created_at,
  sla_due_at,
  resolved_at,
})

describe('how a ticket stands to its deadline', () => {
  it('has time left, calmly until the last quarter of it', () => {
    const calm = slaOf(ticket('2026-11-21T10:00:00Z', '2026-11-21T18:00:00Z'), NOW)
    expect(calm).toEqual({ kind: 'left', minutes: 360, tone: 'neutral' })
    const near = slaOf(ticket('2026-11-21T06:00:00Z', '2026-11-21T14:00:00Z'), NOW)
    expect(near).toEqual({ kind: 'left', minutes: 120, tone: 'amber' })
  })

  it('is overdue from the very instant of the deadline', () => {
    expect(slaOf(ticket('2026-11-21T10:00:00Z', '2026-11-21T12:00:00Z'), NOW)).toMatchObject({
      kind: 'overdue',
      minutes: 0,
    })
    expect(slaOf(ticket('2026-11-20T10:00:00Z', '2026-11-21T10:30:00Z'), NOW)).toEqual({
      kind: 'overdue',
      minutes: 90,
      tone: 'red',
    })
  })

  it('once solved says whether in time, whatever the clock says now', () => {
    const due = '2026-11-20T12:00:00Z'
    expect(slaOf(ticket('2026-11-19T12:00:00Z', due, due), NOW)).toMatchObject({ kind: 'met' })
    expect(slaOf(ticket('2026-11-19T12:00:00Z', due, '2026-11-20T12:00:30Z'), NOW)).toMatchObject({
      kind: 'missed',
      minutes: 1,
    })
  })
})

it('a duration is shown in its two largest units', () => {
  expect(durationOf(0)).toMatchObject({ unit: 'moment' })
  expect(durationOf(59)).toEqual({ unit: 'minutes', days: 0, hours: 0, minutes: 59 })
  expect(durationOf(125)).toEqual({ unit: 'hours', days: 0, hours: 2, minutes: 5 })
  expect(durationOf(1440 * 2 + 61)).toMatchObject({ unit: 'days', days: 2, hours: 1 })
})
