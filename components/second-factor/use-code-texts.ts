import { useTranslations } from 'next-intl'
import type { OwnTexts } from '@/components/forms/error-text'

/** The messages for refusals of the second factor's endpoints. */
export function useCodeTexts(): OwnTexts {
  const t = useTranslations('client.secondFactor.failures')
  return {
    WRONG_CODE: t('code'),
    INVALID_INPUT: t('code'),
    SECOND_FACTOR_UNSUPPORTED: t('unavailable'),
    NO_SECOND_FACTOR: t('changed'),
    SECOND_FACTOR_EXISTS: t('changed'),
    failed: t('other'),
  }
}
