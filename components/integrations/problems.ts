import type { Messages } from 'next-intl'
import { fieldOf } from '@/components/settings/send'
import type { IntegrationType } from '@/lib/integrations/schema'
import { FIELDS, type Field } from './fields'

type Texts = Messages['client']['integrations']
export type FieldProblems = Partial<Record<Field['name'], keyof Texts['problems']>>

/** Which fields an error of the API is about, and the sentence for each; empty when it is about none. */
export function fieldProblems(type: IntegrationType, error: string): FieldProblems {
  const missing = /^config: missing (.+)$/.exec(error)?.[1]?.split(/, | or /) ?? []
  const either = missing.includes('sms_from')
  const problems: FieldProblems = {}
  for (const { name, problem = 'invalid' } of FIELDS[type]) {
    if (missing.includes(name)) problems[name] = either && name.endsWith('_from') ? 'sender' : 'required'
    else if (fieldOf(error) === name) problems[name] = addressProblem(error) ?? problem
  }
  return problems
}

const ADDRESS_PROBLEMS: readonly [RegExp, keyof Texts['problems']][] = [
  [/inside the network/, 'urlInternal'],
  [/loopback/, 'urlLoopback'],
  [/private network/, 'urlPrivate'],
  [/link-local/, 'urlLinkLocal'],
  [/reserved address/, 'urlReserved'],
]

/** The sentence for an address that leads somewhere else than to the internet (lib/outgoing/refusals.ts). */
function addressProblem(error: string): keyof Texts['problems'] | undefined {
  return ADDRESS_PROBLEMS.find(([pattern]) => pattern.test(error))?.[1]
}

const TEST_REASONS: readonly [RegExp, keyof Texts['test']['reasons']][] = [
  [/not configured/, 'notConfigured'],
  [/no active location/, 'noLocation'],
  [/cannot be read/, 'unreadableKey'],
  [/within \d|ended before/, 'timeout'],
  [/not be reached/, 'unreachable'],
  [/slow down/, 'slowDown'],
  [/address (leads|names)/, 'insideAddress'],
  [/accept the key/, 'badKey'],
  [/answered (401|403)/, 'badKey'],
  [/answered 404/, 'notFound'],
  [/answered \d/, 'answeredWithError'],
  [/refused/, 'refused'],
  [/JSON|something else/, 'unreadable'],
  [/https/, 'badAddress'],
  [/^Rate limit/, 'tooMany'],
]

/** The sentence for why the trial of the PMS connection failed. */
export function testReason(error: string): keyof Texts['test']['reasons'] {
  return TEST_REASONS.find(([pattern]) => pattern.test(error))?.[1] ?? 'other'
}
