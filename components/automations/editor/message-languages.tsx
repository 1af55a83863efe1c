'use client'
import { Button, NativeSelect } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import { asChoices, useGuestLanguages } from '@/components/customers/use-guest-languages'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import type { MessageText, StepProps, VersionText } from './draft'
import classes from './message-languages.module.css'

/** The languages of an editor's messages. */
export interface Languages {
  /** That of the messages' own texts. */
  group: GuestLanguage
  /** The further language that is shown; null: the group's. */
  shown: GuestLanguage | null
  show: (language: GuestLanguage | null) => void
}

interface MessageLanguagesProps {
  languages: Languages
  message: MessageText
  change: (changes: Partial<MessageText>) => void
  errorAt: StepProps['errorAt']
  /** As in `MessageFields`. */
  at: string
}

/** The languages of a message as tabs, and a choice that adds one: it begins as a copy of the message's own text. */
export function MessageLanguages({ languages, message, change, errorAt, at }: MessageLanguagesProps) {
  const t = useTranslations('client.automationEditor.languages')
  const named = useGuestLanguages()
  // Added again, a language is as it was.
  const removed = useRef(new Map<GuestLanguage, VersionText>())
  const { group, shown, show } = languages
  const { versions, subject, body, emailDesign } = message
  const found = (wanted: GuestLanguage) => named.find(({ value }) => value === wanted)
  const nameOf = (wanted: GuestLanguage) => found(wanted)?.label ?? wanted
  const wordOf = (wanted: GuestLanguage) => found(wanted)?.word ?? wanted
  const current = versions.find(({ language }) => language === shown)
  const isCopy = current?.subject === subject && current.body === body && current.emailDesign === emailDesign
  const free = named.filter(
    ({ value }) => value !== group && versions.every(({ language }) => language !== value),
  )
  const problemOf = (language: GuestLanguage) => {
    const place = versions.findIndex((one) => one.language === language)
    return errorAt(`${at}versions.${place}`)
  }
  const hidden = versions.find(({ language }) => language !== current?.language && problemOf(language))

  function add(language: GuestLanguage) {
    const version = removed.current.get(language) ?? { language, subject, body, emailDesign }
    change({ versions: [...versions, version] })
    show(language)
  }

  function remove({ language }: VersionText) {
    const version = versions.find((one) => one.language === language)
    if (version) removed.current.set(language, version)
    change({ versions: versions.filter((one) => one.language !== language) })
    show(null)
  }

  return (
    <div className={classes.bar}>
      {versions.length > 0 ? (
        <fieldset className={classes.tabs} aria-label={t('label')}>
          <button
            type="button"
            className={classes.tab}
            aria-pressed={current === undefined}
            onClick={() => show(null)}
          >
            {nameOf(group)}
          </button>
          {versions.map(({ language }) => (
            <button
              key={language}
              type="button"
              className={classes.tab}
              aria-pressed={language === current?.language}
              data-problem={problemOf(language) ? true : undefined}
              onClick={() => show(language)}
            >
              {nameOf(language)}
            </button>
          ))}
        </fieldset>
      ) : null}
      {free.length > 0 ? (
        <NativeSelect
          aria-label={t('add')}
          size="xs"
          value=""
          data={[{ value: '', label: t('add') }, ...asChoices(free)]}
          onChange={(event) => {
            const chosen = free.find(({ value }) => value === event.currentTarget.value)
            if (chosen) add(chosen.value)
          }}
        />
      ) : null}
      {current ? (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => remove(current)}
        >
          {t('remove', { language: wordOf(current.language) })}
        </Button>
      ) : null}
      <p className={classes.hint}>
        {current
          ? t(isCopy ? 'copy' : 'further', { language: wordOf(current.language) })
          : versions.length > 0
            ? t('own')
            : null}
      </p>
      {hidden ? (
        <p role="alert" className={classes.problem}>
          {t('problem', { language: nameOf(hidden.language), problem: problemOf(hidden.language) ?? '' })}
        </p>
      ) : null}
    </div>
  )
}
