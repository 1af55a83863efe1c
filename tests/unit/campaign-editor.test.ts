import { describe, expect, it } from 'vitest'
import { leastPoints } from '@/components/campaigns/editor/ab-size'
import { bodyOf, draftOf, messagePaths, newDraft } from '@/components/campaigns/editor/draft'
import { startProblem } from '@/components/campaigns/editor/timing'
import { differenceOf } from '@/lib/automations/difference'
import { exampleCampaign } from '@/lib/campaigns/examples'
import { campaignSchema, newCampaignSchema } from '@/lib/campaigns/schema'
import { createRandom } from '../fakes/pms/random'

const campaign = campaignSchema.parse(exampleCampaign)
const follower = { ...newDraft('').first, key: 1, afterDays: '5' }

describe('the form of a campaign', () => {
  it('begins with a draft that the API takes', () => {
    const body = bodyOf(newDraft('De prueba'), 'es')
    expect(newCampaignSchema.parse(body)).toEqual({ ...body, exclude_recent_days: 7 })
  })

  it('gives back a saved campaign as the API has it', () => {
    const body = newCampaignSchema.parse(bodyOf(draftOf(campaign), 'es'))
    const { name, segment_id, location_ids, starts_local, exclude_recent_days, control_share, ab } = campaign
    const messages = campaign.messages.map(({ id: _, ...message }) => message)
    expect(body).toEqual({
      ...{ name, segment_id, location_ids, starts_local, exclude_recent_days, control_share, ab, messages },
    })
  })

  it('sends a test, follow-ups and a time, each message where its path says', () => {
    const draft = {
      ...newDraft('Con todo'),
      hasTest: true,
      first: { ...newDraft('').first, channel: 'sms' as const, body: 'A' },
      second: { ...newDraft('').first, body: 'B' },
      followUps: [
        { ...follower, body: 'C' },
        { ...follower, key: 2, body: 'D' },
      ],
      when: 'at' as const,
      start: '2026-12-01T11:00',
    }
    const body = bodyOf(draft, 'es')
    expect(newCampaignSchema.safeParse(body).success).toBe(true)
    const at = (path: string) => body.messages[Number(path.split('.')[1])]
    const paths = messagePaths(draft)
    expect(at(paths.first)).toMatchObject({ step: 1, variant: 'a', body: 'A' })
    // A test compares texts: version B goes by the channel of the first message.
    expect(at(paths.second)).toMatchObject({ step: 1, variant: 'b', body: 'B', channel: 'sms' })
    expect(at(paths.followUp(1))).toMatchObject({ step: 3, body: 'D', after_days: 5 })
    expect(at(messagePaths({ hasTest: false }).followUp(0))?.step).toBe(1)
    expect(body).toMatchObject({ starts_local: '2026-12-01T11:00', ab: { test_share: 20, test_hours: 24 } })
  })

  it('sends what is no number as it was typed, for the API to mark it', () => {
    const body = bodyOf({ ...newDraft('x'), excludeDays: 'siete', controlShare: '10,5' }, 'es')
    const { error } = newCampaignSchema.safeParse(body)
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['exclude_recent_days', 'control_share'])
  })
})

describe('the size of a test', () => {
  it('gives a difference that four of five tests show', () => {
    const random = createRandom('size')
    for (const [guests, usual] of [
      [100, 0.05],
      [500, 0.1],
      [2000, 0.05],
    ] as const) {
      const share = usual + (leastPoints(guests, usual) ?? 0) / 100
      const booked = (of: number) =>
        Array.from({ length: guests }, () => random.chance(of)).filter(Boolean).length
      const group = (sum: number) => ({ guests, sum, squares: sum })
      const shown = Array.from({ length: 500 }, () =>
        differenceOf([{ treated: group(booked(share)), control: group(booked(usual)) }]),
      ).filter((found) => found && found.low > 0).length
      expect(shown / 500).toBeGreaterThan(0.75)
      expect(shown / 500).toBeLessThan(0.86)
    }
  })

  it('says when nothing would show', () => {
    expect(leastPoints(0, 0.05)).toBeNull()
    expect(leastPoints(19, 0.05)).toBeNull()
    expect(leastPoints(20, 0.1)).toBeLessThan(90)
    expect(leastPoints(1000, 0.05)).toBeLessThan(leastPoints(100, 0.05) ?? 0)
  })
})

describe('the time of a campaign', () => {
  const zones = ['Europe/Madrid', 'Atlantic/Canary']
  // 10:30 in Madrid, 09:30 in the Canaries.
  const now = new Date('2026-12-01T09:30:00Z')

  it.each([
    ['2026-12-01T09:00', 'past'],
    ['2026-12-01T10:00', 'past_somewhere'],
    ['2026-12-01T10:31', null],
  ])('%s: %s', (start, problem) => {
    expect(startProblem(start, zones, now)).toBe(problem)
  })
})
