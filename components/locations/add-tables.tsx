'use client'
import { TextInput } from '@mantine/core'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { NumberField } from '@/components/forms/number-field'
import { readNumber } from '@/components/forms/numbers'
import { SubmitButtons } from '@/components/forms/submit-buttons'
import { Dialog } from '@/components/ui/dialog'
import { FormFields, FormRow } from '@/components/ui/form-layout'
import { newTable, type TableDraft } from './table-draft'

const MOST = 200
const HIGHEST = 99_999

interface AddTablesProps {
  /** The names of existing tables, which are not added again. */
  names: readonly string[]
  onAdd: (added: TableDraft[], known: number) => void
  onClose: () => void
}

type Problem = 'number' | 'order' | 'capacity'

/** Asks for a zone, a range of numbers and a capacity, and adds a table for each number. */
export function AddTables({ names, onAdd, onClose }: AddTablesProps) {
  const t = useTranslations('client.tables')
  const locale = useLocale()
  const [problems, setProblems] = useState<Partial<Record<'from' | 'to' | 'capacity', Problem>>>({})

  function addRange(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    const numberIn = (name: string, least: number, most: number) => {
      const number = readNumber(text(name), locale)
      return number !== null && number >= least && number <= most ? number : null
    }
    const [from, to] = [numberIn('from', 0, HIGHEST), numberIn('to', 0, HIGHEST)]
    const capacity = text('capacity')
    const fits = from !== null && to !== null && from <= to && to - from < MOST
    const found = {
      ...(from === null ? { from: 'number' as const } : {}),
      ...(to === null ? { to: 'number' as const } : {}),
      ...(from !== null && to !== null && !fits ? { to: 'order' as const } : {}),
      ...(capacity !== '' && numberIn('capacity', 1, 999) === null ? { capacity: 'capacity' as const } : {}),
    }
    setProblems(found)
    if (!fits || Object.keys(found).length > 0) {
      const [first] = Object.keys(found)
      event.currentTarget.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
      return
    }
    const wanted = Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
    const missing = wanted.filter((name) => !names.includes(name))
    onAdd(
      missing.map((name) => newTable(text('zone'), name, capacity)),
      wanted.length - missing.length,
    )
  }

  const said = (problem: Problem | undefined) => problem && t(`several.problems.${problem}`, { most: MOST })
  return (
    <Dialog title={t('addSeveral')} onClose={onClose}>
      <form onSubmit={addRange} noValidate>
        <FormFields>
          <TextInput name="zone" label={t('zone')} maxLength={100} data-autofocus />
          <FormRow>
            <NumberField name="from" label={t('several.from')} error={said(problems.from)} />
            <NumberField name="to" label={t('several.to')} error={said(problems.to)} />
            <NumberField name="capacity" label={t('several.capacity')} error={said(problems.capacity)} />
          </FormRow>
        </FormFields>
        <SubmitButtons busy={false} onCancel={onClose} label={t('several.action')} />
      </form>
    </Dialog>
  )
}
