import type { Figure } from '../support/figures'
import type { Place } from './place'
import { percentile } from './row'

const IN_FLIGHT = 16
const SECONDS = 10
const NAMES = ['garcía', 'lópez', 'maría', 'javier', 'sánchez', 'carmen', 'pérez', 'ruiz', 'ana', 'antonio']

/** The guests' list with 16 requests in flight. */
export async function busy(place: Place): Promise<Figure[]> {
  const word = (turn: number) => encodeURIComponent(NAMES[turn % NAMES.length] ?? '')
  return [
    await flood(place, 'guests’ list, pages', 40, () => '/customers'),
    await flood(place, 'guests’ list, API answers', 150, () => '/api/customers?limit=50'),
    await flood(
      place,
      'guests’ list, searches',
      80,
      (turn) => `/api/customers?limit=50&search=${word(turn)}`,
    ),
  ]
}

async function flood(
  { ask }: Place,
  name: string,
  least: number,
  path: (turn: number) => string,
): Promise<Figure> {
  const times: number[] = []
  let turn = 0
  let failed = 0
  const begin = performance.now()
  const end = begin + SECONDS * 1000
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (performance.now() < end) {
        const asked = performance.now()
        const { status } = await ask(path(turn++))
        if (status === 200) times.push(performance.now() - asked)
        else failed++
      }
    }),
  )
  const seconds = (performance.now() - begin) / 1000
  const detail = `p95 ${percentile(times, 0.95).toFixed(0)} ms, ${failed} failed`
  return {
    name: `${name}, ${IN_FLIGHT} in flight`,
    measured: failed > 0 ? 0 : times.length / seconds,
    unit: '/s',
    least,
    detail,
  }
}
