import { z } from 'zod'
import { instant } from '@/lib/http/instant'
import { problemAs } from '@/lib/http/issues'
import { LOCALES } from '@/lib/i18n/locales'
import { PUSH_KINDS } from './kinds'

const kinds = z
  .array(z.enum(PUSH_KINDS))
  .max(PUSH_KINDS.length)
  .refine((list) => new Set(list).size === list.length, problemAs('not_unique', 'each kind once'))

const bytes = (count: number) =>
  z
    .string()
    .max(100)
    .refine(
      (value) => /^[\w-]+$/.test(value) && Buffer.from(value, 'base64url').length === count,
      problemAs('invalid_format', `must be ${count} bytes in base64url`),
    )

/** The browser's PushSubscription of a device, and the kinds of notices for it. */
export const pushDeviceInput = z.strictObject({
  endpoint: z
    .url({ protocol: /^https$/ })
    .max(1000)
    .meta({ description: 'The address of the browser’s push service' }),
  keys: z.strictObject({
    p256dh: bytes(65).meta({ description: 'The device’s public key, P-256' }),
    auth: bytes(16),
  }),
  kinds,
  language: z.enum(LOCALES),
})
export type PushDeviceInput = z.infer<typeof pushDeviceInput>

/** One of the caller's devices, as the API returns it. */
export const pushDeviceSchema = z
  .object({
    id: z.string(),
    current: z.boolean().meta({ description: 'The device of this session' }),
    kinds: z.array(z.enum(PUSH_KINDS)),
    language: z.enum(LOCALES),
    browser: z.string().nullable().meta({ description: 'Null when unknown' }),
    system: z.string().nullable(),
    created_at: instant,
    last_success_at: instant.nullable().meta({ description: 'When its push service last accepted a notice' }),
  })
  .meta({ id: 'PushDevice' })
export type PushDevice = z.infer<typeof pushDeviceSchema>

export const pushStateSchema = z
  .object({
    public_key: z.string().nullable().meta({
      description: 'The VAPID key that a browser needs; null: this installation sends no push notices',
    }),
    devices: z.array(pushDeviceSchema),
  })
  .meta({ id: 'Push' })
export type PushState = z.infer<typeof pushStateSchema>

/** The outcome of a notice; `gone`: the push service no longer knows the device. */
export const PUSH_OUTCOMES = ['sent', 'gone', 'refused', 'retry'] as const
export type PushOutcome = (typeof PUSH_OUTCOMES)[number]
