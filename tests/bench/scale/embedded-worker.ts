// The embedded stack with a lab's guests, in a process of its own.
import { startEmbedded } from '../../../supabase/local/embedded'
import { serveStack } from '../../../supabase/local/http'
import { generateKeys, type LocalKeys } from '../../../supabase/local/keys'
import { fillLab, type Writer } from '../../lab/fill'
import { makeLabGroup } from '../../lab/group'
import type { LabGroup } from '../../lab/settings'
import { answerQuestions } from '../support/worker'

/** Fill it with so many guests, ten reservations each; or say its memory. */
export type EmbeddedQuestion = { ask: 'fill'; guests: number } | { ask: 'memory' }

export interface EmbeddedAnswer {
  url: string
  keys: LocalKeys
  group: LabGroup
  /** Resident memory now. */
  megabytes: number
}

let answer: Omit<EmbeddedAnswer, 'megabytes'> | undefined

answerQuestions(async (question: EmbeddedQuestion): Promise<EmbeddedAnswer> => {
  if (question.ask === 'fill') answer = await filled(question.guests)
  if (!answer) throw new Error('Fill it first')
  return { ...answer, megabytes: process.memoryUsage().rss / 2 ** 20 }
})

async function filled(guests: number): Promise<Omit<EmbeddedAnswer, 'megabytes'>> {
  const keys = await generateKeys()
  const database = await startEmbedded({}, keys)
  const { url } = await serveStack(database)
  const stack = { kind: 'embedded' as const, url, keys, sql: database.sql, mails: [], close: database.close }
  const group = await makeLabGroup(stack, 5)
  const writer: Writer = {
    query: async <Row>(sql: string, values?: unknown[]) => ({ rows: await database.sql<Row>(sql, values) }),
  }
  await fillLab([writer], group, { guests, reservations: guests * 10, locations: 5, identity: false })
  return { url, keys, group }
}
