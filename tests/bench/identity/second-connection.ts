import { Client } from 'pg'
import type { ClusterConnection } from '../../support/postgres/cluster'
import { clientConfig } from '../../support/postgres/server'
import type { Stack } from '../../support/stack'

/** Another connection to the stack's database, so that both cores have work. */
export async function secondConnection(
  connection: ClusterConnection,
  stack: Stack,
): Promise<Pick<Stack, 'sql' | 'close'>> {
  const [here] = await stack.sql<{ name: string }>('select current_database()::text as name')
  const client = new Client(clientConfig(connection, here?.name ?? ''))
  await client.connect()
  return {
    sql: async <Row>(query: string, parameters: unknown[] = []) =>
      (await client.query(query, parameters)).rows as Row[],
    close: () => client.end(),
  }
}
