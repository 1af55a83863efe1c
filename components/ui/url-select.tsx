'use client'
import { Loader } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useOptimistic, useTransition } from 'react'
import { FilterField, filterClasses } from './filter-field'

interface UrlSelectProps {
  /** The query parameter it sets; the option with an empty value removes it. */
  name: string
  label: string
  value: string
  options: { value: string; label: string }[]
}

/** A select whose choice lives in the address, so that a list can be shared and reloaded. */
export function UrlSelect({ name, label, value, options }: UrlSelectProps) {
  const router = useRouter()
  const pathname = usePathname()
  const current = useSearchParams()
  const [pending, startTransition] = useTransition()
  const [shown, show] = useOptimistic(value)

  function change(next: string) {
    const query = new URLSearchParams(current)
    query.delete('cursor')
    if (next === '') query.delete(name)
    else query.set(name, next)
    startTransition(() => {
      show(next)
      router.push(query.size > 0 ? `${pathname}?${query}` : pathname, { scroll: false })
    })
  }

  return (
    <FilterField end={pending ? <Loader size={14} /> : <IconSelector size={16} aria-hidden />}>
      <select
        aria-label={label}
        className={filterClasses.control}
        value={shown}
        onChange={(event) => change(event.currentTarget.value)}
        aria-busy={pending}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FilterField>
  )
}
