'use client'
import { useState } from 'react'
import { useSubmit } from '@/components/forms/use-submit'
import { type FactCode, type RecordedFact, withChanges } from '@/lib/customers/fact-codes'
import type { CustomerFacts } from '@/lib/customers/facts-schema'

/**
 * Saves a person's changes of a customer's facts on top of the facts recorded in the meantime, so that an allergy
 * that
 * a colleague recorded stays. `save` resolves to whether it worked; `failure` and `errorAt` have the messages.
 */
export function useSaveFacts(customerId: string) {
  const path = `/api/customers/${customerId}/facts`
  const [sent, setSent] = useState<readonly FactCode[]>([])
  const { submit, busy, failure, errorAt } = useSubmit({
    fields: sent.map((_, index) => `facts.${index}.note`),
  })

  async function save(before: readonly RecordedFact[], after: readonly RecordedFact[]): Promise<boolean> {
    const now = await submit<CustomerFacts>('GET', path)
    if (!now.ok) return false
    const facts = withChanges(now.data.facts, before, after)
    setSent(facts.map(({ code }) => code))
    return (await submit('PUT', path, { facts })).ok
  }

  return {
    save,
    busy,
    failure,
    /** The message at a fact's note. */
    errorOf: (code: FactCode) =>
      sent.includes(code) ? errorAt(`facts.${sent.indexOf(code)}.note`) : undefined,
  }
}
