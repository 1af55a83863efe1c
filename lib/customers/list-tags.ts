import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { type CustomerTag, customerTagSchema } from './tags'

/** The 200 most used tags of the organization's customers. */
export async function listTags({ db }: Pick<Session, 'db'>): Promise<CustomerTag[]> {
  return z.array(customerTagSchema).parse(unwrap(await db.rpc('customer_tags')))
}
