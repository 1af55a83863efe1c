import { expect } from 'vitest'
import type { Client } from './app'
import type { Guests } from './guests'

const PATH = '/api/customers'

/** What tests of further contacts do as a person of a group; each call expects to succeed, but for `patch`. */
export function contactsBy({ ask }: Pick<Guests, 'ask'>, boss: Client) {
  const done = async (status: number, method: string, path: string, body?: object) => {
    const answer = await ask(boss, method, path, body)
    expect([answer.status, answer.body.error]).toEqual([status, undefined])
    return answer.body.data
  }
  const read = (id: string) => done(200, 'GET', `${PATH}/${id}`)
  return {
    create: (fields: object) => done(201, 'POST', PATH, fields),
    read,
    patch: (id: string, fields: object) => ask(boss, 'PATCH', `${PATH}/${id}`, fields),
    change: (id: string, fields: object) => done(200, 'PATCH', `${PATH}/${id}`, fields),
    merge: (id: string, duplicate_id: string) => done(200, 'POST', `${PATH}/${id}/merge`, { duplicate_id }),
    undo: (merge_id: string) => done(200, 'POST', `/api/customer-merges/${merge_id}/undo`),
    /** Whether they opted out, by channel. */
    optedOut: async (id: string) => {
      const { sms, whatsapp, email } = (await read(id)).consent
      return { sms: sms.opted_out, whatsapp: whatsapp.opted_out, email: email.opted_out }
    },
  }
}
