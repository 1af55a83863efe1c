'use client'
import { Button, NativeSelect } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import type { Refusal } from '@/components/forms/send'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields } from '@/components/ui/form-layout'
import type { Consent } from '@/lib/imports/consents'
import { type Chosen, ColumnMapping, ConsentChoice, DropZone, FilePreview } from './import-fields'
import classes from './import-form.module.css'
import { ImportProgress } from './import-progress'
import { ImportReport } from './import-report'
import type { Preview } from './read-preview'
import { useImport } from './use-import'

interface ImportFormProps {
  locations: { value: string; label: string }[]
  /** The largest file that the server takes, in MB. */
  maxMb: number
}

/** The import of a file: choose it, check the preview, map columns, choose location and consent, import, read the report. */
export function ImportForm({ locations, maxMb }: ImportFormProps) {
  const t = useTranslations('client.import')
  const errors = useErrorText()
  const { state, start, cancel, reset } = useImport()
  const [chosen, setChosen] = useState<{ file: File; preview: Preview | null } | null>(null)
  const [columns, setColumns] = useState<Chosen>({})
  const [consent, setConsent] = useState<Consent | null>(null)
  const [locationId, setLocationId] = useState('')
  // The size in MB of a file that was not taken.
  const [tooLarge, setTooLarge] = useState(0)
  const newest = useRef<File>(null)
  // The name of a file that holds no text.
  const [notText, setNotText] = useState('')
  const [asked, setAsked] = useState(false)

  async function choose(file: File) {
    newest.current = file
    reset()
    const large = file.size > maxMb * 1024 * 1024
    setTooLarge(large ? Math.ceil((file.size / 1024 / 1024) * 10) / 10 : 0)
    setChosen(null)
    setColumns({})
    setConsent(null)
    setAsked(false)
    setNotText('')
    if (large) return
    setChosen({ file, preview: null })
    const { readPreview } = await import('./read-preview')
    const preview = await readPreview(file)
    if (newest.current !== file) return
    if (!preview) setNotText(file.name)
    setChosen(preview && { file, preview })
  }

  function submit(file: File) {
    setAsked(true)
    if (consent) void start({ file, locationId, consent, columns })
  }

  function refusalText({ code, status, issues: [issue] }: Refusal, began: boolean): string {
    if (began) return t('refusals.failed')
    // An answer that is an error comes before the first row; without one nobody knows.
    if (!code) return t(status > 0 ? 'refusals.nothing' : 'refusals.noAnswer')
    if (issue?.path === 'location_id') return t('refusals.unknownLocation')
    if (issue?.path === 'columns') return t('refusals.columns')
    return errors.ofRefusal(
      { code },
      {
        NO_KNOWN_HEADER: t('refusals.noHeader'),
        FILE_IN_UTF16: t('refusals.utf16'),
        BODY_TOO_LARGE: t('refusals.hostRefuses'),
        INTERNAL_ERROR: t('refusals.nothing'),
      },
    )
  }

  const refused = state.kind === 'refused' ? refusalText(state.refusal, state.began) : null
  const untaken = notText ? t('refusals.notText', { name: notText }) : refused
  const refusal = tooLarge > 0 ? t('refusals.tooLarge', { size: tooLarge, most: maxMb }) : untaken
  const running = state.kind === 'running'
  if (!chosen)
    return (
      <>
        <DropZone onFile={choose} maxMb={maxMb} />
        <Failure text={refusal} />
      </>
    )
  const { file, preview } = chosen
  const unknown = [...new Set(preview?.columns.filter(({ field }) => !field).map(({ name }) => name))]
  const fields = [...(preview?.columns.map(({ field }) => field) ?? []), ...Object.values(columns)]
  const reachable = fields.includes('email') || fields.includes('phone')
  return (
    <FormFields>
      <p className={classes.file}>
        <IconFileSpreadsheet size={18} aria-hidden />
        <strong>{file.name}</strong>
        {running ? null : (
          <Button size="compact-sm" variant="subtle" onClick={() => setChosen(null)}>
            {t('other')}
          </Button>
        )}
      </p>
      {state.kind === 'over' ? (
        <div role="status">
          <ImportReport run={state.run} />
        </div>
      ) : (
        <>
          {preview ? <FilePreview preview={preview} chosen={columns} /> : null}
          {unknown.length > 0 ? (
            <ColumnMapping names={unknown} chosen={columns} onChange={setColumns} disabled={running} />
          ) : null}
          <Failure text={preview && !reachable ? t('mapping.needsContact') : null} />
          <NativeSelect
            label={t('location')}
            description={t('locationHint')}
            data={[{ value: '', label: t('noLocation') }, ...locations]}
            value={locationId}
            onChange={(event) => setLocationId(event.currentTarget.value)}
            disabled={running}
            className={classes.location}
          />
          <ConsentChoice
            value={consent}
            onChange={setConsent}
            missing={asked && !consent}
            disabled={running}
          />
          <Failure text={refusal} />
          {running ? (
            <ImportProgress state={state} onCancel={cancel} />
          ) : (
            <FormActions>
              <Button onClick={() => submit(file)} disabled={!reachable}>
                {t('start')}
              </Button>
            </FormActions>
          )}
        </>
      )}
    </FormFields>
  )
}
