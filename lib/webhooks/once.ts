import 'server-only'
import { createHash } from 'node:crypto'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'

/** A hash of the signed data: it identifies the request without storing the message. */
export const receiptOf = (signed: string): string => createHash('sha256').update(signed).digest('hex')

interface Signed {
  organizationId: string
  receipt: string
  /** Kept permanently: a replay could lift a suppression or link an id, and the provider signs no time. */
  opens: boolean
}

/**
 * Does the work unless the same request was handled before. The receipt is written last: the provider retries a request
 * that failed half-way, and the work is safe to repeat.
 */
export async function once(
  { organizationId, receipt, opens }: Signed,
  work: () => Promise<unknown>,
): Promise<void> {
  const receipts = serviceDb().from('webhook_receipts')
  const known = unwrap(
    await receipts
      .select('receipt')
      .eq('organization_id', organizationId)
      .eq('receipt', receipt)
      .maybeSingle(),
  )
  if (known) return
  await work()
  const row = { organization_id: organizationId, receipt, opens }
  unwrap(await serviceDb().from('webhook_receipts').upsert(row, { ignoreDuplicates: true }))
}
