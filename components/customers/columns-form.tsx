'use client'
import { Button, Checkbox } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { FormEvent } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { FormActions } from '@/components/ui/form-layout'
import { choiceCookie } from '@/lib/http/host-cookie'
import { COLUMNS, COLUMNS_COOKIE, type Column, columnsValue } from './columns'
import classes from './columns-form.module.css'
import { useColumnName } from './use-column-name'

interface ColumnsFormProps {
  columns: readonly Column[]
  onClose: () => void
}

/** Which columns the list shows, in this browser. */
export default function ColumnsForm({ columns, onClose }: ColumnsFormProps) {
  const t = useTranslations('client.customers.columns')
  const nameOf = useColumnName()
  const form = useTranslations('client.form')
  const router = useRouter()

  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const chosen = new FormData(event.currentTarget).getAll('column').map(String)
    // biome-ignore lint/suspicious/noDocumentCookie: Safari has no cookieStore before 18.4
    document.cookie = choiceCookie(
      COLUMNS_COOKIE,
      columnsValue(COLUMNS.filter((column) => chosen.includes(column))),
    )
    router.refresh()
    onClose()
  }

  return (
    <Dialog title={t('title')} onClose={onClose}>
      <form onSubmit={save}>
        <fieldset className={classes.columns}>
          <legend>{t('text')}</legend>
          {COLUMNS.map((column) => (
            <Checkbox
              key={column}
              name="column"
              value={column}
              label={nameOf(column)}
              defaultChecked={columns.includes(column)}
            />
          ))}
        </fieldset>
        <FormActions>
          <Button variant="default" onClick={onClose}>
            {form('cancel')}
          </Button>
          <Button type="submit">{t('apply')}</Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
