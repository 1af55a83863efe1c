import { expect } from 'vitest'
import { PASSWORD, type Person } from '../factories/group'
import { type Client, testClient } from './app'

/** A client of the app with the person's session in its cookies. */
export async function signedIn(person: Person): Promise<Client> {
  const client = testClient()
  const body = { email: person.email, password: PASSWORD }
  expect((await client.request('POST', '/api/auth/sign-in', { body })).status).toBe(200)
  return client
}

/** Status and JSON body of an answer, to compare in one go. */
export async function answer(response: Response) {
  return { status: response.status, body: await response.json() }
}
