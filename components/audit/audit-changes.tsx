import { useTranslations } from 'next-intl'
import type { NamedLine } from '@/lib/audit/schema'
import classes from './audit.module.css'

/** What a line says besides: each field with its value before and after; what has no name of its own shows as it is. */
export function AuditChanges({ line: { before, after } }: { line: Pick<NamedLine, 'before' | 'after'> }) {
  const t = useTranslations('audit')
  const fields = useTranslations('audit.fields')
  const values = useTranslations('audit.values')
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort()
  if (names.length === 0) return null
  return (
    <ul className={classes.changes}>
      {names.map((name) => {
        const [old, next] = [before?.[name], after?.[name]]
        return (
          <li key={name}>
            <b>{fieldOf(name)}:</b> {before && after && name in before ? <del>{wordsOf(old)}</del> : null}
            {before && after && name in before ? ' → ' : null}
            {after ? wordsOf(next) : wordsOf(old)}
          </li>
        )
      })}
    </ul>
  )

  function fieldOf(name: string): string {
    const known = name as Parameters<typeof fields.has>[0]
    return /^[a-z_]+$/.test(name) && fields.has(known) ? fields(known) : name
  }

  function wordsOf(value: unknown): string {
    if (value === null || value === undefined || value === '') return t('nothing')
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (Array.isArray(value)) return value.length === 0 ? t('nothing') : value.map(inList).join(', ')
    if (typeof value === 'object')
      return Object.entries(value)
        .map(([name, each]) => `${fieldOf(name)}: ${wordsOf(each)}`)
        .join('; ')
    const known = String(value) as Parameters<typeof values.has>[0]
    return /^[a-z_]+$/.test(known) && values.has(known) ? values(known) : String(value)
  }

  /** Names of fields are what lines about guests have. */
  function inList(value: unknown): string {
    return typeof value === 'string' ? fieldOf(value) : wordsOf(value)
  }
}
