'use client'
import { Loader } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useOptimistic } from 'react'
import { FilterField, filterClasses } from './filter-field'
import { useUrlParameter } from './use-url-parameter'

interface UrlSelectProps {
  /** The query parameter it sets; the option with an empty value removes it. */
  name: string
  label: string
  value: string
  options: { value: string; label: string }[]
}

/** A select whose choice is in the address, so that a list can be shared and reloaded. */
export function UrlSelect({ name, label, value, options }: UrlSelectProps) {
  const { pending, set } = useUrlParameter(name)
  const [shown, show] = useOptimistic(value)
  const change = (next: string) => set(next, 'push', () => show(next))

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
