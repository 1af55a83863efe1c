'use client'
import { CloseButton, Loader } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { FilterField, filterClasses } from './filter-field'
import { useUrlParameter } from './use-url-parameter'

const DELAY_MS = 300
const MAX_LENGTH = 100

interface SearchFieldProps {
  /** The query parameter it sets. */
  name?: string
  label: string
}

/** A search text that is written into the address a moment after the typing stops. */
export function SearchField({ name = 'search', label }: SearchFieldProps) {
  const t = useTranslations('client.search')
  const { value: asked, pending, set } = useUrlParameter(name)
  const sent = useRef(asked)
  const [text, setText] = useState(asked)

  // Follows the address when something else changes it: back, forward, a link that clears the filters.
  useEffect(() => {
    if (asked === sent.current) return
    sent.current = asked
    setText(asked)
  }, [asked])

  const send = useDebouncedCallback((value: string) => {
    const search = value.trim()
    if (search === sent.current) return
    sent.current = search
    set(search, 'replace')
  }, DELAY_MS)

  function type(value: string) {
    setText(value)
    send(value)
  }

  const clear = <CloseButton size="sm" aria-label={t('clear')} onClick={() => type('')} />
  return (
    <FilterField
      icon={<IconSearch size={16} aria-hidden />}
      end={pending ? <Loader size={14} /> : text ? clear : null}
    >
      <input
        type="search"
        aria-label={label}
        className={filterClasses.control}
        placeholder={label}
        value={text}
        maxLength={MAX_LENGTH}
        onChange={(event) => type(event.currentTarget.value)}
      />
    </FilterField>
  )
}
