import type { es } from './es'
import type { formats } from './formats'
import type { Locale } from './locales'

declare module 'next-intl' {
  interface AppConfig {
    Locale: Locale
    Messages: typeof es
    Formats: typeof formats
  }
}
