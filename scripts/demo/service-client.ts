import { createClient } from '@supabase/supabase-js'
import type { Database } from '../../lib/db/database.types'
import { appEnvironment, type DemoSettings } from './settings'

export type Service = ReturnType<typeof serviceClient>

/** A client with the secret key, for seeding. */
export function serviceClient(settings: DemoSettings) {
  return createClient<Database>(appEnvironment(settings).SUPABASE_URL ?? '', settings.keys.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
}

/** A location of the demo's group. */
export type SeededLocation = Pick<
  Database['public']['Tables']['locations']['Row'],
  'id' | 'name' | 'average_spend_per_guest' | 'timezone'
>
