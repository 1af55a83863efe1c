import { INTEGRATIONS, type IntegrationType } from '@/lib/integrations/types'

/** The provider's initial, not translated, in place of a logo that we may not use. */
export function ProviderMark({ type }: { type: IntegrationType }) {
  const { letter, color } = INTEGRATIONS[type].mark
  return (
    <svg width={32} height={32} viewBox="0 0 32 32" aria-hidden="true" lang="" style={{ flex: 'none' }}>
      <rect width="32" height="32" rx="8" fill={color} />
      <text x="16" y="22" textAnchor="middle" fontSize="17" fontWeight="600" fill="#fff">
        {letter}
      </text>
    </svg>
  )
}
