import { describe, expect, it } from 'vitest'
import { customersExport, customersPage } from '@/lib/customers/filters'
import { lastStep, stepBack, stepOn } from '@/lib/http/cursor-path'
import { inTab } from '@/lib/locations/location-cookie'

const HERE = '6f1c2f0e-0c5b-4f5e-9d3a-1b2c3d4e5f60'
const THERE = '0a1b2c3d-4e5f-4a6b-8c7d-9e8f7a6b5c4d'

describe('the location of a tab in the addresses of its links', () => {
  it.each([
    ['/', `/?location=${HERE}`],
    ['/customers', `/customers?location=${HERE}`],
    ['/customers?tag=x,y&sort=name', `/customers?tag=x,y&sort=name&location=${HERE}`],
    ['/calendar?view=agenda#d-2026-05-01', `/calendar?view=agenda&location=${HERE}#d-2026-05-01`],
    ['/calendar#d-1', `/calendar?location=${HERE}#d-1`],
    [`/reservations?location=${THERE}`, `/reservations?location=${THERE}`],
    ['/reservations?location=all', '/reservations?location=all'],
    [`/customers?tag=x&location_id=${THERE}`, `/customers?tag=x&location=${THERE}`],
    ['https://other.example/', 'https://other.example/'],
    ['#content', '#content'],
  ])('%s becomes %s', (href, expected) => {
    expect(inTab(href, HERE)).toBe(expected)
  })

  it('is left out when there is none, or when it is none', () => {
    expect(inTab('/customers', undefined)).toBe('/customers')
    expect(inTab('/customers', 'x&sort=spend')).toBe('/customers')
    expect(inTab('/customers', 'all')).toBe('/customers?location=all')
  })

  it('is the filter of the page, and the API keeps its own name', () => {
    expect(customersPage.read({ location: HERE })).toMatchObject({ location_id: HERE })
    expect(customersPage.href({ location_id: HERE })).toBe(`/customers?location=${HERE}`)
    expect(customersExport.href({ location_id: HERE })).toBe(`/api/customers/export?location_id=${HERE}`)
  })
})

describe('the way through a list', () => {
  it('leads on and back again, page by page', () => {
    const second = stepOn(undefined, 'b')
    const third = stepOn(second, 'c')
    expect([lastStep(second), lastStep(third)]).toEqual(['b', 'c'])
    expect(stepBack(third)).toBe(second)
    expect(stepBack(second)).toBeUndefined()
  })

  it('forgets its beginning when it is long, and does not take that for the first page', () => {
    let path: string | undefined
    for (let page = 0; page < 40; page++) path = stepOn(path, `page${page}`)
    const kept: string[] = []
    let back: string | undefined | null = path
    while (back) {
      kept.push(lastStep(back))
      back = stepBack(back)
    }
    expect(back).toBeNull()
    expect(kept).toEqual(Array.from({ length: 12 }, (_, index) => `page${39 - index}`))
    // From there it goes on, and still does not know what came before.
    expect(stepBack(stepOn(stepOn('.x', 'y'), 'z'))).toBe('.x.y')
  })

  it('never cuts the cursor of the page itself, however long', () => {
    const long = 'x'.repeat(4000)
    expect(lastStep(stepOn(stepOn('a.b', long), 'c'))).toBe('c')
    expect(lastStep(stepOn('a.b', long))).toBe(long)
    expect(stepBack(stepOn('a.b', long))).toBeNull()
  })
})
