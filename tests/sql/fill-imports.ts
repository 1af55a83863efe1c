import type { stackClient } from '../factories/group'

/** An import of each group, without a location (its id goes to `ids` as `Norte import`), and three more of Norte. */
export async function fillImports(
  service: ReturnType<typeof stackClient>,
  ids: Record<string, string>,
): Promise<void> {
  for (const name of ['Norte', 'Sur']) {
    const run = { organization_id: String(ids[name]), file_name: 'clientes.csv', status: 'succeeded' }
    const made = await service.from('import_runs').insert(run).select('id').single().throwOnError()
    ids[`${name} import`] = made.data.id
  }
  const runs = [
    { location_id: String(ids.Retiro), file_name: 'retiro.csv' },
    { location_id: String(ids.Sol), file_name: 'sol.csv' },
    { profile_id: String(ids.boundAdmin), file_name: 'suyo.csv' },
  ].map((run) => ({
    ...{ organization_id: String(ids.Norte), status: 'succeeded', location_id: null, profile_id: null },
    ...run,
  }))
  const made = await service.from('import_runs').insert(runs).select('id, file_name').throwOnError()
  ids['Sol import'] = made.data.find(({ file_name }) => file_name === 'sol.csv')?.id ?? ''
}
