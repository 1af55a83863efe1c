import type { Random } from './random'

export interface Seat {
  zone: string
  table: string
}

/** A zone and table that fit the party: large ones in the private room, couples at times at the bar. */
export function seatFor(random: Random, partySize: number, walkIn: boolean): Seat {
  const zone = random.weighted([
    ['Sala', 60],
    ['Terraza', 25],
    ['Barra', partySize <= 2 ? (walkIn ? 60 : 12) : 0],
    ['Privado', partySize >= 9 ? 300 : 0],
  ] as const)
  const number = random.int(1, zone === 'Privado' ? 2 : 18)
  const tables = Math.max(1, Math.ceil(partySize / 6))
  const names = Array.from({ length: zone === 'Privado' ? 1 : tables }, (_, i) => `${zone[0]}${number + i}`)
  return { zone, table: names.join('+') }
}
