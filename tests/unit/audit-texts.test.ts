import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AUDIT_KINDS } from '@/lib/audit/schema'
import en from '@/lib/i18n/en/audit.json'
import es from '@/lib/i18n/es/audit.json'

const ROOT = new URL('../../', import.meta.url).pathname
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)

const FUNCTIONS = globSync('supabase/migrations/*.sql', { cwd: ROOT })
  .sort()
  .map(read)
  .join('\n')
  .replace(/--.*$/gm, '')
  // A grant names functions that it does not call.
  .replace(/^(grant|revoke) [^;]*;/gm, '')
  .split(/(?=^create function )/m)
const functionOf = (name: string) =>
  FUNCTIONS.find((text) => text.startsWith(`create function ${name}(`)) ?? ''

/** Actions that stand whole in a function that logs. */
const whole = () =>
  FUNCTIONS.filter((text) =>
    /private\.(audit|audit_setup|log_sign_in|log_shift_note)\(|into public\.audit_log/.test(text),
  ).flatMap((text) => all(text, /'([a-z_]+\.[a-z_]*[a-z])'/g))

/** The start and the end of each kind of export, which log_export puts together. */
const ofExports = () => {
  const ends = all(functionOf('private.log_export'), /'\.(export\w+)'/g)
  return FUNCTIONS.flatMap((text) => all(text, /private\.log_export\(.*?, '([a-z]+)', p_filters/g)).flatMap(
    (kind) => ends.map((end) => `${kind}.${end}`),
  )
}

/** Actions that save_points puts together: `customer.points_` and the kind of the entry. */
const ofPoints = () =>
  all(functionOf('public.save_points').split('begin')[0] ?? '', /when '(\w+)' then/g).map(
    (kind) => `customer.points_${kind}`,
  )

/** Actions that write_lines puts together: the kind of a table's records and what a trigger of the table saw. */
function ofTables(): string[] {
  const lines = functionOf('private.write_lines')
  const triggers = functionOf('private.log_rows')
  const kinds = new Map(
    [...lines.matchAll(/when '([a-z_]+s)' then '([a-z_]+)'/g)].map(([, table = '', kind = '']) => [
      table,
      kind,
    ]),
  )
  const [made, gone] = [
    ...lines.matchAll(/case n\.kind ((?:when '\w+' then '\.\w+'\s*)+)else '(\.\w+)'/g),
  ].map(([, cases = '', other = '']) => {
    const words = new Map(
      [...cases.matchAll(/when '(\w+)' then '(\.\w+)'/g)].map(([, kind = '', word = '']) => [kind, word]),
    )
    return (kind: string) => `${kind}${words.get(kind) ?? other}`
  })
  if (!made || !gone) throw new Error('private.write_lines words its actions in another way')
  const tables = all(/array array\[([^\]]*)\]/.exec(triggers)?.[1] ?? '', /'(\w+)'/g)
  const onlyDeleted = all(/v_table not in \(([^)]*)\)/.exec(triggers)?.[1] ?? '', /'(\w+)'/g)
  const importKind = kinds.get('import_runs') ?? 'no kind for import_runs'
  return tables
    .flatMap((table) => {
      const kind = kinds.get(table) ?? `no kind for ${table}`
      return [gone(kind), ...(onlyDeleted.includes(table) ? [] : [made(kind), `${kind}.changed`])]
    })
    .concat(made(importKind))
}

/** Actions that the app names when it calls log_action. */
const ofCode = () =>
  globSync('lib/**/*.ts', { cwd: ROOT }).flatMap((path) => all(read(path), /p_action: '([^']+)'/g))

// An organization with a log cannot be deleted; of a changed invitation only what happened to it is logged.
const NEVER = ['organization.deleted', 'invitation.changed']
const ACTIONS = [...new Set([...whole(), ...ofExports(), ...ofPoints(), ...ofTables(), ...ofCode()])]
  .filter((action) => !NEVER.includes(action))
  .sort()
const KINDS = [...new Set(ACTIONS.map((action) => action.split('.')[0] ?? ''))].sort()

describe('what the audit log may hold', () => {
  it.each([
    ['es', es],
    ['en', en],
  ])('has a text in %s for each action and kind, and no text too many', (_, texts) => {
    expect(ACTIONS.length).toBeGreaterThan(60)
    const worded = Object.entries(texts.actions).flatMap(([kind, actions]) =>
      Object.keys(actions).map((action) => `${kind}.${action}`),
    )
    expect(worded.sort()).toEqual(ACTIONS)
    expect(Object.keys(texts.kinds).sort()).toEqual(KINDS)
  })

  it('can be narrowed to each kind', () => {
    expect([...AUDIT_KINDS].sort()).toEqual(KINDS)
  })
})
