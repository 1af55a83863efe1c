import { expect } from 'vitest'
import { type Asker, error, NOWHERE, type Row } from '../row'
import type { World } from '../world'

type Of<T> = T | ((world: World) => T)
type Content = object | string | undefined

/** What a case adds to its call. */
interface Case extends Partial<Pick<Row, 'as' | 'section' | 'arrange' | 'databaseDown' | 'headers'>> {
  /** Stands for the parameter of the path; without it, the id of nothing. */
  id?: Of<string>
  query?: Of<string>
  /** The body: an object goes as JSON. */
  json?: Of<Content>
  /** Request headers. */
  sent?: Of<Record<string, string>>
}

/** Writes rows of one section and asker: when, call, status, body (undefined: not looked at), and the rest. */
export const cases =
  (section: string, as: Asker) =>
  (when: string, call: string, status: number, body: Of<object | undefined>, rest: Case = {}): Row => {
    const { id = NOWHERE, query = '', json, sent, ...more } = rest
    return {
      section,
      as,
      when,
      call,
      path: (world) => `${pathOf(call).replace(/\{\w+\}/, resolved(id, world))}${resolved(query, world)}`,
      send: (world) => ({ body: resolved(json, world), headers: resolved(sent, world) }),
      status,
      ...(body === undefined ? {} : { body: (world: World) => resolved(body, world) }),
      ...more,
    }
  }

/** None of the calls answers without a session. */
export const signedOut = (calls: string[]): Row[] =>
  calls.map((call) =>
    cases('decisions §8: 401 no session', 'nobody')('there is no session', call, 401, error('Unauthorized')),
  )

/** None of the calls is for that role. */
export const notFor = (as: Asker, permission: string, calls: string[]): Row[] =>
  calls.map((call) =>
    cases('decisions §2, §8: 403 no permission', as)(
      `the role lacks ${permission}`,
      call,
      403,
      error('Forbidden'),
    ),
  )

/** A record as the calls about it see it: who may, how it comes about, and what to send. */
interface Record404 {
  as: Asker
  id: Of<string>
  given?: Row['arrange']
  json?: Record<string, object>
}

/** Each call answers 404 for an id of nothing and to the stranger, and 400 for what is no id. */
export const byId = (calls: string[], { as, id, given, json = {} }: Record404): Row[] =>
  calls.flatMap((call) => {
    const body = json[call] === undefined ? {} : { json: json[call] }
    const there = cases('decisions §8: 404 not there or not visible', as)
    return [
      there('there is none of that id', call, 404, error('Not found'), body),
      there('it is another organization’s', call, 404, error('Not found'), {
        ...body,
        as: 'stranger',
        id,
        arrange: given,
      }),
      there('the id is malformed', call, 400, about('id'), {
        ...body,
        section: 'decisions §8: 400 bad input',
        id: 'x',
      }),
    ]
  })

/** `{error}` that begins with the name of the field: how it goes on is the validator's own wording. */
export const about = (field: string) =>
  error(expect.stringMatching(new RegExp(`^${field.replaceAll('.', '\\.')}: \\S`)))

const pathOf = (call: string) => call.split(' ')[1] ?? ''

function resolved<T>(value: Of<T>, world: World): T {
  return typeof value === 'function' ? (value as (world: World) => T)(world) : value
}
