import { z } from 'zod'
import { problemAs } from '@/lib/http/issues'
import { clean } from '@/lib/text/clean'
import { canonicalEmail } from '@/lib/text/email'

/** A text of a request, cleaned; at most `max` characters as sent. */
export const text = (max: number) => z.string().max(max).overwrite(clean).max(max)

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

/** An e-mail address as it was typed, in the form in which it is stored; in lower case where it is none. */
export const typedEmail = z
  .string()
  .overwrite((value) => canonicalEmail(value) ?? value.trim().toLowerCase())
  .min(1)
  .max(254)

/** The e-mail address of an account or a sender: services take only ASCII ones. */
export const emailAddress = typedEmail.pipe(z.email())

/** A calendar date (YYYY-MM-DD) from the year `from` to the year `to`. */
export const calendarDate = (from: number, to: number) =>
  z.iso
    .date()
    .refine(
      (date) => Number(date.slice(0, 4)) >= from && Number(date.slice(0, 4)) <= to,
      problemAs('out_of_range', `Must be of the years ${from} to ${to}`, { minimum: from, maximum: to }),
    )
