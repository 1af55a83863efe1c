'use client'
import { Button } from '@mantine/core'
import { IconArmchair, IconPlus } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useCallback, useRef, useState } from 'react'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { EmptyState } from '@/components/ui/empty-state'
import { Failure } from '@/components/ui/failure'
import { FormActions } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { TableRecord } from '@/lib/locations/service-setup-schema'
import { repeats, useRows } from './setup-rows'
import { bodyOf, draftOf, newTable, type TableDraft, withPlan } from './table-draft'
import { TableRow } from './table-row'
import classes from './tables-form.module.css'

const AddTables = dynamic(() => import('./add-tables').then((m) => m.AddTables), { ssr: false })

const FloorPlan = dynamic(() => import('./floor-plan/floor-plan').then((m) => m.FloorPlan), { ssr: false })

/** The tables of a location: the plan of each zone, and below it one a row. */
export function TablesForm({ locationId, tables }: { locationId: string; tables: readonly TableRecord[] }) {
  const t = useTranslations('client.tables')
  const words = useTranslations('client.form')
  const locale = useLocale()
  const say = useToast()
  const router = useRouter()
  const { rows, fieldId, add, change, remove, reset } = useRows(tables.map(draftOf))
  const [several, setSeveral] = useState(false)
  const [chosen, setChosen] = useState<number | null>(null)
  // While a zone is being typed, its table stays where it was.
  const [typing, setTyping] = useState<{ key: number; zone: string } | null>(null)
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

  const typeZone = useCallback(
    (key: number, zone: string | null) => setTyping(zone === null ? null : { key, zone }),
    [],
  )

  const draft = useDraft(`tables:${locationId}`, {
    state: rows.map(({ value }) => value),
    onState: (state) => replace(state.map((each) => withPlan(each, tables))),
  })

  /** The rows get new keys: another one would be chosen. */
  function replace(tables: TableDraft[]) {
    reset(tables)
    setChosen(null)
    setTyping(null)
  }

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const answer = await submit<TableRecord[]>('PUT', `/api/locations/${locationId}/tables`, {
      tables: rows.map(({ value }) => bodyOf(value, locale)),
    })
    if (!answer.ok) return
    replace(answer.data.map(draftOf))
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
          <>
            <FloorPlan
              rows={rows.map((row) =>
                row.key === typing?.key ? { ...row, value: { ...row.value, zone: typing.zone } } : row,
              )}
              chosen={chosen}
              onChoose={setChosen}
              onChange={change}
            />
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
                    onZone={typeZone}
                  />
                ))}
              </tbody>
            </table>
          </>
        )}
        <div className={classes.add}>
          <Button
            ref={addButton}
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => add(newTable(rows.at(-1)?.value.zone ?? ''))}
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
