import { NextIntlClientProvider } from 'next-intl'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { useErrorText } from '@/components/forms/error-text'
import { type Refusal, refusalOf } from '@/components/forms/send'
import { errorAnswer, HttpError } from '@/lib/http/errors'
import { en } from '@/lib/i18n/en'
import { es } from '@/lib/i18n/es'

const MESSAGES = { es, en }
const Text = ({ refusal }: { refusal: Refusal }) =>
  createElement('i', null, useErrorText().ofRefusal(refusal))

/** What a form says below its fields to an answer of the API. */
async function said(error: HttpError, locale: 'es' | 'en'): Promise<string> {
  const children = createElement(Text, { refusal: await refusalOf(errorAnswer(error).response) })
  const intl = { locale, messages: MESSAGES[locale], timeZone: 'Europe/Madrid', children }
  return renderToStaticMarkup(createElement(NextIntlClientProvider, intl)).replace(/<[^>]+>/g, '')
}

const busy = (seconds: number) => new HttpError('AUTH_BUSY', { headers: { 'Retry-After': `${seconds}` } })

it('a form says for how many seconds Auth is busy', async () => {
  expect(await said(busy(7), 'es')).toContain('vuelve a intentarlo en 7 segundos')
  expect(await said(busy(1), 'es')).toContain('en 1 segundo.')
  expect(await said(busy(7), 'en')).toContain('try again in 7 seconds')
})

it('a form says for how many minutes it is refused, which may be an hour', async () => {
  const limited = (seconds: number) =>
    new HttpError('RATE_LIMITED', { headers: { 'Retry-After': `${seconds}` } })
  expect(await said(limited(20), 'es')).toContain('Espera un minuto.')
  expect(await said(limited(3000), 'es')).toContain('Espera 50 minutos.')
  expect(await said(limited(61), 'en')).toContain('Wait 2 minutes.')
})

it('the other errors say what they always say', async () => {
  expect(await said(new HttpError('WRONG_CREDENTIALS'), 'es')).toBe(es.client.errors.codes.WRONG_CREDENTIALS)
})

it('a form knows the refusal of a host, which has no code', async () => {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'x-vercel-error': 'FUNCTION_PAYLOAD_TOO_LARGE',
  }
  const answer = new Response('Request Entity Too Large\n\nFUNCTION_PAYLOAD_TOO_LARGE\n', {
    status: 413,
    headers,
  })
  expect(await refusalOf(answer)).toEqual({ ok: false, status: 413, code: 'BODY_TOO_LARGE', issues: [] })
})
