-- What the pages about customers ask: everything that happened with one, what hangs on a record before it is merged or
-- erased, the tags in use, and the trace that an export of the list leaves.

-- With the caller's rights: each kind shows only to those who may read its table.
create function public.customer_timeline(p_customer uuid, p_kinds text[] default null,
  p_before timestamptz default null, p_before_id uuid default null, p_limit integer default 50)
returns table (kind text, id uuid, at timestamptz, details jsonb)
language sql stable set search_path = ''
as $$
  select e.kind, e.id, e.at, e.details
  from (
    select 'reservation' as kind, r.id, (r.reservation_date + r.reservation_time) at time zone l.timezone as at,
      jsonb_build_object('date', r.reservation_date, 'time', to_char(r.reservation_time, 'HH24:MI'),
        'location', l.name, 'party_size', r.party_size, 'status', r.status, 'notes', r.notes,
        'zone_name', r.zone_name, 'table_name', r.table_name, 'total_amount', r.total_amount, 'visited', r.visited,
        'estimated_amount', case when r.visited and r.total_amount is null
          then r.party_size * l.average_spend_per_guest end) as details
    from public.reservations r join public.locations l on l.id = r.location_id
    where r.customer_id = p_customer and r.source <> 'import'
    union all
    select 'message', m.id, coalesce(m.sent_at, m.created_at),
      jsonb_build_object('channel', m.channel, 'status', m.status, 'reason', m.reason, 'kind', m.kind,
        'simulated', m.simulated, 'automation', a.name, 'subject', m.content ->> 'subject')
    from public.messages m left join public.automations a on a.id = m.automation_id
    where m.customer_id = p_customer
    union all
    select 'ticket', t.id, t.created_at,
      jsonb_build_object('number', t.number, 'subject', t.subject, 'status', t.status, 'priority', t.priority)
    from public.tickets t where t.customer_id = p_customer
    union all
    select 'change', g.id, g.created_at,
      jsonb_build_object('action', g.action, 'fields', g.details -> 'fields',
        'before', g.details -> 'before', 'after', g.details -> 'after',
        'actor', private.actor_shown(g.actor, g.actor_id))
    from public.audit_log g
    where g.subject_id = p_customer and g.subject_type = 'customer'
  ) as e
  where (p_kinds is null or e.kind = any(p_kinds))
    and (p_before is null or (e.at, e.id) < (p_before, p_before_id))
  order by e.at desc, e.id desc
  limit least(p_limit, 201)
$$;
comment on function public.customer_timeline(uuid, text[], timestamptz, uuid, integer) is
  'A keyset page of what happened with a customer, the latest first: kinds reservation, message, ticket and change, those the caller may read.';

-- With its owner's rights: a merge and an erasure reach everything, so the count must too. Counts, nothing else.
create function public.customer_belongings(p_ids uuid[])
returns table (customer_id uuid, reservations bigint, messages bigint, tickets bigint, calendar_events bigint)
language sql stable security definer set search_path = ''
as $$
  select c.id,
    (select count(*) from public.reservations r where r.customer_id = c.id and r.source <> 'import'),
    (select count(*) from public.messages m where m.customer_id = c.id),
    (select count(*) from public.tickets t where t.customer_id = c.id),
    (select count(*) from public.calendar_events e where e.customer_id = c.id)
  from public.customers c
  where c.id = any(p_ids)
    and c.organization_id = any(array(select private.my_organizations('canAccessClientes')))
$$;
comment on function public.customer_belongings(uuid[]) is
  'How much refers to each of the customers, in all locations; empty for someone without customer access.';

create index customers_tagged_idx on public.customers (organization_id) where tags <> '{}';
create function public.customer_tags(p_limit integer default 200)
returns table (tag text, customers bigint)
language sql stable security definer set search_path = ''
as $$
  select u.tag, count(*)
  from public.customers c cross join lateral unnest(c.tags) as u (tag)
  where c.organization_id = any(array(select private.my_organizations('canAccessClientes'))) and c.tags <> '{}'
  group by u.tag order by count(*) desc, u.tag limit least(p_limit, 200)
$$;
comment on function public.customer_tags(integer) is
  'The tags of the caller''s customers, the most used first, and how many have each.';

create function public.log_customers_export(p_filters jsonb, p_rows integer default null) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
begin
  if v_organization is null then
    return false;
  end if;
  -- A download that takes long ends as it began.
  if p_rows is null then
    perform private.refuse_unconfirmed();
  end if;
  perform private.audit(v_organization,
    case when p_rows is null then 'customers.exported' else 'customers.export_ended' end, v_organization,
    jsonb_strip_nulls(jsonb_build_object('filters', p_filters, 'rows', p_rows)));
  return true;
end
$$;
comment on function public.log_customers_export(jsonb, integer) is
  'Logs that the caller begins to download the list of customers by these filters, and with p_rows, that so many have gone out; false when they may not.';

revoke execute on function public.customer_timeline(uuid, text[], timestamptz, uuid, integer),
  public.customer_belongings(uuid[]), public.customer_tags(integer), public.log_customers_export(jsonb, integer)
  from public, anon;
grant execute on function public.customer_timeline(uuid, text[], timestamptz, uuid, integer),
  public.customer_belongings(uuid[]), public.customer_tags(integer), public.log_customers_export(jsonb, integer)
  to authenticated;
