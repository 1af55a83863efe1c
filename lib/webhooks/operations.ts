import { z } from 'zod'
import { problem } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'

const tag = 'Webhooks'
const unsigned = problem('The signature is missing or wrong', 'FORBIDDEN')

export const webhookPaths = definePaths({
  '/api/webhooks/twilio': {
    post: {
      summary: 'Delivery reports and inbound messages of Twilio',
      description:
        'Statuses of messages only move forward. STOP, BAJA, ALTO or UNSUBSCRIBE, alone in the message, stops marketing by the channel it came by; ALTA, START or UNSTOP lets them go again. CANCELAR does not: guests cancel tables with it. A plain answer to a confirmation whose `answers` are understood (`1`, `no podemos ir`, or a button with the payload `confirm` or `cancel`) marks the reservation; any other becomes a ticket. A plain yes to the offer of a freed table books it. Every other message, also of a stranger, is kept in a conversation and becomes a ticket once a day. WhatsApp users without a number are known by their business-scoped id (`ExternalUserId`, or what follows `whatsapp:`), which is kept on the guest as soon as it comes with the number or answers a message to it. The same message again changes nothing.',
      tag,
      auth: 'none',
      anyOrigin: true,
      headers: { 'X-Twilio-Signature': 'Twilio’s signature over the public address and the form' },
      query: z.object({
        message: z.string().max(200).optional().meta({ description: 'Our id of the message reported on' }),
      }),
      otherBodies: { 'application/x-www-form-urlencoded': z.record(z.string(), z.string()) },
      responses: {
        200: { description: 'Taken, or not ours: empty TwiML', contentType: 'text/xml' },
        403: unsigned,
        415: problem('No form', 'UNSUPPORTED_CONTENT_TYPE', 'Content-Type must be a form'),
      },
    },
  },
  '/api/webhooks/resend': {
    post: {
      summary: 'Delivery reports of Resend',
      description:
        'Statuses of messages only move forward. A permanent bounce or a complaint stops e-mail to the address. Opens and clicks (`email.opened`, `email.clicked`) of e-mails to customers are recorded for 30 days after sending, apart from those of privacy proxies and security scanners. The same event again changes nothing.',
      tag,
      auth: 'none',
      anyOrigin: true,
      headers: {
        'svix-id': 'The event’s id',
        'svix-timestamp': 'Seconds since 1970; at most five minutes away',
        'svix-signature': 'Signature over id, timestamp and body',
      },
      otherBodies: {
        'application/json': z.object({ type: z.string(), created_at: z.string(), data: z.looseObject({}) }),
      },
      responses: {
        200: {
          description: 'Taken, or not ours',
          schema: z.object({ success: z.literal(true) }),
          example: { success: true },
        },
        403: unsigned,
      },
    },
  },
})
