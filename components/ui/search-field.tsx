'use client'
import { CloseButton, Loader } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState, useTransition } from 'react'
import { FilterField, filterClasses } from './filter-field'

const DELAY_MS = 300
const MAX_LENGTH = 100

/** A search whose text lives in the address as `q`, a moment after the typing stops. */
export function SearchField({ label }: { label: string }) {
  const t = useTranslations('client.search')
  const router = useRouter()
  const pathname = usePathname()
  const current = useSearchParams()
  const asked = current.get('q') ?? ''
  const sent = useRef(asked)
  const [text, setText] = useState(asked)
  const [pending, startTransition] = useTransition()

  // Follows the address when something else changed it: back, forward, a link that clears the filters.
  useEffect(() => {
    if (asked === sent.current) return
    sent.current = asked
    setText(asked)
  }, [asked])

  const send = useDebouncedCallback((value: string) => {
    const q = value.trim()
    if (q === sent.current) return
    const query = new URLSearchParams(window.location.search)
    query.delete('cursor')
    if (q === '') query.delete('q')
    else query.set('q', q)
    sent.current = q
    startTransition(() =>
      router.replace(query.size > 0 ? `${pathname}?${query}` : pathname, { scroll: false }),
    )
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
