import { describe, expect, it } from 'vitest'
import { cellKey, cellTexts, readDrafts } from '@/components/loyalty/grid-cells'

const LOCATION = 'a0000000-0000-4000-8000-000000000001'
const PLATA = 'b0000000-0000-4000-8000-000000000001'
const ORO = 'b0000000-0000-4000-8000-000000000002'
const saved = cellTexts([{ location_id: LOCATION, tier_id: PLATA, min_visits: 2, min_spend: 120.5 }], 'es')
const plata = cellKey(LOCATION, PLATA)
const oro = cellKey(LOCATION, ORO)

describe('the grid of rules', () => {
  it('shows what is saved as people write it', () => {
    expect(saved.get(plata)).toEqual({ visits: '2', spend: '120,5' })
  })

  it('finds what differs, however the number is written', () => {
    const same = { visits: ' 2', spend: '120.50' }
    expect(readDrafts(saved, { [plata]: same }, 'es')).toEqual({ changes: [], problems: {} })
    const typed = {
      [plata]: { visits: '3', spend: '' },
      [oro]: { visits: '', spend: '9,99' },
    }
    const read = readDrafts(saved, typed, 'es')
    expect(read.changes).toEqual([
      { location_id: LOCATION, tier_id: PLATA, rule: { min_visits: 3, min_spend: 0 } },
      { location_id: LOCATION, tier_id: ORO, rule: { min_visits: 0, min_spend: 9.99 } },
    ])
  })

  it('takes an emptied cell for no rule, and leaves an empty one alone', () => {
    const empty = { visits: '', spend: ' ' }
    expect(readDrafts(saved, { [plata]: empty, [oro]: empty }, 'es').changes).toEqual([
      { location_id: LOCATION, tier_id: PLATA, rule: null },
    ])
  })

  it.each([
    ['1.5', '10', 'visits'],
    ['-1', '10', 'visits'],
    ['dos', '10', 'visits'],
    ['2000000', '10', 'visits'],
    ['2', '-1', 'spend'],
    ['2', '1.000,505', 'spend'],
    ['2', '1.00.0', 'spend'],
    ['2', '99999999999', 'spend'],
    ['2', 'mil', 'spend'],
  ])('says which field of %s / %s is wrong, and changes nothing', (visits, spend, field) => {
    expect(readDrafts(saved, { [plata]: { visits, spend } }, 'es')).toEqual({
      changes: [],
      problems: { [plata]: field },
    })
  })
})
