// Prints an unsubscribe path of the demo's group, of an e-mail that may be given. A process of its own, because sealing one is server-only code.
import { createClient } from '@supabase/supabase-js'
import { unsubscribeToken } from '../../lib/messaging/unsubscribe-token'
import { loadKeys } from '../../supabase/local/keys'

const keys = await loadKeys(process.env.DATA_DIR ?? '.data')
const url = `http://127.0.0.1:${process.env.SUPABASE_PORT ?? 54321}`
const db = createClient(url, keys.secretKey, { auth: { persistSession: false } })
const { data } = await db.from('organizations').select('id').limit(1).single().throwOnError()
const address = process.argv[2] ?? 'nadie@correo.example'
const recipient = { organizationId: data.id, channel: 'email', address } as const
console.log(`/u/${unsubscribeToken(recipient, keys.secretsKey)}`)
