import { NOT_PLACED, type OnPlan } from '@/lib/locations/plan'

/** Column and row of the nth table, by zone: windows and walls of an invented restaurant. */
const PLACES: Readonly<Record<string, (n: number) => Partial<OnPlan>>> = {
  /** Rectangles at the windows, round tables in the middle, squares in pairs at the wall. */
  Sala: (n) => {
    const column = n % 6
    if (n < 6) return { plan_x: 1 + column * 4, plan_y: 1, shape: 'rectangle' }
    if (n < 12) return { plan_x: 1 + column * 4, plan_y: column % 2 === 0 ? 5 : 6, shape: 'round' }
    return { plan_x: 1 + column * 4 + (column % 2 === 0 ? 1 : 0), plan_y: 10 }
  },
  /** Three rows of round tables below parasols, every other one set back. */
  Terraza: (n) => ({
    ...{ plan_x: 1 + (n % 6) * 4 + (Math.floor(n / 6) % 2), plan_y: 1 + Math.floor(n / 6) * 4 },
    shape: 'round',
  }),
  /** Stools at both sides of a bar. */
  Barra: (n) => ({
    ...{ plan_x: 1 + (n % 9) * 3, plan_y: n < 9 ? 1 : 5 },
    ...{ shape: 'round', joinable: false },
  }),
  /** Two long tables, which together make one. */
  Privado: (n) => ({ plan_x: 1 + n * 4, plan_y: 1, shape: 'rectangle', turned: true }),
}

/** Where the nth table of a zone stands in the demo, from 0. */
export const demoPlace = (zone: string, n: number): OnPlan => ({ ...NOT_PLACED, ...PLACES[zone]?.(n) })
