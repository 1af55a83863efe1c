import { href } from '@/components/ui/query'

/** The page that compares two customers; the first one is kept. */
export function compareHref(keep: string, merge: string): string {
  return href('/customers/duplicates/compare', { keep, merge })
}
