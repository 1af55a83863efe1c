import type { Enums } from '@/lib/db/database.types'

/** Why a message was not sent: a code of the database's list (supabase/schema/message_reasons.sql), or Twilio's own code. */
export type MessageReason = Enums<'message_reason'> | `twilio_${number}`
