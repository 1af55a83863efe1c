import { z } from 'zod'
import { problemAs } from '@/lib/http/issues'

/** A text of a request, trimmed; at most `max` characters as sent. */
export const text = (max: number) => z.string().max(max).trim()

/** Like `text`, but not empty. */
export const requiredText = (max: number) => z.string().trim().min(1).max(max)

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

/** One line of text: trimmed, not empty, at most `max` characters, without control characters. */
export const line = (max: number) =>
  requiredText(max).refine(
    (value) => !/\p{Cc}/u.test(value),
    problemAs('control_characters', 'control characters are not allowed'),
  )

/** An optional field of a form: an empty text and null both mean null. */
export const blankable = <S extends z.ZodType>(schema: S) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
    schema.nullable(),
  )

/** An e-mail address, trimmed and in lower case. */
export const emailAddress = z.string().trim().toLowerCase().max(254).pipe(z.email())

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
