import { editFunction } from './mutation'

const RECORD = 'public.record_delivery(uuid,text,text,uuid,text,text,timestamptz)'
const INBOUND = 'public.record_inbound(uuid,text,text,text,text,text,text,timestamptz)'
const SUPPRESS = 'public.suppress_addresses(uuid,text,text[],text)'

/** Delivery reports and suppressions that are a little wrong. */
const MUTATIONS: [name: string, sql: string][] = [
  [
    'record_delivery(): of any organization',
    editFunction(
      RECORD,
      ' and provider_id = p_provider_id and organization_id = p_organization',
      ' and provider_id = p_provider_id',
    ),
  ],
  [
    'record_delivery(): by our id of any organization',
    editFunction(
      RECORD,
      'where id = p_message and organization_id = p_organization and',
      'where id = p_message and',
    ),
  ],
  ['record_delivery(): what was never tried', editFunction(RECORD, 'attempts > 0', 'true')],
  [
    'record_delivery(): by the other provider',
    editFunction(RECORD, 'and p_provider = any(private.providers_of(channel))', ''),
  ],
  [
    'record_delivery(): backwards from sent',
    editFunction(RECORD, `p_status in ('delivered', 'failed')`, 'true'),
  ],
  ['record_delivery(): backwards from delivered', editFunction(RECORD, 'else false end', 'else true end')],
  [
    'suppress_addresses(): a weaker reason wins',
    editFunction(SUPPRESS, 'private.adds_to(excluded.reason, s)', 'true'),
  ],
  [
    'unsuppress_address(): whatever the reason',
    editFunction('private.lift_opt_outs(uuid,text,text[],text[])', 'and reason = any(p_reasons)', ''),
  ],
  [
    'record_inbound(): an older message closes the window',
    editFunction(
      INBOUND,
      'greatest(excluded.last_inbound_at, w.last_inbound_at)',
      'excluded.last_inbound_at',
    ),
  ],
]

export const deliveryMutations: [file: string, name: string, sql: string][] = MUTATIONS.map(([name, sql]) => [
  'delivery.test.ts',
  name,
  sql,
])
