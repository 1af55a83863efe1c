// The app's side: makes a group, learns and scores with the code of the nightly job, and reads duplicates as staff do.
import { createClient } from '@supabase/supabase-js'
import { learnStep, scoreCustomers } from '@/lib/customers/score-customers'
import type { Database } from '@/lib/db/database.types'
import { createGroup, type Person } from '../../../factories/group'
import type { Stack } from '../../../support/stack'
import { answerQuestions } from '../../support/worker'

/** Make a group, score all of its customers, or read its first page of duplicates so many times. */
export type MillionQuestion = { stack: Pick<Stack, 'kind' | 'url' | 'keys'> } & (
  | { ask: 'group' }
  | { ask: 'score'; organization: string }
  | { ask: 'read'; times: number }
)

export interface MillionAnswer {
  organization: string
  learnedMs: number
  scoredMs: number
  /** The longest of all calls of the database, in milliseconds. */
  longestMs: number
  /** How long each read took, in milliseconds. */
  reads: number[]
  /** Groups on the page. */
  groups: number
}

let boss: Person | undefined

answerQuestions(async (question: MillionQuestion): Promise<MillionAnswer> => {
  const answer = {
    organization: '',
    learnedMs: 0,
    scoredMs: 0,
    longestMs: 0,
    reads: [] as number[],
    groups: 0,
  }
  const stack = question.stack as Stack
  if (question.ask === 'group') {
    const group = await createGroup(stack, 'Million')
    boss = await group.person('super_admin')
    return { ...answer, organization: group.id }
  }
  if (question.ask === 'read') {
    for (let time = 0; time < question.times; time++) {
      const begin = performance.now()
      const { data, error } = (await boss?.db.rpc('customer_duplicates', { p_limit: 50 })) ?? {}
      if (error || !data) throw new Error(`Duplicates cannot be read: ${error?.message}`)
      answer.reads.push(performance.now() - begin)
      answer.groups = (data as { groups: unknown[] }).groups.length
    }
    return answer
  }
  const timed: typeof fetch = async (input, init) => {
    const begin = performance.now()
    const response = await fetch(input, init)
    answer.longestMs = Math.max(answer.longestMs, performance.now() - begin)
    return response
  }
  const db = createClient<Database>(stack.url, stack.keys.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: timed },
  })
  const begin = performance.now()
  for (let step: number | null = 0; step !== null; ) step = await learnStep(db, question.organization, step)
  answer.learnedMs = performance.now() - begin
  // A run of the job ends after its budget, and the next one goes on: here the budget is the day's.
  await scoreCustomers({ db, signal: new AbortController().signal }, { budgetMs: 86_400_000 })
  answer.scoredMs = performance.now() - begin - answer.learnedMs
  return answer
})
