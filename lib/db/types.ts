import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from './database.types'

/** A typed client: the caller's own (RLS applies) or the service's. */
export type Db = SupabaseClient<Database>
