import { useDebouncedCallback } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { send } from '@/components/forms/send'
import type { Customer, CustomerCity, CustomerTag } from '@/lib/customers/schema'

const DELAY_MS = 250
const MIN_LENGTH = 2
const MAX_RESULTS = 6
const NOTHING: CustomerSearch = { state: 'idle', customers: [] }

interface CustomerSearch {
  state: 'idle' | 'busy' | 'done' | 'failed'
  customers: readonly Customer[]
}

/**
 * Finds customers by name, phone or e-mail, a moment after the typing stops; late answers are ignored. The last
 * results stay while the next request runs.
 */
export function useCustomerSearch() {
  const [found, setFound] = useState(NOTHING)
  const wanted = useRef('')

  const ask = useDebouncedCallback(async (text: string) => {
    if (text !== wanted.current) return
    const query = new URLSearchParams({ search: text, sort: 'visits', limit: String(MAX_RESULTS) })
    const answer = await send<Customer[]>('GET', `/api/customers?${query}`)
    if (text !== wanted.current) return
    setFound(answer.ok ? { state: 'done', customers: answer.data } : { state: 'failed', customers: [] })
  }, DELAY_MS)

  function search(value: string) {
    const text = value.trim()
    wanted.current = text
    if (text.length < MIN_LENGTH) return setFound(NOTHING)
    setFound(({ customers }) => ({ state: 'busy', customers }))
    ask(text)
  }

  function clear() {
    wanted.current = ''
    setFound(NOTHING)
  }

  return { ...found, search, clear }
}

/** The tags in use, after a call of `load`; empty while they load or when loading failed. */
export function useTags(): { tags: readonly CustomerTag[]; load: () => void } {
  const [tags, setTags] = useState<readonly CustomerTag[]>([])
  const asked = useRef(false)
  async function load() {
    if (asked.current) return
    asked.current = true
    const sent = await send<CustomerTag[]>('GET', '/api/customers/tags')
    if (sent.ok) setTags(sent.data)
    else asked.current = false
  }
  return { tags, load }
}

/** The first cities of customers that begin as the text that was last given to `load`, a moment later. */
export function useCities(): { cities: readonly string[]; load: (text: string) => void } {
  const [cities, setCities] = useState<readonly string[]>([])
  const wanted = useRef('')
  const ask = useDebouncedCallback(async (text: string) => {
    const query = new URLSearchParams({ search: text })
    const sent = await send<CustomerCity[]>('GET', `/api/customers/cities?${query}`, undefined, {
      stay: true,
    })
    if (sent.ok && text === wanted.current) setCities(sent.data.map(({ city }) => city))
  }, DELAY_MS)

  function load(typed: string) {
    wanted.current = typed.trim()
    if (wanted.current !== '') ask(wanted.current)
  }
  return { cities, load }
}
