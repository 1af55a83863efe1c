import { describe, expect, it } from 'vitest'
import {
  isFree,
  nearestFree,
  nextFree,
  overlapping,
  placeInRows,
  resized,
} from '@/components/locations/floor-plan/placing'
import { tablesOf, zonesOf } from '@/components/locations/floor-plan/plan-tables'
import { newTable, seatsOf, withPlan } from '@/components/locations/table-draft'
import { type Box, boxOf, distance, inPlan, overlap, sizeOf } from '@/components/tables/plan-geometry'
import { NOT_PLACED, PLAN, TABLE_SHAPES } from '@/lib/locations/plan'
import { demoPlace } from '../../scripts/demo/floor-plan'

const box = (x: number, y: number, width = 2, height = 2): Box => ({ x, y, width, height })
const FULL = box(0, 0, PLAN.columns, PLAN.rows)
const at = (place: Box | null) => place && `${place.x},${place.y}`

describe('the size of a table on the plan', () => {
  const size = (capacity: number | null, shape: (typeof TABLE_SHAPES)[number], turned = false) => {
    const { width, height } = sizeOf({ capacity, shape, turned })
    return `${width}x${height}`
  }

  it('follows from its shape and seats', () => {
    expect([1, 4, 5, 8, 9, 999].map((seats) => size(seats, 'round'))).toEqual([
      ...['2x2', '2x2', '3x3', '3x3', '4x4', '4x4'],
    ])
    expect(size(6, 'square', true)).toBe('3x3')
    expect([1, 4, 5, 8, 14, 999].map((seats) => size(seats, 'rectangle'))).toEqual([
      ...['3x2', '3x2', '4x2', '5x2', '8x2', '12x2'],
    ])
    expect(size(8, 'rectangle', true)).toBe('2x5')
    for (const shape of TABLE_SHAPES) expect(size(null, shape)).toBe(size(4, shape))
  })

  it('stays within the plan, whatever it grows to', () => {
    const table = { capacity: 20, shape: 'rectangle' as const, turned: false, plan_x: 39, plan_y: 29 }
    expect(boxOf(table)).toEqual(box(29, 28, 11, 2))
    expect(boxOf({ ...table, turned: true })).toEqual(box(38, 19, 2, 11))
    expect(boxOf({ ...table, plan_x: null, plan_y: null })).toBeNull()
    expect(inPlan(box(-3, -1))).toEqual(box(0, 0))
  })
})

describe('two tables on the plan', () => {
  it('overlap when they share a cell, not when they touch', () => {
    expect(overlap(box(4, 4), box(5, 5))).toBe(true)
    for (const other of [box(6, 4), box(2, 4), box(4, 6), box(4, 2)])
      expect(overlap(box(4, 4), other)).toBe(false)
    expect(overlapping([box(4, 4), box(5, 5), box(8, 8)])).toEqual([true, true, false])
  })

  it('are as far apart as their edges', () => {
    expect(distance(box(0, 0), box(2, 1))).toBe(0)
    expect(distance(box(0, 0), box(5, 0))).toBe(3)
    expect(distance(box(0, 5), box(0, 0, 4, 2))).toBe(3)
    expect(distance(box(0, 0), box(5, 6))).toBe(5)
    expect(distance(box(5, 6), box(0, 0))).toBe(5)
  })
})

describe('a free place', () => {
  it('is within the plan and on no other table', () => {
    expect(isFree(box(0, 0), [box(2, 0)])).toBe(true)
    expect(isFree(box(1, 0), [box(2, 0)])).toBe(false)
    expect(isFree(box(39, 0), [])).toBe(false)
    expect(isFree(box(-1, 0), [])).toBe(false)
    expect(isFree(box(0, 29), [])).toBe(false)
  })

  it('is the nearest one', () => {
    expect(at(nearestFree(box(4, 4), []))).toBe('4,4')
    expect(at(nearestFree(box(4, 5), [box(3, 4, 4, 3)]))).toBe('4,7')
    expect(at(nearestFree(box(0, 0), [box(0, 0, 40, 4)]))).toBe('0,4')
    expect(nearestFree(box(4, 4), [FULL])).toBeNull()
  })

  it('in a direction lies beyond what is in the way', () => {
    expect(at(nextFree(box(4, 4), 1, 0, []))).toBe('5,4')
    expect(at(nextFree(box(4, 4), 1, 0, [box(6, 4)]))).toBe('8,4')
    expect(at(nextFree(box(4, 4), 0, -1, [box(4, 0, 2, 4)]))).toBeNull()
    expect(nextFree(box(38, 4), 1, 0, [])).toBeNull()
  })

  it('of a table with another size is where it stands, or near by', () => {
    expect(at(resized(box(38, 28), box(0, 0, 3, 3), []))).toBe('37,27')
    expect(at(resized(box(4, 4), box(0, 0, 3, 3), [box(6, 4)]))).toBe('3,4')
    expect(resized(box(0, 0), box(0, 0, 3, 3), [box(3, 0, 37, 30), box(0, 2, 3, 28)])).toBeNull()
  })
})

describe('placing all', () => {
  const many = (count: number, width = 2, height = 2) =>
    Array.from({ length: count }, () => ({ width, height }))

  it('fills rows in order, with a cell between tables', () => {
    expect(placeInRows(many(15), []).map(at).slice(0, 3)).toEqual(['0,0', '3,0', '6,0'])
    expect(placeInRows(many(15), []).map(at).slice(-2)).toEqual(['0,3', '3,3'])
    expect(placeInRows(many(1), [box(0, 0)]).map(at)).toEqual(['3,0'])
  })

  it('puts no table on another one, of whatever size, also where room is short', () => {
    const sizes = [...many(40), ...many(20, 3, 3), ...many(6, 12), ...many(10, 2, 8), ...many(80)]
    const taken = [box(10, 10, 5, 5)]
    const places = placeInRows(sizes, taken).filter((place) => place !== null)
    expect(places.length).toBeGreaterThan(100)
    expect(overlapping([...taken, ...places]).some(Boolean)).toBe(false)
    expect(places.every((place) => isFree(place, []))).toBe(true)
  })

  it('places side by side what has no room with a cell between, and leaves what has none', () => {
    const places = placeInRows(many(301), [])
    expect(places.filter(Boolean).length).toBe(300)
    expect(places.at(-1)).toBeNull()
    expect(placeInRows(many(2), [FULL])).toEqual([null, null])
  })
})

describe('the tables of the form', () => {
  const row = (key: number, zone: string, name: string, more = {}) => ({
    key,
    value: { ...newTable(zone, name, '4'), ...more },
  })
  const rows = [row(0, '', 'x'), row(1, ' Sala ', ' 1 ', { plan_x: 3, plan_y: 2 }), row(2, 'Sala', '2')]

  it('stand on the plan of their zone as typed, with those of no zone last', () => {
    expect(zonesOf(rows)).toEqual(['Sala', ''])
    expect(tablesOf(rows, 'Sala', 'es')).toMatchObject([
      { id: 1, name: '1', box: box(3, 2) },
      { id: 2, name: '2', box: null },
    ])
  })

  it('have the seats that are typed, when these are a number', () => {
    const seats = ['', '4', ' 12 ', '0', '1000', 'cuatro'].map((capacity) => seatsOf({ capacity }, 'es'))
    expect(seats).toEqual([null, 4, 12, null, null, null])
  })

  it('stay where they are in a draft that an older version of the app has kept', () => {
    const old = { zone: 'Sala', name: '1 ', capacity: '4', is_active: true } as ReturnType<typeof newTable>
    const place = { plan_x: 3, plan_y: 0, shape: 'round' as const, turned: true, joinable: false }
    const now = { zone: 'Bar', name: '1', capacity: 8, is_active: false, ...place }
    expect(withPlan(old, [now])).toEqual({ ...old, ...place })
    expect(withPlan(old, [{ ...now, name: '2' }])).toEqual({ ...old, ...NOT_PLACED })
    const draft = { ...old, ...NOT_PLACED }
    expect(withPlan(draft, [now])).toEqual(draft)
  })
})

it('the demo has no two tables in one place', () => {
  for (const [zone, count, capacity] of [
    ['Sala', 18, 4],
    ['Terraza', 18, 4],
    ['Barra', 18, 2],
    ['Privado', 2, 14],
  ] as const) {
    const tables = Array.from({ length: count }, (_, n) => ({ capacity, ...demoPlace(zone, n) }))
    const boxes = tables.flatMap((table) => boxOf(table) ?? [])
    expect(boxes.map(at), zone).toEqual(tables.map((table) => `${table.plan_x},${table.plan_y}`))
    expect(overlapping(boxes).some(Boolean), zone).toBe(false)
  }
})
