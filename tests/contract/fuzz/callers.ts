import { MACHINE_PERMISSIONS } from '@/lib/permissions'
import { connectPms } from '../../factories/group'
import { type HttpClient, httpClient } from '../http-client'
import type { Asker } from '../row'
import type { World } from '../world'

/** Who sends generated requests; `program` is an API token with every permission that tokens can hold. */
export type Caller = Asker | 'program'

/** The clients of the callers, which get back what requests took from them. */
export interface Callers {
  client: (as: Caller) => HttpClient
  /** Gives the caller a new session or token, and lifts the limits, unless another client is in use already. */
  renew: (as: Caller, used?: HttpClient) => Promise<void>
  /** Sets back what makes jobs long: where the PMS is, the locations it is asked for, what is sent. */
  tidy: () => Promise<void>
}

/** `renew` makes the program's first token. */
export function startCallers(world: World): Callers {
  let program: HttpClient | undefined
  const underWay = new Map<Caller, Promise<void>>()
  const client = (as: Caller) =>
    as === 'program' ? (program ?? httpClient(world.app.url)) : world.client(as)

  const renewNow = async (as: Caller) => {
    await world.stack.sql('truncate public.rate_limits, public.attempt_limits')
    if (as !== 'program') return world.renew(as)
    await world.renew('super_admin')
    // There may be fifty in use, and people make them too.
    await world.stack.sql('update private.api_tokens set revoked_at = now() where revoked_at is null')
    program = await newProgram(world)
  }

  return {
    client,
    renew: async (as, used) => {
      if (used && as !== 'visitor' && used !== client(as)) return
      const renewal = underWay.get(as) ?? renewNow(as).finally(() => underWay.delete(as))
      underWay.set(as, renewal)
      await renewal
    },
    tidy: async () => {
      const { stack, group, pms } = world
      await connectPms(stack, group.id, pms.url)
      const own = group.locations.map(({ id }) => id)
      await stack.sql(
        'update public.locations set pms_id = null where pms_id is not null and id <> all ($1::uuid[])',
        [own],
      )
      await stack.sql("update public.automations set status = 'inactive' where status = 'active'")
    },
  }
}

async function newProgram(world: World): Promise<HttpClient> {
  const body = { name: 'Programa', permissions: MACHINE_PERMISSIONS, expires_in_days: 1 }
  const made = await world.client('super_admin').request('POST', '/api/tokens', { body })
  const { data } = (await made.json()) as { data: { token: string } }
  const plain = httpClient(world.app.url)
  return {
    request: (method, path, init = {}) =>
      plain.request(method, path, {
        ...init,
        headers: { authorization: `Bearer ${data.token}`, ...init.headers },
      }),
  }
}
