import { generateKeys } from '../../../supabase/local/keys'
import { createGroup, type Group } from '../../factories/group'
import { noQuietHours } from '../../factories/messaging'
import { startCluster } from '../../support/postgres/cluster'
import { startPostgresStack } from '../../support/postgres/stack'
import type { Stack } from '../../support/stack'
import { startWorker } from '../support/worker'
import type { MessagesAnswer, MessagesQuestion } from './app-worker'

const CUSTOMERS = 200_000

type Ask =
  | Omit<Extract<MessagesQuestion, { ask: 'run' }>, Place>
  | Omit<Extract<MessagesQuestion, { ask: 'send' }>, Place>
type Place = 'url' | 'secretKey' | 'organizationId'

/** A database with 200,000 customers and their history, and apps on demand. */
export interface Lab {
  stack: Stack
  group: Group
  /** Asks an app that has just started, its Node with these arguments. */
  app: (question: Ask, nodeArgs?: string[]) => Promise<MessagesAnswer>
}

/** Runs `work` in a lab and takes everything down after it. */
export async function withLab<T>(work: (lab: Lab) => Promise<T>): Promise<T> {
  const keys = await generateKeys()
  const { connection, stop } = await startCluster()
  try {
    const stack = await startPostgresStack(connection, keys)
    try {
      const group = await createGroup(stack, 'Grupo Banco', [{ name: 'Norte', slug: 'norte' }])
      await noQuietHours(stack)
      await addHistory(stack, group)
      return await work({ stack, group, app: askApp.bind(undefined, stack, group) })
    } finally {
      await stack.close()
    }
  } finally {
    await stop()
  }
}

/**
 * Of the 200,000: the first 10,000 have spent most, the next have their birthday in three days, the next have not come
 * for long, and the first 100,000 have the tag `many`. Three reservations and a message of last month each.
 */
async function addHistory(stack: Stack, group: Group): Promise<void> {
  const ids = [group.id, group.locations[0]?.id]
  await stack.sql(
    `insert into public.customers (organization_id, location_id, email, phone, first_name, last_name, tags, total_spend,
       total_visits, last_visit_at, birth_date)
     select $1, $2, 'cliente' || n || '@banco.example', '+346' || lpad(n::text, 8, '0'), 'Nombre ' || n,
       'Apellido ' || n % 5000, case when n <= 100000 then array['many'] else '{}' end,
       case when n <= 10000 then 1500 else n % 900 end, 3,
       now() - make_interval(days => case when n between 20001 and 30000 then 200 else n % 80 end),
       current_date + case when n between 10001 and 20000 then 3 else 20 + n % 300 end - interval '40 years'
     from generate_series(1, ${CUSTOMERS}) as n`,
    ids,
  )
  await stack.sql(
    `insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
       party_size, status, source, external_id)
     select $1, $2, c.id, current_date - (n * 200 + length(c.last_name) * 7), '21:00', 2, 'completed', 'pms', c.id || '-' || n
     from public.customers c, generate_series(1, 3) as n`,
    ids,
  )
  const [old] = await stack.sql<{ id: string }>(
    `insert into public.automations (organization_id, name, type, channel, body, status, criteria)
     values ($1, 'Del mes pasado', 'reengagement', 'sms', 'Hola', 'inactive',
       '{"inactive_days": 90, "min_visits": 1}') returning id`,
    [group.id],
  )
  await stack.sql(
    `insert into public.messages (organization_id, kind, purpose, automation_id, customer_id, channel, recipient, status,
       dedupe_key, content, created_at, sent_at, provider, provider_id)
     select $1, 'marketing', 'post_visit', $2, c.id, 'sms', c.phone, 'sent', 'old:' || c.id, '{"body":"Hola"}',
       now() - interval '30 days', now() - interval '30 days', 'twilio', 'SM' || c.id
     from public.customers c`,
    [group.id, old?.id],
  )
  for (const table of ['customers', 'reservations', 'messages'])
    await stack.sql(`vacuum analyze public.${table}`)
}

async function askApp(
  stack: Stack,
  group: Group,
  question: Ask,
  nodeArgs?: string[],
): Promise<MessagesAnswer> {
  const { keys, url } = stack
  const worker = startWorker<MessagesQuestion, MessagesAnswer>(
    new URL('./app-worker.ts', import.meta.url),
    {
      SUPABASE_URL: url,
      SUPABASE_PUBLISHABLE_KEY: keys.publishableKey,
      SUPABASE_SECRET_KEY: keys.secretKey,
      CRON_SECRET: keys.cronSecret,
      SECRETS_KEY: keys.secretsKey,
      APP_URL: 'https://crm.example',
      MESSAGE_SANDBOX: '1',
      LOG_LEVEL: 'error',
    },
    nodeArgs,
  )
  try {
    return await worker.ask({ url, secretKey: keys.secretKey, organizationId: group.id, ...question })
  } finally {
    await worker.stop()
  }
}
