// Prints the path of a survey that nobody has answered. A process of its own, because sealing one is server-only code.
import { createClient } from '@supabase/supabase-js'
import { surveyToken } from '../../lib/feedback/survey-token'
import { linkKey } from '../../lib/messaging/link-token'
import { loadKeys } from '../../supabase/local/keys'

const keys = await loadKeys(process.env.DATA_DIR ?? '.data')
const url = `http://127.0.0.1:${process.env.SUPABASE_PORT ?? 54321}`
const db = createClient(url, keys.secretKey, { auth: { persistSession: false } })
const { data: answered } = await db.from('feedback').select('reservation_id').throwOnError()
const done = new Set(answered.map(({ reservation_id }) => reservation_id))
const { data: messages } = await db
  .from('messages')
  .select('id, reservation_id, reservation:reservations!messages_reservation_id_fkey!inner(visited)')
  .eq('purpose', 'post_visit')
  .eq('status', 'delivered')
  .eq('reservation.visited', true)
  .order('sent_at', { ascending: false })
  .limit(200)
  .throwOnError()
const open = messages.find(({ reservation_id }) => !done.has(reservation_id))
if (!open) throw new Error('The demo has no visit without feedback')
console.log(`/f/${surveyToken(open.id, linkKey(keys.secretsKey))}`)
