'use client'
import { Loader, NativeSelect } from '@mantine/core'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useOptimistic, useTransition } from 'react'

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
    <NativeSelect
      aria-label={label}
      data={options}
      value={shown}
      onChange={(event) => change(event.currentTarget.value)}
      rightSection={pending ? <Loader size={14} /> : undefined}
      aria-busy={pending}
    />
  )
}
