'use client'
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import type { Variable } from './draft'
import type { ErrorAt } from './use-problems'
import { fieldId } from './use-problems'
import classes from './variable-rows.module.css'

const MOST = 50

interface VariableRowsProps {
  variables: readonly Variable[]
  onChange: (variables: Variable[]) => void
  errorAt: ErrorAt
}

/** The variables of a WhatsApp template with their values, which are Liquid too. */
export function VariableRows({ variables, onChange, errorAt }: VariableRowsProps) {
  const t = useTranslations('client.automationEditor')
  const patch = (key: number, changes: Partial<Variable>) =>
    onChange(variables.map((one) => (one.key === key ? { ...one, ...changes } : one)))
  const next = Math.max(-1, ...variables.map(({ key }) => key)) + 1
  return (
    <fieldset className={classes.rows}>
      <legend>{t('contentVariables')}</legend>
      {variables.map(({ key, name, value }, index) => (
        <div key={key} className={classes.row}>
          <TextInput
            aria-label={t('variableName', { number: index + 1 })}
            value={name}
            onChange={(event) => patch(key, { name: event.currentTarget.value })}
            maxLength={40}
            autoComplete="off"
            spellCheck={false}
          />
          <TextInput
            id={fieldId(`content_variables.${name}`)}
            aria-label={t('variableValue', { number: index + 1 })}
            value={value}
            onChange={(event) => patch(key, { value: event.currentTarget.value })}
            error={errorAt(`content_variables.${name}`)}
            maxLength={1000}
            autoComplete="off"
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('removeVariable', { number: index + 1 })}
            onClick={() => onChange(variables.filter((one) => one.key !== key))}
          >
            <IconTrash size={17} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {variables.length < MOST ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() =>
            onChange([...variables, { key: next, name: String(variables.length + 1), value: '' }])
          }
        >
          {t('addVariable')}
        </Button>
      ) : null}
    </fieldset>
  )
}
