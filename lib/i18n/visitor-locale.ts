import { headers } from 'next/headers'
import { hasLocale } from 'next-intl'
import { choice } from '@/lib/http/choice'
import { LOCALE_COOKIE, LOCALES, type Locale } from './locales'

/** The language for a visitor who is not staff: the chosen one, else the browser's preference. */
export async function visitorLocale(): Promise<Locale> {
  const chosen = await choice(LOCALE_COOKIE)
  if (hasLocale(LOCALES, chosen)) return chosen
  return preferredLocale((await headers()).get('accept-language') ?? '')
}

/** The first of the interface's languages in an Accept-Language header, by its weights; Spanish when there is none. */
export const preferredLocale = (acceptLanguage: string): Locale =>
  preferredOf(LOCALES, acceptLanguage) ?? LOCALES[0]

/** The first of some languages in an Accept-Language header, by its weights; null when there is none. */
export function preferredOf<Language extends string>(
  languages: readonly Language[],
  acceptLanguage: string,
): Language | null {
  const wanted = acceptLanguage
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const weight = parameters.map((each) => /^\s*q=([\d.]+)/.exec(each)?.[1]).find(Boolean)
      return { language: languages.find((each) => each === tag.split('-')[0]), weight: Number(weight ?? 1) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
  return wanted.find(({ language }) => language !== undefined)?.language ?? null
}
