import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY, type Guest, guestOf, type Trial } from './past-and-future'

// As in the papers: 39 weeks to learn from, 39 to predict.
const TODAY = Date.UTC(1997, 8, 30) / DAY
const HOLD_OUT = 273

/**
 * Purchases of CDs by the customers who first bought in the first quarter of 1997 (Fader and Hardie): all 23,570, and
 * the sample of 2,357 that the papers use. Leaves out files that the folder does not have.
 */
export function cdnow(folder: string): Trial[] {
  const files = [
    { name: 'CDNOW', file: 'CDNOW_master.txt' },
    { name: 'CDNOW, the sample of the papers', file: 'CDNOW_sample.txt' },
  ]
  return files.flatMap(({ name, file }) => {
    const path = join(folder, file)
    return existsSync(path) ? [{ name, guests: guestsOf(readFileSync(path, 'utf8')), holdOut: HOLD_OUT }] : []
  })
}

function guestsOf(text: string): Guest[] {
  const days = new Map<string, number[]>()
  for (const line of text.split('\n')) {
    // The customer (in one file followed by a second number), then the day.
    const [, customer, year, month, day] = /^\s*(\d+)(?:\s+\d{4})?\s+(\d{4})(\d\d)(\d\d)\s/.exec(line) ?? []
    if (!customer) continue
    const mine = days.get(customer) ?? []
    days.set(customer, mine)
    mine.push(Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY)
  }
  return [...days.values()].flatMap((mine) => guestOf(mine, TODAY, HOLD_OUT, null) ?? [])
}
