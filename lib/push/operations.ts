import { z } from 'zod'
import { idParams, notFound, problem, single } from '@/lib/openapi/common'
import { definePaths } from '@/lib/openapi/operation'
import { PERMISSIONS } from '@/lib/permissions'
import { PUSH_OUTCOMES, type PushState, pushDeviceInput, pushStateSchema } from './schema'

/** For people only, with access to operations: the notices are about reservations. */
const own = { tag: 'Account', auth: 'session', roles: PERMISSIONS.canAccessOperaciones } as const
const notSetUp = problem('This installation has no VAPID keys', 'PUSH_NOT_SET_UP')
const state: PushState = {
  public_key: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  devices: [
    {
      id: '3d5c0e6a-9b41-4f0e-8c6e-7d1f2a3b4c5d',
      current: true,
      kinds: ['vip_arrived', 'large_cancellation'],
      language: 'es',
      browser: 'Chrome',
      system: 'Android',
      created_at: '2026-11-20T12:00:00.000Z',
      last_success_at: null,
    },
  ],
}
const asItIs = {
  200: { description: 'As it is now', schema: single(pushStateSchema), example: { data: state } },
}

export const pushPaths = definePaths({
  '/api/account/push': {
    get: {
      ...own,
      summary: 'The caller’s devices that get push notices, and what a browser needs to become one',
      responses: asItIs,
    },
    put: {
      ...own,
      summary: 'Send push notices of these kinds to the device of this session',
      description:
        'For people, not for API tokens. Of the caller’s locations only; it ends with the session and with the right to read reservations. A person has 20 devices at most: the oldest goes.',
      body: pushDeviceInput,
      bodyExample: {
        endpoint: 'https://push.example.com/send/fT3x',
        keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
        kinds: ['vip_arrived', 'large_cancellation'],
        language: 'es',
      },
      responses: {
        ...asItIs,
        409: problem('The address is another person’s, with other keys', 'PUSH_DEVICE_TAKEN'),
        501: notSetUp,
      },
    },
  },
  '/api/account/push/{id}': {
    delete: {
      ...own,
      summary: 'Send one of the caller’s devices nothing more',
      params: idParams,
      responses: { 204: { description: 'Removed' }, 404: notFound },
    },
  },
  '/api/account/push/{id}/test': {
    post: {
      ...own,
      summary: 'Send one of the caller’s devices a notice to try it',
      params: idParams,
      rateLimited: true,
      responses: {
        200: {
          description:
            'What its push service said: `sent`; `gone`: it does not know the device any more, which is removed; `refused`; `retry`: no answer',
          schema: single(z.object({ outcome: z.enum(PUSH_OUTCOMES) })),
          example: { data: { outcome: 'sent' } },
        },
        404: notFound,
        501: notSetUp,
      },
    },
  },
})
