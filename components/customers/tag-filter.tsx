'use client'
import { CloseButton, Loader } from '@mantine/core'
import { IconTag } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useEffect, useId, useState } from 'react'
import { FilterField, filterClasses } from '@/components/ui/filter-field'
import { useUrlParameter } from '@/components/ui/use-url-parameter'
import { useTags } from './use-look-ups'

const MAX_LENGTH = 60

/** Narrows the list to a tag: one in use (loaded when the field gets the focus), or any text. */
export function TagFilter({ value }: { value: string }) {
  const t = useTranslations('client.customers')
  const { pending, set } = useUrlParameter('tag')
  const id = useId()
  const { tags, load } = useTags()
  const [text, setText] = useState(value)
  // Follows the address when another control changes it.
  useEffect(() => setText(value), [value])

  function apply(tag: string) {
    if (tag.trim() !== value) set(tag.trim())
  }

  function change(next: string) {
    setText(next)
    if (next === '' || tags.some(({ tag }) => tag === next)) apply(next)
  }

  const clear = <CloseButton size="sm" aria-label={t('clearTag')} onClick={() => change('')} />
  return (
    <>
      <FilterField
        icon={<IconTag size={16} aria-hidden />}
        end={pending ? <Loader size={14} /> : text ? clear : null}
      >
        <input
          aria-label={t('tag')}
          className={filterClasses.control}
          placeholder={t('tag')}
          list={id}
          value={text}
          maxLength={MAX_LENGTH}
          autoComplete="off"
          onFocus={load}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && apply(text)}
          onBlur={() => apply(text)}
        />
      </FilterField>
      <datalist id={id}>
        {tags.map(({ tag, customers }) => (
          <option key={tag} value={tag}>
            {t('tagCount', { count: customers })}
          </option>
        ))}
      </datalist>
    </>
  )
}
