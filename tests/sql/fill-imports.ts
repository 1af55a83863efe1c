import type { stackClient } from '../factories/group'

/** An import of each group; its id goes to `ids` as `Norte import`. */
export async function fillImports(
  service: ReturnType<typeof stackClient>,
  ids: Record<string, string>,
): Promise<void> {
  for (const name of ['Norte', 'Sur']) {
    const run = { organization_id: String(ids[name]), file_name: 'clientes.csv', status: 'succeeded' }
    const made = await service.from('import_runs').insert(run).select('id').single().throwOnError()
    ids[`${name} import`] = made.data.id
  }
}
