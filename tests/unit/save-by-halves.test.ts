import { describe, expect, it } from 'vitest'
import { DatabaseError } from '@/lib/db/errors'
import { saveByHalves } from '@/lib/db/save-by-halves'

const timeIsUp = () =>
  new DatabaseError({ code: '57014', message: 'canceling statement due to statement timeout' })
const rows = (count: number) => Array.from({ length: count }, (_, n) => n)
const refused = () => expect.unreachable()

describe('rows that take the database too long', () => {
  /** Saves batches in a database that gets through so many rows in its time; the sizes of all calls, and what it has. */
  async function saveIn(mostRows: number, batches: number[][]) {
    const calls: number[] = []
    const saved: number[] = []
    const budget = { calls: 0 }
    const save = async (batch: number[]) => {
      calls.push(batch.length)
      if (batch.length > mostRows) throw timeIsUp()
      saved.push(...batch)
    }
    let error: unknown = null
    for (const batch of batches)
      await saveByHalves(batch, save, refused, budget).catch((thrown: unknown) => {
        error = thrown
      })
    return { calls, saved, error }
  }

  it('are saved in halves, each once and in order', async () => {
    const { calls, saved, error } = await saveIn(700, [rows(2500)])
    expect(error).toBe(null)
    expect(saved).toEqual(rows(2500))
    expect(calls).toEqual([2500, 1250, 625, 625, 625, 625])
  })

  it('do not make later batches wait for the limit again', async () => {
    const { calls } = await saveIn(700, [rows(1400), rows(1400), rows(100)])
    expect(calls).toEqual([1400, 700, 700, 700, 700, 100])
  })

  it('are given up soon when the database is stuck', async () => {
    const { calls, saved, error } = await saveIn(0, [rows(2500)])
    expect(error).toBeInstanceOf(DatabaseError)
    expect(saved).toEqual([])
    expect(calls).toEqual([2500, 1250, 625, 313, 157])
  })
})
