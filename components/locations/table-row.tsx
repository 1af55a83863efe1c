import { ActionIcon, Switch, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { memo } from 'react'
import { NumberField } from '@/components/forms/number-field'
import type { TableDraft } from './table-draft'
import classes from './tables-form.module.css'

interface TableRowProps {
  id: number
  fieldId: string
  table: TableDraft
  zoneError?: string | undefined
  nameError?: string | undefined
  capacityError?: string | undefined
  onChange: (id: number, changes: Partial<TableDraft>) => void
  onRemove: (id: number) => void
  /** The zone begins to be typed, with what it was, or (null) is typed. */
  onZone: (id: number, was: string | null) => void
}

/** The fields of a table. Memoized: with hundreds of tables, only the edited row renders again. */
export const TableRow = memo(function TableRow({
  id,
  fieldId,
  table,
  onChange,
  onRemove,
  onZone,
  ...errors
}: TableRowProps) {
  const t = useTranslations('client.tables')
  const name = table.name.trim() || t('new')
  return (
    <tr>
      <td>
        <TextInput
          aria-label={t('zoneOf', { table: name })}
          value={table.zone}
          maxLength={100}
          error={errors.zoneError}
          onFocus={() => onZone(id, table.zone)}
          onBlur={() => onZone(id, null)}
          onChange={(event) => onChange(id, { zone: event.currentTarget.value })}
        />
      </td>
      <td>
        <TextInput
          id={fieldId}
          aria-label={t('nameOf', { table: name })}
          value={table.name}
          maxLength={100}
          autoComplete="off"
          error={errors.nameError}
          onChange={(event) => onChange(id, { name: event.currentTarget.value })}
        />
      </td>
      <td>
        <NumberField
          aria-label={t('capacityOf', { table: name })}
          value={table.capacity}
          error={errors.capacityError}
          onChange={(capacity) => onChange(id, { capacity })}
        />
      </td>
      <td className={classes.active}>
        <Switch
          aria-label={t('activeOf', { table: name })}
          checked={table.is_active}
          onChange={(event) => onChange(id, { is_active: event.currentTarget.checked })}
        />
      </td>
      <td className={classes.end}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('remove', { table: name })}
          onClick={() => onRemove(id)}
        >
          <IconTrash size={17} stroke={1.7} aria-hidden />
        </ActionIcon>
      </td>
    </tr>
  )
})
