// The app's side: makes a group, runs the nightly job, and reads filtered lists as staff do.
import { createClient } from '@supabase/supabase-js'
import type { Database } from '@/lib/db/database.types'
import { fitRhythms } from '@/lib/rhythm/nightly'
import { RHYTHM_STATES } from '@/lib/rhythm/states'
import { createGroup, type Person } from '../../factories/group'
import type { Stack } from '../../support/stack'
import { answerQuestions } from '../support/worker'

/** Make a group, run its nightly job, or read the first page and the count of its list by each state. */
export type RhythmQuestion = { stack: Pick<Stack, 'kind' | 'url' | 'keys'>; ask: 'group' | 'night' | 'lists' }

export interface RhythmAnswer {
  organization: string
  location: string
  /** How long each call of the database took, in milliseconds, by its name. */
  calls: { name: string; milliseconds: number }[]
  milliseconds: number
}

let boss: Person | undefined

answerQuestions(async (question: RhythmQuestion): Promise<RhythmAnswer> => {
  const answer: RhythmAnswer = { organization: '', location: '', calls: [], milliseconds: 0 }
  const stack = question.stack as Stack
  if (question.ask === 'group') {
    const group = await createGroup(stack, 'Million', [{ name: 'Norte', slug: 'norte' }])
    boss = await group.person('super_admin')
    return { ...answer, organization: group.id, location: group.locations[0]?.id ?? '' }
  }
  if (question.ask === 'lists') {
    for (const rhythm of RHYTHM_STATES)
      for (const name of ['list_customers', 'count_customers'] as const) {
        const begin = performance.now()
        await boss?.db.rpc(name, { p_filters: { rhythm } }).throwOnError()
        answer.calls.push({ name: `${name}, ${rhythm}`, milliseconds: performance.now() - begin })
      }
    return answer
  }
  const timed: typeof fetch = async (input, init) => {
    const begin = performance.now()
    const response = await fetch(input, init)
    const name = new URL(String(input)).pathname.split('/').at(-1) ?? ''
    answer.calls.push({ name, milliseconds: performance.now() - begin })
    return response
  }
  const db = createClient<Database>(stack.url, stack.keys.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: timed },
  })
  const begin = performance.now()
  // A run of the job ends after its budget, and the next one continues: here one run does everything.
  const context = { db, now: new Date(), signal: new AbortController().signal }
  await fitRhythms(context, { budgetMs: 86_400_000 })
  return { ...answer, milliseconds: performance.now() - begin }
})
