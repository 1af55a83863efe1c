-- Undoing a merge: the merged customer is restored under the former id, with its records. Later changes stay
-- with the remaining customer: new reservations, and every field, tag or fact that was changed since.

create or replace function private.undo_messages(p_merge uuid, p_kept uuid, p_gone uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_owner uuid;
begin
  -- The restored customer's first: they have the keys and the places in runs that the others get back.
  foreach v_owner in array array[p_gone, p_kept] loop
    update public.messages m set dedupe_key = r.was ->> 'dedupe_key',
      customer_id = case when m.customer_id is null or m.customer_id = p_kept then v_owner
      else m.customer_id end, recipient = coalesce(m.recipient, r.was ->> 'recipient'),
      content = case when m.content = '{}' then coalesce(nullif(r.was -> 'content', 'null'), '{}')
        else m.content end
    from private.merged_rows r
    where r.merge_id = p_merge and r.source = 'public.messages' and r.role = 'changed' and m.id = r.row_id
      and (r.was ->> 'customer_id')::uuid = v_owner;
    if v_owner = p_gone then
      update public.messages m set customer_id = p_gone
      from private.merged_rows r
      where r.merge_id = p_merge and r.source = 'public.messages' and r.role = 'moved' and m.id = r.row_id
        and m.customer_id = p_kept;
    end if;
  end loop;
end
$$;
comment on function private.undo_messages(uuid, uuid, uuid) is
  'Gives both customers their messages back, with their keys. A message that the merge took out of the queue is not sent any more.';

create or replace function private.undo_facts(p_merge uuid, p_kept uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  delete from public.customer_facts k using private.merged_rows m
  where m.merge_id = p_merge and m.source = 'public.customer_facts' and m.was -> 'kept' = 'null'
    and k.customer_id = p_kept and k.code = m.was #>> '{gone,code}'
    and k.recorded_at = (m.was #>> '{after,recorded_at}')::timestamptz;
  update public.customer_facts k set note = m.was #>> '{kept,note}'
  from private.merged_rows m
  where m.merge_id = p_merge and m.source = 'public.customer_facts' and m.was -> 'kept' <> 'null'
    and k.customer_id = p_kept and k.code = m.was #>> '{gone,code}'
    and k.recorded_at = (m.was #>> '{after,recorded_at}')::timestamptz;
  insert into public.customer_facts
  select f.* from private.merged_rows m
  cross join lateral jsonb_populate_record(null::public.customer_facts, m.was -> 'gone') as f
  where m.merge_id = p_merge and m.source = 'public.customer_facts';
end
$$;
comment on function private.undo_facts(uuid, uuid) is
  'Gives the restored customer their facts back. Facts recorded since stay with the remaining one too: an allergy is better recorded twice.';

create or replace function private.undo_points(p_merge uuid, p_kept uuid, p_gone uuid) returns void
language sql volatile set search_path = ''
as $$
  with visits as (
    select r.row_id as id, exists (
      select 1 from public.reservations v where v.id = r.row_id and v.customer_id = p_gone) as back
    from private.merged_rows r
    where r.merge_id = p_merge and r.source = 'public.reservations' and r.role = 'moved'
  )
  -- Entries of a visit move with the visit, also later ones; other entries move if the merge moved them.
  update public.loyalty_points p set customer_id = p_gone
  where p.customer_id = p_kept and case when p.reservation_id in (select v.id from visits v)
    then p.reservation_id in (select v.id from visits v where v.back) and not exists (
      select 1 from private.merged_rows r
      where r.merge_id = p_merge and r.source = 'public.loyalty_points' and r.role = 'own'
        and r.row_id = p.id)
    else exists (
      select 1 from private.merged_rows r
      where r.merge_id = p_merge and r.source = 'public.loyalty_points' and r.role = 'moved'
        and r.row_id = p.id) end
$$;
comment on function private.undo_points(uuid, uuid, uuid) is
  'Gives the restored customer their points back, after their reservations.';

create or replace function private.undo_pairs(p_merge uuid, p_kept uuid, p_gone uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  update public.customer_pairs k set first_id = least(p_gone, t.other), second_id = greatest(p_gone, t.other)
  from (
    select o.id, case o.first_id when p_kept then o.second_id else o.first_id end as other
    from private.merged_rows r join public.customer_pairs o on o.id = r.row_id
    where r.merge_id = p_merge and r.source = 'public.customer_pairs' and r.role = 'moved'
      and p_kept in (o.first_id, o.second_id)
  ) as t where k.id = t.id;
  -- Who was in such a pair may have been merged since: then it is about that customer, until that is undone
  -- too.
  with recursive other as (
    select r.row_id as pair, r.was, case r.was ->> 'first_id' when p_gone::text then r.was ->> 'second_id'
      else r.was ->> 'first_id' end::uuid as id, null::uuid as merge_id
    from private.merged_rows r
    where r.merge_id = p_merge and r.source = 'public.customer_pairs' and r.role = 'removed'
    union all
    select o.pair, o.was, m.kept_id, m.id from other o
    join public.customer_merges m on m.gone_id = o.id and m.undone_at is null
  ), back as (
    insert into public.customer_pairs (id, organization_id, first_id, second_id, verdict, author_id,
      author_name, decided_at)
    select o.pair, c.organization_id, least(p_gone, c.id), greatest(p_gone, c.id), o.was ->> 'verdict', p.id,
      o.was ->> 'author_name', (o.was ->> 'decided_at')::timestamptz
    from other o join public.customers c on c.id = o.id
    left join public.profiles p on p.id = (o.was ->> 'author_id')::uuid
    where c.id <> p_gone
    on conflict do nothing
    returning id
  )
  insert into private.merged_rows (merge_id, source, role, row_id, was)
  select o.merge_id, 'public.customer_pairs', case when b.id is null then 'removed' else 'moved' end, o.pair,
    case when b.id is null then o.was end
  from other o left join back b on b.id = o.pair
  -- Where another pair says so of the two already, it waits in the first of those merges.
  where o.merge_id is not null and (b.id is not null or exists (
    select 1 from public.customer_merges m
      where m.id = o.merge_id and m.gone_id::text in (o.was ->> 'first_id', o.was ->> 'second_id')));
  insert into public.customer_pairs (organization_id, first_id, second_id, verdict, author_id, author_name)
  select m.organization_id, least(p_kept, p_gone), greatest(p_kept, p_gone), 'different',
    (select private.caller()), coalesce(private.my_name(), private.actor_name())
  from public.customer_merges m where m.id = p_merge
  on conflict (first_id, second_id) do nothing;
end
$$;
comment on function private.undo_pairs(uuid, uuid, uuid) is
  'Restores the verdicts "not the same person" of the restored customer, and marks the two as different people, so that they are not suggested again.';

create or replace function private.undo_aliases(p_merge uuid, p_kept uuid, p_gone uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  delete from public.customer_aliases a using private.merged_rows r
  where r.merge_id = p_merge and r.source = 'public.customer_aliases' and r.role = 'added' and a.id = r.row_id
    and a.customer_id = p_kept;
  insert into public.customer_aliases (id, organization_id, customer_id, email, phone, whatsapp_id, name,
    created_at)
  select f.id, c.organization_id, c.id, f.email, f.phone, f.whatsapp_id, f.name, f.created_at
  from private.merged_rows r
  cross join lateral jsonb_populate_record(null::public.customer_aliases, r.was) as f
  join public.customers c on c.id = f.customer_id
  where r.merge_id = p_merge and r.source = 'public.customer_aliases' and r.role = 'removed'
  on conflict do nothing;
  -- The e-mail of a customer must not be an alias of another.
  delete from public.customer_aliases a using public.customers c
  where c.id in (p_kept, p_gone) and a.organization_id = c.organization_id and a.email = c.email;
  delete from public.customer_aliases a using private.merged_rows r, public.customers c
  where r.merge_id = p_merge and r.source = 'public.customer_aliases' and r.role = 'removed'
    and a.id = r.row_id
    and c.organization_id = a.organization_id and c.email = a.email;
  -- Staff may have kept the restored customer's first phone as a further one of the remaining.
  delete from public.customer_aliases a using public.customers c, private.merged_customers r,
    public.customer_merges m
  where c.id = p_gone and a.customer_id = p_kept and a.phone = c.phone and r.merge_id = p_merge
    and r.kept_before ->> 'phone' is distinct from a.phone and m.id = p_merge and a.created_at > m.merged_at;
  -- What staff took from the list since is theirs again, unless another has it by now.
  insert into public.customer_aliases (id, organization_id, customer_id, email, phone, created_at)
  select f.id, c.organization_id, c.id, f.email, f.phone, f.created_at
  from private.merged_rows r
  cross join lateral jsonb_populate_record(null::public.customer_aliases, r.was) as f
  join public.customers c on c.id = p_gone
  where r.merge_id = p_merge and r.source = 'public.customer_aliases' and r.role = 'moved'
    and (f.email is not null and not private.is_email_taken(c.organization_id, f.email, '{}')
      or f.phone is not null and not exists (
        select from private.phone_owners(c.organization_id, array[f.phone])))
  on conflict do nothing;
end
$$;
comment on function private.undo_aliases(uuid, uuid, uuid) is
  'Removes the former addresses and names that the merge added to the remaining customer, so that a booking matches the right one, and gives the restored customer their further ones back, as far as nobody has them.';

create or replace function private.lost_contacts(p_merge uuid, p_kept uuid, p_gone uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'kept', coalesce(jsonb_agg(distinct lost.list) filter (where lost.owner = p_kept), '[]'),
    'restored', coalesce(jsonb_agg(distinct lost.list) filter (where lost.owner = p_gone), '[]'))
  from (
    select case when f.email is not null then 'emails' else 'phones' end as list, c.id as owner
    from private.merged_rows r
    cross join lateral jsonb_populate_record(null::public.customer_aliases, r.was) as f
    join public.customers c on c.id = case r.role when 'moved' then p_gone else f.customer_id end
    where r.merge_id = p_merge and r.source = 'public.customer_aliases' and r.role in ('moved', 'removed')
      and coalesce(f.email, f.phone) is not null
      and coalesce(f.email = c.email, f.phone = c.phone) is not true
      and not exists (select from public.customer_aliases a
        where a.customer_id = c.id and (a.email = f.email or a.phone = f.phone))) as lost
$$;
comment on function private.lost_contacts(uuid, uuid, uuid) is
  'After the undo of a merge: {kept, restored}, of each of both emails and phones when one of their further ones did not come back.';

create or replace function private.undo_references(p_merge uuid, p_kept uuid, p_gone uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_link record;
begin
  perform private.undo_messages(p_merge, p_kept, p_gone);
  for v_link in
    select * from private.links_to_customers() as l
    where l.has_id and l.source::text not in ('public.messages', 'public.customer_pairs',
      'public.loyalty_points')
  loop
    execute format('update %1$s t set %2$I = $1 from private.merged_rows r
      where r.merge_id = $2 and r.source = %3$L and r.field = %4$L and r.role = ''moved'' and t.id = r.row_id
        and t.%2$I = $3', v_link.source, v_link.field, v_link.source::text, v_link.field)
    using p_gone, p_merge, p_kept;
  end loop;
  perform private.undo_points(p_merge, p_kept, p_gone);
  perform private.undo_facts(p_merge, p_kept);
  perform private.undo_pairs(p_merge, p_kept, p_gone);
  perform private.undo_aliases(p_merge, p_kept, p_gone);
end
$$;
comment on function private.undo_references(uuid, uuid, uuid) is
  'Moves the rows that the merge moved back to the restored customer, where they still refer to the remaining one.';

create or replace function private.share_opt_outs(p_organization uuid, p_since timestamptz, p_from text[],
  p_customers uuid[]) returns void
language sql volatile set search_path = ''
as $$
  insert into public.suppressions as s (organization_id, channel, address, reason, author, note, created_at)
  select distinct on (g.channel, theirs.address) p_organization, g.channel, theirs.address,
    case g.reason when 'complaint' then 'unsubscribe' when 'bounce' then g.opt_out else g.reason end,
    g.author, g.note, g.created_at
  from public.suppressions g
  join (
    select w.channel, own.address from public.customers c
    cross join unnest(array['whatsapp', 'sms', 'email']) as w (channel)
    cross join lateral (
      select unnest(private.addresses_of(c, w.channel))
      union
      -- The next first one inherits it from them.
      select case w.channel when 'email' then a.email else a.phone end from public.customer_aliases a
      where a.customer_id = c.id and case w.channel when 'email' then c.email else c.phone end is null
    ) as own (address)
    where c.id = any(p_customers)
  ) as theirs on theirs.channel = g.channel and theirs.address <> g.address
  where g.organization_id = p_organization and g.address = any(p_from)
    and (g.reason <> 'bounce' or g.opt_out is not null) and g.created_at > p_since
  order by g.channel, theirs.address, private.suppression_rank(g.reason) desc, g.created_at
  on conflict (organization_id, channel, address) do update
    set reason = excluded.reason, author = excluded.author, note = excluded.note,
      created_at = excluded.created_at
    where private.adds_to(excluded.reason, s)
$$;
comment on function private.share_opt_outs(uuid, timestamptz, text[], uuid[]) is
  'Applies opt-outs since the merge at any of the addresses to both customers, at their current addresses: the first ones, or the further ones of a customer without. A bounce applies only to its address.';

create or replace function private.undo_obstacle(p_merge public.customer_merges) returns jsonb
language sql stable set search_path = ''
as $$
  select case
    when (p_merge).undone_at is not null then '{"outcome": "already_undone"}'::jsonb
    when (p_merge).merged_at <= now() - interval '30 days' then '{"outcome": "too_old"}'
    else (
      -- A later merge of the same customer has to be undone first.
      select jsonb_build_object('outcome', 'merged_since', 'later_id', m.id) from public.customer_merges m
      where m.kept_id = (p_merge).kept_id and m.undone_at is null and m.merged_at > (p_merge).merged_at
      order by m.merged_at desc limit 1) end
$$;
comment on function private.undo_obstacle(public.customer_merges) is
  'The reason why a merge cannot be undone now: outcome already_undone, too_old, or merged_since (with later_id, which comes first). Null: it can.';

create or replace function public.undo_merge(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_merge public.customer_merges;
  v_now public.customers;
  v_obstacle jsonb;
  v_addresses text[];
  v_lost jsonb;
begin
  perform private.lock_identities(v_organization);
  select * into v_merge from public.customer_merges
    where id = p_id and organization_id = v_organization for update;
  if v_merge.id is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  v_obstacle := private.undo_obstacle(v_merge);
  if v_obstacle is not null then
    return v_obstacle;
  end if;
  select * into v_now from public.customers where id = v_merge.kept_id for update;
  select array_remove(array[v_now.email, v_now.phone, v_now.whatsapp_id, r.gone ->> 'email',
    r.gone ->> 'phone',
      r.gone ->> 'whatsapp_id', r.kept_before ->> 'email', r.kept_before ->> 'phone',
      r.kept_before ->> 'whatsapp_id']
    || array(select coalesce(a.email, a.phone, a.whatsapp_id) from public.customer_aliases a
    where a.customer_id = v_now.id), null)
  into v_addresses from private.merged_customers r where r.merge_id = p_id;

  v_lost := private.undo_customers(p_id, v_now);
  perform private.undo_references(p_id, v_merge.kept_id, v_merge.gone_id);
  select jsonb_object_agg(k.key, k.value || (v_lost -> k.key)) into v_lost
  from jsonb_each(private.lost_contacts(p_id, v_merge.kept_id, v_merge.gone_id)) as k;
  perform private.share_opt_outs(v_organization, v_merge.merged_at, v_addresses,
    array[v_merge.kept_id, v_merge.gone_id]);
  perform private.refresh_customers(array[v_merge.kept_id, v_merge.gone_id]);

  delete from private.merged_customers where merge_id = p_id;
  delete from private.merged_rows where merge_id = p_id;
  update public.customer_merges set undone_at = greatest(now(), merged_at),
    undone_by = coalesce(private.my_name(), private.actor_name())
  where id = p_id;
  perform private.audit(v_organization, 'customer.merge_undone', v_merge.kept_id,
    jsonb_build_object('other_id', v_merge.gone_id)),
    private.audit(v_organization, 'customer.merge_undone', v_merge.gone_id,
    jsonb_build_object('other_id', v_merge.kept_id));
  return jsonb_build_object('outcome', 'undone', 'not_restored', v_lost,
    'kept', (select private.customer_json(c) from public.customers c where c.id = v_merge.kept_id),
    'restored', (select private.customer_json(c) from public.customers c where c.id = v_merge.gone_id));
end
$$;
comment on function public.undo_merge(uuid) is
  'Undoes a merge: outcome undone (with kept, restored and not_restored: the fields of each that could not be put back, emails and phones for further ones), not_found, already_undone, too_old or merged_since (with later_id).';

create or replace function public.list_merges(p_customer uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'merged_at', m.merged_at, 'author_name',
    m.author_name,
    'undone_at', m.undone_at, 'undone_by', m.undone_by, 'obstacle', o.why ->> 'outcome', 'later_id',
    o.why ->> 'later_id',
    'customer', jsonb_build_object('id', m.gone_id, 'name',
      coalesce(nullif(btrim(concat_ws(' ', g.first_name, g.last_name)), ''),
      g.email, g.phone)),
    'moved', (
      select jsonb_build_object('reservations', count(*) filter (where r.source = 'public.reservations'),
        'messages', count(*) filter (where r.source = 'public.messages'),
        'tickets', count(*) filter (where r.source = 'public.tickets'),
        'calendar_events', count(*) filter (where r.source = 'public.calendar_events'))
      from private.merged_rows r where r.merge_id = m.id and r.role = 'moved'))
        order by m.merged_at desc, m.id), '[]')
  from (
    select * from public.customer_merges h
    where h.kept_id = p_customer
      and h.organization_id = any(array(select private.my_organizations('canAccessClientes')))
    order by h.merged_at desc limit 100
  ) as m
  cross join lateral (select private.undo_obstacle(m)) as o (why)
  left join private.merged_customers s on s.merge_id = m.id
  left join public.customers c on c.id = m.gone_id
  cross join lateral jsonb_populate_record(null::public.customers, coalesce(s.gone, to_jsonb(c))) as g
$$;
comment on function public.list_merges(uuid) is
  'The merges of the last 30 days into a customer, the latest 100 first, [{id, merged_at, author_name, undone_at, undone_by, obstacle, later_id, customer, moved}].';
grant execute on function public.undo_merge(uuid), public.list_merges(uuid) to authenticated;
