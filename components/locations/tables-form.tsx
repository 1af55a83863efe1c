'use client'
import { ActionIcon, Button, Switch, TextInput } from '@mantine/core'
import { IconArmchair, IconPlus, IconTrash } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, memo, useCallback, useRef, useState } from 'react'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { EmptyState } from '@/components/ui/empty-state'
import { Failure } from '@/components/ui/failure'
import { FormActions } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { TableRecord } from '@/lib/locations/service-setup-schema'
import { repeats, useRows, wholeNumber } from './setup-rows'
import classes from './tables-form.module.css'

const AddTables = dynamic(() => import('./add-tables').then((m) => m.AddTables), { ssr: false })

/** A table as typed in the form. */
export interface TableDraft {
  zone: string
  name: string
  capacity: string
  is_active: boolean
}

/** The tables of a location, one a row. */
export function TablesForm({ locationId, tables }: { locationId: string; tables: readonly TableRecord[] }) {
  const t = useTranslations('client.tables')
  const words = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const { rows, fieldId, add, change, remove, reset } = useRows(tables.map(draftOf))
  const [several, setSeveral] = useState(false)
  const addButton = useRef<HTMLButtonElement>(null)
  const { form, busy, submit, clear, refusal, errorAt, failure } = useSubmit({
    fields: ['tables'],
    texts: {
      ALREADY_EXISTS: t('problems.repeated'),
      ...Object.fromEntries(
        rows.flatMap((_, index) => [
          [`tables.${index}.name`, t('problems.name')],
          [`tables.${index}.capacity`, t('problems.capacity')],
        ]),
      ),
    },
  })
  const twice = refusal?.code === 'ALREADY_EXISTS' ? repeats(rows.map(({ value }) => value.name)) : undefined
  const atFields = refusal?.issues.some(({ path }) => path.includes('.')) ?? false
  const names = rows.map(({ value }) => value.name.trim())
  // A stable function, so that unchanged rows do not render again.
  const latest = useRef({ clear, remove })
  latest.current = { clear, remove }
  const removeRow = useCallback((key: number) => {
    latest.current.clear()
    latest.current.remove(key)
    addButton.current?.focus()
  }, [])

  const draft = useDraft(`tables:${locationId}`, { state: rows.map(({ value }) => value), onState: reset })

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const answer = await submit<TableRecord[]>('PUT', `/api/locations/${locationId}/tables`, {
      tables: rows.map(({ value }) => ({ ...value, capacity: wholeNumber(value.capacity) })),
    })
    if (!answer.ok) return
    reset(answer.data.map(draftOf))
    draft.saved()
    say(t('saved'))
    router.refresh()
  }

  function addSeveral(added: TableDraft[], known: number) {
    clear()
    setSeveral(false)
    if (added.length > 0) add(...added)
    say({ text: t('added', { added: added.length, known }), tone: 'info' })
  }

  return (
    <>
      <form ref={form} onSubmit={save} noValidate>
        {draft.node}
        <div className={classes.intro}>
          <p>{t('intro')}</p>
          <Button variant="default" size="xs" onClick={() => setSeveral(true)}>
            {t('addSeveral')}
          </Button>
        </div>
        {rows.length === 0 ? (
          <EmptyState icon={IconArmchair} title={t('none')} text={t('noneText')} />
        ) : (
          <table className={classes.table}>
            <caption>
              <VisuallyHidden>{t('list')}</VisuallyHidden>
            </caption>
            <thead>
              <tr>
                <th scope="col">{t('zone')}</th>
                <th scope="col" className={classes.short}>
                  {t('name')}
                </th>
                <th scope="col" className={classes.short}>
                  {t('capacity')}
                </th>
                <th scope="col" className={classes.active}>
                  {t('active')}
                </th>
                <th scope="col" className={classes.end}>
                  <VisuallyHidden>{t('actions')}</VisuallyHidden>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, value }, index) => (
                <TableRow
                  key={key}
                  id={key}
                  fieldId={fieldId(key)}
                  table={value}
                  zoneError={errorAt(`tables.${index}.zone`)}
                  nameError={twice?.[index] ? t('problems.twice') : errorAt(`tables.${index}.name`)}
                  capacityError={errorAt(`tables.${index}.capacity`)}
                  onChange={change}
                  onRemove={removeRow}
                />
              ))}
            </tbody>
          </table>
        )}
        <div className={classes.add}>
          <Button
            ref={addButton}
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() =>
              add({ zone: rows.at(-1)?.value.zone ?? '', name: '', capacity: '', is_active: true })
            }
          >
            {t('add')}
          </Button>
        </div>
        <Failure text={atFields ? t('check') : (errorAt('tables') ?? failure)} />
        <FormActions>
          <Button type="submit" loading={busy}>
            {words('save')}
          </Button>
        </FormActions>
      </form>
      {several ? <AddTables names={names} onAdd={addSeveral} onClose={() => setSeveral(false)} /> : null}
    </>
  )
}

interface TableRowProps {
  id: number
  fieldId: string
  table: TableDraft
  zoneError?: string | undefined
  nameError?: string | undefined
  capacityError?: string | undefined
  onChange: (id: number, changes: Partial<TableDraft>) => void
  onRemove: (id: number) => void
}

/** The fields of a table. Memoized: with hundreds of tables, only the edited row renders again. */
const TableRow = memo(function TableRow({
  id,
  fieldId,
  table,
  onChange,
  onRemove,
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
        <TextInput
          inputMode="numeric"
          aria-label={t('capacityOf', { table: name })}
          value={table.capacity}
          maxLength={10}
          autoComplete="off"
          error={errors.capacityError}
          onChange={(event) => onChange(id, { capacity: event.currentTarget.value })}
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

const draftOf = ({ zone, name, capacity, is_active }: TableRecord): TableDraft => ({
  zone: zone ?? '',
  name,
  capacity: String(capacity ?? ''),
  is_active,
})
