import { useEffect, useState } from 'react'
import { send } from '@/components/forms/send'
import type { Hours, TableRecord } from '@/lib/locations/service-setup-schema'

interface PlaceParts {
  shifts: readonly { name: string; weekdays: readonly number[]; closes: string }[]
  zones: readonly string[]
  failed: boolean
  loading: boolean
}

const NONE: PlaceParts = { shifts: [], zones: [], failed: false, loading: false }

/** What of a location can be closed by itself: its shifts, and the zones of its tables. Nothing while they load. */
export function usePlaceParts(locationId: string): PlaceParts {
  const [read, setRead] = useState<{ of: string; parts: PlaceParts } | null>(null)
  useEffect(() => {
    if (!locationId) return
    const leave = new AbortController()
    const options = { signal: AbortSignal.any([leave.signal, AbortSignal.timeout(10_000)]), stay: true }
    const path = `/api/locations/${locationId}`
    Promise.all([
      send<Hours>('GET', `${path}/hours`, undefined, options),
      send<TableRecord[]>('GET', `${path}/tables`, undefined, options),
    ]).then(([hours, tables]) => {
      if (leave.signal.aborted) return
      const zones = tables.ok ? tables.data.flatMap(({ zone }) => zone ?? []) : []
      const shifts = hours.ok ? hours.data.shifts : []
      const failed = !hours.ok || !tables.ok
      setRead({ of: locationId, parts: { shifts, zones: [...new Set(zones)], failed, loading: false } })
    })
    return () => leave.abort()
  }, [locationId])
  return read?.of === locationId ? read.parts : { ...NONE, loading: locationId !== '' }
}
