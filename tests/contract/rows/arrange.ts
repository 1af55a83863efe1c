import type { Arrange } from '../row'
import type { World } from '../world'

/** A record of the group (or of the organization the row names), with an id of its own; gone afterwards. */
export const given =
  (table: string, row: (world: World) => { id: string; [column: string]: unknown }): Arrange =>
  async (world) => {
    const values: Record<string, unknown> = { organization_id: world.group.id, ...row(world) }
    const columns = Object.keys(values).join(', ')
    await world.stack.sql(
      `insert into public.${table} (${columns})
       select ${columns} from jsonb_populate_record(null::public.${table}, $1::jsonb)`,
      [JSON.stringify(values)],
    )
    return () => world.stack.sql(`delete from public.${table} where id = $1`, [values.id])
  }

/** Nothing beforehand; the statement afterwards. */
export const afterwards =
  (statement: string): Arrange =>
  async ({ stack }) =>
  () =>
    stack.sql(statement)

/** The statement before and after. */
export const without =
  (statement: string): Arrange =>
  async ({ stack }) => {
    await stack.sql(statement)
    return () => stack.sql(statement)
  }

/** One after another; undone the other way round. */
export const all =
  (...arranges: Arrange[]): Arrange =>
  async (world) => {
    const undone: (() => Promise<unknown>)[] = []
    for (const arrange of arranges) {
      const undo = await arrange(world)
      if (undo) undone.unshift(undo)
    }
    return async () => {
      for (const undo of undone) await undo()
    }
  }

/** No one has asked anything yet in this minute. */
export const unlimited = without('delete from public.rate_limits')

/** Running automations and saving loyalty rules need canAccessMarketing. */
export const limited: Arrange = async ({ stack }) => {
  await stack.sql('update public.organizations set limit_marketing_to_roles = true')
  return () => stack.sql('update public.organizations set limit_marketing_to_roles = false')
}

/** The PMS answers at no location. */
export const pmsDown: Arrange = async ({ pms }) => {
  for (const slug of ['alfa', 'bravo', 'charlie']) pms.setFault(slug, { kind: 'error', status: 404 })
  return async () => pms.clearFaults()
}
