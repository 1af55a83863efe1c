import 'server-only'
import { env } from '@/lib/env'

/** Where stored images are read from, without their path. */
export const imagesBase = (): string =>
  `${env().SUPABASE_URL.replace(/\/+$/, '')}/storage/v1/object/public/email-images/`

/** The address of a stored image that mail programs load. */
export const imageUrl = (path: string): string => `${imagesBase()}${path}`
