import type { App, DefaultAppConfig } from '@supabase/lite'
import type { LocalKeys } from './keys'

type Connection = DefaultAppConfig['connection']

/** How every local lite App is set up: invited sign-up without confirmation mail, keys enforced, admin mode off. */
export function appOptions(connection: unknown, keys: LocalKeys): ConstructorParameters<typeof App>[0] {
  return {
    connection: connection as Connection,
    auth: {
      enabled: true,
      jwt_secret: keys.jwtSecret,
      publishable_key: keys.publishableKey,
      secret_key: keys.secretKey,
      enable_signup: true,
      minimum_password_length: 10,
      email: { enable_signup: true, enable_confirmations: false },
    },
    options: { server: { admin: false, disableStudio: true } },
  } as ConstructorParameters<typeof App>[0]
}
