import { z } from 'zod'
import { canonicalEmail } from '@/lib/contact/email'
import { problemAs } from '@/lib/http/issues'
import { GUEST_LANGUAGES, languageOf } from '@/lib/i18n/guest-languages'
import { clean } from '@/lib/text/clean'

/** A text of a request, cleaned (`clean`); at most `max` characters, as sent and cleaned. */
export const text = (max: number) => z.string().max(max, { abort: true }).overwrite(clean).max(max)

/** Like `text`, but not empty. */
export const requiredText = (max: number) => z.string().overwrite(clean).min(1).max(max)

/** A text filter of a list: blank counts as absent. */
export const filterText = (max: number) =>
  text(max)
    .transform((value) => value || undefined)
    .optional()

/** A text of an optional field: blank means null. */
export const optionalText = (max: number) =>
  text(max)
    .nullable()
    .transform((value) => value || null)

/** One line of text: cleaned, not empty, at most `max` characters, without control characters. */
export const line = (max: number) =>
  requiredText(max).refine(
    (value) => !/\p{Cc}/u.test(value),
    problemAs('control_characters', 'control characters are not allowed'),
  )

/** An optional field of a form: an empty text and null both mean null. */
export const blankable = <S extends z.ZodType>(schema: S) =>
  z.preprocess(
    (value) => (typeof value === 'string' && clean(value) === '' ? null : value),
    schema.nullable(),
  )

/** A language for guests, in any case; a region is dropped (`fr-FR` is `fr`). */
export const guestLanguage = z.preprocess(
  (code) => (typeof code === 'string' ? (languageOf(code) ?? code) : code),
  z.enum(GUEST_LANGUAGES).meta({ description: 'BCP 47, in any case; a region is dropped: fr-FR is fr' }),
)

/**
 * The e-mail of an account or of a sender, in the form of `canonicalEmail`. Stricter than a guest's: Auth and the providers
 * take ASCII only, also before the `@`.
 */
export const emailAddress = text(254)
  .overwrite((value) => canonicalEmail(value) ?? '')
  .pipe(z.email())

/** A time of day, `HH:mm`. */
export const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'HH:mm')

/** A stored time of day as `HH:mm`: Postgres adds seconds. */
export const storedTime = z.string().overwrite((time) => time.slice(0, 5))

/** A calendar date (YYYY-MM-DD) from the year `from` to the year `to`. */
export const calendarDate = (from: number, to: number) =>
  z.iso
    .date()
    .refine(
      (date) => Number(date.slice(0, 4)) >= from && Number(date.slice(0, 4)) <= to,
      problemAs('out_of_range', `Must be of the years ${from} to ${to}`, { minimum: from, maximum: to }),
    )
