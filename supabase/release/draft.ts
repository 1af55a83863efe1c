import { type Change, type DatabaseObject, elementsOf } from './dump'

/** The parts of a migration, in the order in which they run. */
export interface Draft {
  /** Triggers, policies and functions that went, or that cannot be replaced. */
  drops: string[]
  /** Tables and what belongs to them. A person edits this part. */
  state: string[]
  /** Policies, comments and rights: they hold no data, and are replaced. */
  rules: string[]
}

/**
 * Drafts the statements that bring a database from one shape to the other, without the functions and triggers of
 * `supabase/logic`: those are written whole.
 * @param isLogic whether a function, or the one of a comment or right, stands in `supabase/logic`.
 */
export function draftOf(changes: Change[], isLogic: (object: DatabaseObject) => boolean): Draft {
  const draft: Draft = { drops: [], state: [], rules: [] }
  const gone = goneWithTheirParts(changes)
  for (const { before, after } of changes) {
    const object = after ?? before
    if (!object || (!after && gone.has(placeOf(object)))) continue
    switch (object.kind) {
      case 'FUNCTION':
        if (before && (!after || headOf(before) !== headOf(after)))
          draft.drops.push(`drop function ${object.schema}.${before.name};`)
        if (after && !isLogic(after))
          draft.state.push(after.sql.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'))
        break
      case 'TRIGGER':
        if (!after) draft.drops.push(`drop trigger ${dropped(object)};`)
        break
      case 'POLICY':
        if (before) draft.drops.push(`drop policy ${dropped(before)};`)
        if (after) draft.rules.push(after.sql)
        break
      case 'COMMENT':
        // Of what stays. The comment of a function of the logic stands there, that of something gone goes with it.
        if (after && !isLogic(after)) draft.rules.push(after.sql)
        break
      case 'ACL':
        draft.rules.push(...rights(before, after, isLogic(object)))
        break
      case 'TABLE':
        draft.state.push(...tableChanges(before, after))
        break
      case 'TYPE':
        draft.state.push(...(newLabels(before, after) ?? replaced(before, after)))
        break
      default:
        draft.state.push(...replaced(before, after))
    }
  }
  return draft
}

/** Tables that went, and columns as `public.tickets.title`: what belongs to them goes with them. */
function goneWithTheirParts(changes: Change[]): Set<string> {
  return new Set(
    changes.flatMap(({ before, after }) => {
      if (before?.kind !== 'TABLE') return []
      const table = `${before.schema}.${before.name}`
      const names = (object: DatabaseObject) =>
        elementsOf(object)
          .filter((element) => !isConstraint(element))
          .map(nameOf)
      if (!after) return [table, ...names(before).map((name) => `${table}.${name}`)]
      const left = names(after)
      return names(before)
        .filter((name) => !left.includes(name))
        .map((name) => `${table}.${name}`)
    }),
  )
}

/** The table that an index, constraint, policy, trigger or right belongs to, or the column of a right. */
function placeOf({ kind, schema, name, sql }: DatabaseObject): string {
  if (kind === 'ACL') return `${schema}.${name.replace(/^\S+ /, '')}`
  if (kind === 'TABLE') return ''
  return / ON (?:ONLY )?([^\s(]+)/.exec(sql)?.[1] ?? /^ALTER TABLE (?:ONLY )?(\S+)/.exec(sql)?.[1] ?? ''
}

/** A function's name, arguments and result: what `create or replace` must not change. */
const headOf = ({ sql }: DatabaseObject) => sql.slice(0, sql.indexOf('\n    LANGUAGE'))

/** `name on table`: pg_dump puts the table's name in front. */
function dropped({ sql }: DatabaseObject): string {
  const [, name, table] =
    /^CREATE (?:CONSTRAINT )?(?:TRIGGER|POLICY) ("[^"]+"|\S+)[\s\S]*? ON (\S+)/.exec(sql) ?? []
  return `${name} on ${table}`
}

/** Grants that are new, and the way back for those that are not there any more. Files of the logic have their grants. */
function rights(
  before: DatabaseObject | undefined,
  after: DatabaseObject | undefined,
  isLogic: boolean,
): string[] {
  const lines = (object?: DatabaseObject) =>
    object?.sql.split('\n').filter((line) => line.startsWith('GRANT ')) ?? []
  const is = lines(after)
  const was = lines(before)
  // Gone with the object itself: nothing is left to revoke from.
  if (!after && before?.name.startsWith('FUNCTION ')) return []
  return [
    ...was
      .filter((line) => !is.includes(line))
      .map((line) => line.replace(/^GRANT /, 'REVOKE ').replace(/ TO (\S+);$/, ' FROM $1;')),
    ...is.filter((line) => !isLogic && !was.includes(line)),
  ]
}

function tableChanges(before?: DatabaseObject, after?: DatabaseObject): string[] {
  if (!after)
    return [`-- Gone: no running release may read it.\n-- drop table ${before?.schema}.${before?.name};`]
  if (!before) return [after.sql]
  const table = `${after.schema}.${after.name}`
  const [was, is] = [elementsOf(before), elementsOf(after)]
  const added = is.filter((line) => !was.includes(line))
  // A column takes its constraints with it, so these go first.
  const gone = was
    .filter((line) => !is.includes(line))
    .toSorted((one, other) => Number(isConstraint(other)) - Number(isConstraint(one)))
  return [
    ...gone.map((line) =>
      isConstraint(line)
        ? `alter table ${table} drop constraint ${nameOf(line)};`
        : added.some((other) => nameOf(other) === nameOf(line))
          ? `-- Was: ${line}`
          : `-- Gone: no running release may read or write it.\n-- alter table ${table} drop column ${nameOf(line)};`,
    ),
    ...added.map((line) =>
      isConstraint(line)
        ? `alter table ${table} add ${line};`
        : gone.some((other) => nameOf(other) === nameOf(line))
          ? `-- Now: ${line}\n-- alter table ${table} alter column ${nameOf(line)} …;`
          : `alter table ${table} add column ${line};`,
    ),
  ]
}

const isConstraint = (line: string) => line.startsWith('CONSTRAINT ')
const nameOf = (line: string) => line.replace(/^CONSTRAINT /, '').split(' ')[0] ?? ''

/** An enum that has only more values than before, each put behind the one that stands there. */
function newLabels(before?: DatabaseObject, after?: DatabaseObject): string[] | undefined {
  const labels = (object?: DatabaseObject) =>
    [...(object?.sql ?? '').matchAll(/^ {4}('.*?')(?:,|$)/gm)].map(([, label = '']) => label)
  const [was, is] = [labels(before), labels(after)]
  if (!after || was.length === 0 || is.filter((label) => was.includes(label)).join() !== was.join())
    return undefined
  return is.flatMap((label, place) =>
    was.includes(label)
      ? []
      : `alter type ${after.schema}.${after.name} add value ${label} ${place === 0 ? `before ${is[1]}` : `after ${is[place - 1]}`};`,
  )
}

/** Indexes, foreign keys, types and the like: dropped and made again, for a person to weigh. */
function replaced(before?: DatabaseObject, after?: DatabaseObject): string[] {
  const drop = before && dropStatement(before)
  if (!after) return [drop ?? `-- Gone:\n${commented(before)}`]
  if (!before) return [after.sql]
  return drop ? [drop, after.sql] : [`-- Was:\n${commented(before)}\n-- Now:\n${commented(after)}`]
}

function dropStatement({ kind, schema, name, sql }: DatabaseObject): string | undefined {
  if (kind === 'INDEX') return `drop index ${schema}.${name};`
  const [, table, constraint] = /^ALTER TABLE ONLY (\S+)\n {4}ADD CONSTRAINT (\S+)/.exec(sql) ?? []
  return constraint && `alter table ${table} drop constraint ${constraint};`
}

const commented = (object?: DatabaseObject) => (object?.sql ?? '').replace(/^/gm, '-- ')
