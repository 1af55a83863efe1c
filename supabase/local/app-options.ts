import type { App, DefaultAppConfig } from '@supabase/lite'
import type { LocalKeys } from './keys'
import { printedMail } from './mail'

type Connection = DefaultAppConfig['connection']

/** The address of the app for links in mails, and the file that stores these links; without one they are dropped. */
export interface LocalMail {
  siteUrl?: string
  mailFile?: string
}

/** How every local lite App is set up: invited sign-up without confirmation mail, keys enforced, admin mode off. */
export function appOptions(
  connection: unknown,
  keys: LocalKeys,
  { siteUrl = 'http://localhost:3000', mailFile }: LocalMail = {},
): ConstructorParameters<typeof App>[0] {
  return {
    connection: connection as Connection,
    auth: {
      enabled: true,
      jwt_secret: keys.jwtSecret,
      publishable_key: keys.publishableKey,
      secret_key: keys.secretKey,
      site_url: siteUrl,
      enable_signup: true,
      minimum_password_length: 10,
      email: {
        enable_signup: true,
        enable_confirmations: false,
        template: {
          recovery: { subject: 'Tu nueva contraseña', content_path: './supabase/templates/recovery.html' },
        },
      },
    },
    options: { server: { admin: false, disableStudio: true }, drivers: { email: printedMail(mailFile) } },
  } as ConstructorParameters<typeof App>[0]
}
