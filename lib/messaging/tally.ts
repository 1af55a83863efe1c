import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'

const CHUNK = 1000
const rowSchema = z.object({
  automation_id: z.string(),
  run_id: z.string().nullable(),
  sent: z.number(),
  skipped: z.number(),
  failed: z.number(),
})

/** How messages ended; `failed` are also those with an unknown outcome. */
export interface Ends {
  sent: number
  skipped: number
  failed: number
}

/** How those of a call's messages ended that an automation's run had planned; a run may be in it several times. */
export type Tally = z.infer<typeof rowSchema>[]

/** Counts the messages that a drain brings to their end, some thousand at a time, so that few ids are in memory. */
export function createTally(db: Db) {
  const tally: Tally = []
  let waiting: string[] = []

  async function count(): Promise<void> {
    const ids = waiting
    waiting = []
    if (ids.length === 0) return
    tally.push(...z.array(rowSchema).parse(unwrap(await db.rpc('tally_messages', { p_ids: ids }))))
  }

  return {
    /** Notes messages that have just ended. */
    note: async (ids: readonly string[]): Promise<void> => {
      waiting.push(...ids)
      if (waiting.length >= CHUNK) await count()
    },
    /** Everything noted so far. */
    total: async (): Promise<Tally> => {
      await count()
      return tally
    },
  }
}

/** The sum of a tally's rows, or of any other counts. */
export function sumOf(counts: readonly Ends[]): Ends {
  const sum = (field: keyof Ends) => counts.reduce((total, one) => total + one[field], 0)
  return { sent: sum('sent'), skipped: sum('skipped'), failed: sum('failed') }
}
