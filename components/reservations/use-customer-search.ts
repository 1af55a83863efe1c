import { useDebouncedCallback } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { send } from '@/components/settings/send'
import type { Customer } from '@/lib/customers/schema'

const DELAY_MS = 250
const SHORTEST = 2
const SHOWN = 6

/** Looks customers up by name, phone or e-mail, a moment after the typing stops; a late answer never wins. */
export function useCustomerSearch() {
  const [customers, setCustomers] = useState<Customer[]>([])
  const [searching, setSearching] = useState(false)
  const wanted = useRef('')

  const ask = useDebouncedCallback(async (text: string) => {
    if (text !== wanted.current) return
    const query = new URLSearchParams({ search: text, sort: 'visits', limit: String(SHOWN) })
    const answer = await send<Customer[]>('GET', `/api/customers?${query}`)
    if (text !== wanted.current) return
    setSearching(false)
    setCustomers(answer.ok ? answer.data : [])
  }, DELAY_MS)

  function search(value: string) {
    const text = value.trim()
    wanted.current = text
    if (text.length < SHORTEST) return clear()
    setSearching(true)
    ask(text)
  }

  function clear() {
    wanted.current = ''
    setSearching(false)
    setCustomers([])
  }

  return { customers, searching, search, clear }
}
