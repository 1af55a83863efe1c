'use client'
import { useTranslations } from 'next-intl'
import type { Problem } from './problem'

/** The sentence to show at a field, if one of the problems is about it. */
export type ErrorAt = (field: string) => string | undefined

/** Puts problems into words; of two about one field the first is told. */
export function useProblems(problems: readonly Problem[]): ErrorAt {
  const t = useTranslations('client.automationEditor')
  return (field) => {
    const problem = problems.find((one) => one.field === field)
    if (!problem) return undefined
    if (problem.kind === 'field') return t(`problems.${problem.text}`, { detail: problem.detail ?? '' })
    const { line, text, what } = problem
    return t('template.line', { line, problem: t(`template.${text}`, { what, detail: what }) })
  }
}

/** The id of a field of the editor, by its name in the API. */
export const fieldId = (field: string) => `automation-${field.replaceAll('.', '-')}`
