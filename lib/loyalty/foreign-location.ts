import { HttpError } from '@/lib/http/errors'

/** The documented refusal of rules of a location that the caller does not work in. */
export const FOREIGN_LOCATION = 'No autorizado para esta ubicación'
export const foreignLocation = () => new HttpError(403, { error: FOREIGN_LOCATION })
