// Apart from the schema, so that pages need nothing of zod.

/** What has to be mended before a send can be launched. */
export const BLOCKING_CODES = [
  /** A text uses a variable that does not exist. */
  'unknown_variable',
  /** Subject or text would be empty for some guests. */
  'empty_for_some',
  /** A button without a link, an image without a file, or text left from the template. */
  'unfinished_block',
  /** Marketing e-mail, and the group has no postal address. */
  'no_postal_address',
  /** Marketing SMS from a sender that cannot receive, and the app has no public address for a link. */
  'no_opt_out',
  /** Its time has passed. */
  'past',
] as const

/** What may stay as it is, once seen. */
export const WARNING_CODES = [
  /** A name that some guests do not have leaves a gap. */
  'missing_name',
  /** An image without an alternative text. */
  'no_alt',
  /** HTML above 102 kB, which Gmail cuts off. */
  'clipped',
  'quiet_hours',
  'frequency_cap',
  /** Guests who speak a language in which the message has no text. */
  'other_language',
  'cost',
] as const
