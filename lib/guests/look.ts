import 'server-only'
import { z } from 'zod'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { imageUrl } from '@/lib/email-design/address'
import { log } from '@/lib/log'

const lookSchema = z.object({
  name: z.string(),
  logo: z.string().nullable(),
  color: z.string().nullable(),
  button_color: z.string().nullable(),
})

/** What a guest's page wears: the brand's, or the group's. */
export interface GuestLook {
  name: string
  /** The address of the image. */
  logo: string | null
  color: string | null
  buttonColor: string | null
}

/** The message that a guest's page comes from. */
interface From {
  /** Absent: the message's. */
  organizationId?: string | undefined
  messageId?: string | undefined
  /** The page is about the visit of the message. */
  visit?: boolean
}

/** The look of a guest's page; null when there is none or it cannot be read: the page is plain then, and never fails. */
export async function readGuestLook({ organizationId, messageId, visit }: From): Promise<GuestLook | null> {
  const parameters = { p_organization: organizationId, p_message: messageId, p_visit: visit ?? false }
  try {
    const found = lookSchema.nullable().parse(unwrap(await serviceDb().rpc('guest_look', parameters)))
    if (!found) return null
    const { name, logo, color, button_color } = found
    return { name, logo: logo && imageUrl(logo), color, buttonColor: button_color }
  } catch (error) {
    log().warn({ err: error }, 'the look of a guest’s page could not be read')
    return null
  }
}
