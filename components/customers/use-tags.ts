import { useRef, useState } from 'react'
import { send } from '@/components/settings/send'
import type { CustomerTag } from '@/lib/customers/tags'

/** The tags in use, once `load` has been called; none while they are on their way or cannot be had. */
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
