import { useTranslations } from 'next-intl'
import { closedPart } from '@/lib/closings/closed-part'
import type { Closing } from '@/lib/closings/schema'

/** Returns a function that says what a closing closes, without the reason. */
export function useClosingText() {
  const t = useTranslations('client.closings.what')
  return ({ shift, zone }: Pick<Closing, 'shift' | 'zone'>): string =>
    t(closedPart({ shift, zone }), { shift: shift ?? '', zone: zone ?? '' })
}
