import { execFileSync } from 'node:child_process'

/** An object of a database, or its comment or rights, as pg_dump writes it. */
export interface DatabaseObject {
  /** pg_dump's word: TABLE, FUNCTION, POLICY, TRIGGER, INDEX, CONSTRAINT, COMMENT, ACL … */
  kind: string
  schema: string
  /** With the table's name in front, of what belongs to one: `customers customers_touch`. */
  name: string
  /** Its statements. */
  sql: string
}

/** What became of an object: only `after` is new, only `before` is gone. */
export interface Change {
  before?: DatabaseObject
  after?: DatabaseObject
}

const HEAD = /^--\n-- Name: (.+); Type: (.+); Schema: (.+); Owner: .*\n--\n/m

/**
 * The objects of a database with their rights and comments, in an order in which they can be made.
 * @param program pg_dump, of the server's version or a later one.
 */
export function dumpObjects(program: string, url: string): DatabaseObject[] {
  const text = execFileSync(program, ['--schema-only', url], { encoding: 'utf8', maxBuffer: 1 << 28 })
  const [, ...parts] = text.split(HEAD)
  const objects: DatabaseObject[] = []
  for (let n = 0; n + 3 < parts.length; n += 4) {
    const [name = '', kind = '', schema = '', rest = ''] = parts.slice(n, n + 4)
    // The last one is followed by pg_dump's own closing lines.
    objects.push({
      name,
      kind,
      schema,
      sql: rest.replace(/\n--\n-- PostgreSQL database dump complete[\s\S]*/, '').trim(),
    })
  }
  return objects
}

/** The objects that two databases do not have alike. The order of a table's columns and of its grants is no difference. */
export function changesBetween(before: DatabaseObject[], after: DatabaseObject[]): Change[] {
  const former = new Map(before.map((object) => [keyOf(object), object]))
  const changes: Change[] = []
  for (const object of after) {
    const was = former.get(keyOf(object))
    former.delete(keyOf(object))
    if (!was || comparable(was) !== comparable(object)) changes.push({ before: was, after: object })
  }
  // What goes, goes in the opposite order.
  return [...[...former.values()].reverse().map((object) => ({ before: object })), ...changes]
}

/** `FUNCTION private.clock(timestamp with time zone)`: for people, and as a key. */
export function keyOf({ kind, schema, name }: DatabaseObject): string {
  return `${kind} ${schema === '-' ? '' : `${schema}.`}${name}`
}

/** The columns and constraints of a `create table`. pg_dump begins each on a line; an expression may have more lines. */
export function elementsOf({ sql }: DatabaseObject): string[] {
  const elements: string[] = []
  let open = ''
  for (const line of sql.slice(sql.indexOf('(\n') + 2, sql.lastIndexOf('\n)')).split('\n')) {
    open = open === '' ? line.trim() : `${open}\n${line}`
    if (depthOf(open) > 0) continue
    elements.push(open.replace(/,$/, ''))
    open = ''
  }
  return elements
}

/** How many brackets are open at the end, apart from those in quotes. */
function depthOf(text: string): number {
  const bare = text.replace(/'[^']*'|"[^"]*"/g, '')
  return bare.split('(').length - bare.split(')').length
}

function comparable(object: DatabaseObject): string {
  if (object.kind === 'ACL') return object.sql.split('\n').sort().join('\n')
  if (object.kind !== 'TABLE') return object.sql
  return [...elementsOf(object).sort(), object.sql.slice(object.sql.lastIndexOf('\n)'))].join('\n')
}
