import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'

const storage = new AsyncLocalStorage<string>()

/** Runs a request's work as that of a signed-in person (their id); what the service does meanwhile is done for them. */
export function actFor<T>(person: string | undefined, work: () => T): T {
  return person === undefined ? work() : storage.run(person, work)
}

/** The id of the person whose request is being worked on, if any. */
export const actingPerson = (): string | undefined => storage.getStore()
