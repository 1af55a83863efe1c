import type { IntegrationType } from './types'

/** What texts about an outside service ask for: its type, its name, and its name at the beginning of a sentence. */
// Not an interface: TypeScript does not take one for the values of a text, which are a Record.
export type ServiceWords = {
  type: IntegrationType
  name: string
  subject: string
}

/** @param name of `client.integrations.names` */
export const serviceWords = (type: IntegrationType, name: string): ServiceWords => ({
  type,
  name,
  subject: name.charAt(0).toUpperCase() + name.slice(1),
})
