'use client'
import type { Messages } from 'next-intl'
import { useTranslations } from 'next-intl'
import type { ErrorCode, Issue } from '@/lib/http/error-codes'
import type { Refusal } from './send'

type Errors = Messages['client']['errors']

/**
 * Messages in place of the general ones, by code, field, or `field:issue code`. `failed` is for codes without a
 * message and for no answer at all.
 */
export type OwnTexts = Readonly<Record<string, string | undefined>>

/** Turns refusals into messages: the only place that translates error codes (client.errors). */
export function useErrorText() {
  const t = useTranslations('client.errors')
  return {
    /** Returns the message for a whole refusal. */
    ofRefusal({ code, wait = 1 }: Pick<Refusal, 'code' | 'wait'>, own: OwnTexts = {}): string {
      const known = code !== undefined && t.has(`codes.${code}` as 'codes.failed')
      const text = (code && own[code]) ?? (known ? undefined : own.failed)
      const times = { seconds: wait, minutes: Math.ceil(wait / 60) }
      return text ?? t(`codes.${known ? (code as keyof Errors['codes']) : 'failed'}`, times as never)
    },
    /** Returns the message for a problem of one field. */
    ofIssue({ path, code, params = {} }: Issue, own: OwnTexts = {}): string {
      const key = (t.has(`issues.${code}` as 'issues.invalid') ? code : 'invalid') as keyof Errors['issues']
      if (code === 'edited') return t('issues.edited')
      return own[`${path}:${code}`] ?? own[path] ?? t(`issues.${key}`, params as never)
    },
  }
}

/** Fields that an error code refers to, where the answer has no issues: `{ EMAIL_TAKEN: 'email' }`. */
export type CodeFields = Partial<Record<ErrorCode, string>>
