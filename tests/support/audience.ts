import type { Stack } from './stack'

/** A row of an automation's audience. */
export interface Addressed {
  customer_id: string
  reservation_id: string | null
  dedupe_key: string
}

/** To whom a saved automation would write at `now`: the parts of the product's audience, as its plan joins them. */
export async function audienceOf(
  { sql }: Pick<Stack, 'sql'>,
  automation: string,
  now: string,
): Promise<Addressed[]> {
  const [row] = await sql<{ query: string }>(
    `select string_agg(format('select c.id::text as customer_id, %s as reservation_id, %s as dedupe_key from %s where %s',
       case when p.reservation then 'r.id::text' else 'null::text' end, p.key, p.source, p.condition), ' union all ')
       as query
     from public.automations a, private.audience_parts(a, $2::timestamptz) p where a.id = $1`,
    [automation, now],
  )
  return sql<Addressed>(row?.query ?? '')
}
