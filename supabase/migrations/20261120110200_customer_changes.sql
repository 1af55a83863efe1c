-- Changing customers: create, change, erase, merge, export, and finding likely duplicates. Tables stay read-only to
-- people; these functions run with their owner's rights and ask themselves who calls. Each leaves a line in audit_log.

create table public.audit_log (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  actor uuid references public.profiles on delete set null,
  action text not null check (btrim(action) <> ''),
  subject_type text not null,
  subject_id uuid not null,
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  created_at timestamptz not null default now()
);
create index audit_log_recent_idx on public.audit_log (organization_id, created_at desc, id desc);
create index audit_log_subject_idx on public.audit_log (subject_id, created_at);
create index audit_log_actor_idx on public.audit_log (actor) where actor is not null;
comment on table public.audit_log is 'Who did what to which record. Never what the record says: names of fields, not values.';

-- A merged person keeps the addresses that lost, and someone who gives another e-mail keeps both, so that their next
-- booking finds them.
create table public.customer_aliases (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  customer_id uuid not null references public.customers on delete cascade,
  email text check (email = lower(btrim(email)) and email <> ''),
  phone text check (phone ~ '^\+[1-9][0-9]{5,14}$'),
  whatsapp_id text,
  created_at timestamptz not null default now(),
  check (num_nonnulls(email, phone, whatsapp_id) = 1)
);
create unique index customer_aliases_email_key on public.customer_aliases (organization_id, email) where email is not null;
create index customer_aliases_phone_idx on public.customer_aliases (organization_id, phone) where phone is not null;
create index customer_aliases_whatsapp_idx on public.customer_aliases (organization_id, whatsapp_id)
  where whatsapp_id is not null;
create index customer_aliases_customer_idx on public.customer_aliases (customer_id);
comment on table public.customer_aliases is
  'Other addresses of customers, from merges and from bookings under another e-mail: match keys after the customers'' own e-mails and phones.';

alter table public.reservations add column erased_at timestamptz;
comment on column public.reservations.erased_at is
  'Its customer was erased then; the sync brings no name, contact or notes back into it.';
create index reservations_no_show_idx on public.reservations (customer_id)
  where status = 'no_show' and source <> 'import';

alter table public.customers
  add column birth_day smallint generated always as (
    (extract(month from birth_date) * 100 + extract(day from birth_date))::smallint) stored,
  add column email_key text generated always as (
    case when split_part(email, '@', 2) in ('gmail.com', 'googlemail.com')
      then replace(split_part(split_part(email, '@', 1), '+', 1), '.', '') || '@gmail.com'
      else split_part(split_part(email, '@', 1), '+', 1) || '@' || split_part(email, '@', 2) end) stored;
comment on column public.customers.birth_day is 'Month × 100 + day, for birthdays of any year: 229 is 29 February.';
comment on column public.customers.email_key is 'The mailbox behind the e-mail: without +suffix, and without dots at Gmail.';
create index customers_birth_day_idx on public.customers (organization_id, birth_day) where birth_day is not null;
create index customers_created_idx on public.customers (organization_id, created_at);
create index customers_email_key_idx on public.customers (organization_id, email_key) where email_key is not null;
create index customers_same_person_idx on public.customers (organization_id, birth_date, sort_name)
  where birth_date is not null and sort_name <> '';
create index customers_phone_name_idx on public.customers (organization_id, phone, sort_name) where phone is not null;
-- The new one begins with the same columns.
drop index public.customers_phone_idx;

alter table public.audit_log enable row level security;
alter table public.customer_aliases enable row level security;
revoke all on public.audit_log, public.customer_aliases from anon, authenticated;
grant select on public.audit_log, public.customer_aliases to authenticated;
grant select, insert, update, delete on public.audit_log, public.customer_aliases to service_role;
-- For someone bound to locations: what was done to guests, and to what they may see.
create policy "settings staff read the audit log" on public.audit_log for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canViewSettings')))
    and ((select private.works_everywhere()) or case subject_type
      when 'customer' then true
      when 'reservation' then exists (select 1 from public.reservations r where r.id = subject_id)
      when 'message' then exists (select 1 from public.messages m where m.id = subject_id)
      when 'automation' then exists (select 1 from public.automations a where a.id = subject_id)
      when 'location' then subject_id = any(array(select private.my_locations()))
      when 'loyalty_rules' then subject_id = any(array(select private.my_locations()))
      else false end));
create policy "staff with customer access read aliases" on public.customer_aliases for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessClientes'))));

create function private.phone_owners(p_organization uuid, p_phones text[]) returns table (phone text, customer_id uuid)
language sql stable set search_path = ''
as $$
  select c.phone, c.id from public.customers c
  where c.organization_id = p_organization and c.phone = any(p_phones)
  union
  select a.phone, a.customer_id from public.customer_aliases a
  where a.organization_id = p_organization and a.phone = any(p_phones)
$$;
comment on function private.phone_owners(uuid, text[]) is 'Who has, or has had, each of the phones.';

create function private.lock_identities(p_organization uuid) returns void
language sql volatile set search_path = ''
as $$ select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('identity:' || p_organization::text, 0)) $$;
comment on function private.lock_identities(uuid) is
  'One writer of an organization''s identities at a time, until the transaction ends; the sync takes the same lock.';

create function private.audit(p_organization uuid, p_action text, p_subject uuid, p_details jsonb default '{}')
returns void
language sql volatile set search_path = ''
as $$
  insert into public.audit_log (organization_id, actor, action, subject_type, subject_id, details)
  values (p_organization, (select id from public.profiles where id = (select private.caller())), p_action,
    split_part(p_action, '.', 1), p_subject, p_details)
$$;
comment on function private.audit(uuid, text, uuid, jsonb) is
  'Logs that the caller did `customer.changed` or the like to a record.';

create function private.audit_change(p_action text, p_organization uuid, p_subject uuid, p_before jsonb, p_after jsonb)
returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_fields jsonb := (
    select jsonb_agg(a.key order by a.key) from jsonb_each(p_after) as a
    where a.value is distinct from p_before -> a.key);
begin
  if v_fields is not null then
    perform private.audit(p_organization, p_action, p_subject, jsonb_build_object('fields', v_fields));
  end if;
end
$$;
comment on function private.audit_change(text, uuid, uuid, jsonb, jsonb) is
  'Logs a change with the names of the fields that differ; nothing when none does.';

create function private.customer_json(p_customer public.customers) returns jsonb
language sql stable set search_path = ''
as $$
  select (to_jsonb(p_customer) - array['organization_id', 'updated_at', 'sort_name', 'sort_visit', 'search_text',
      'birth_day', 'email_key', 'loyalty_tier_id', 'consents'])
    || jsonb_build_object('loyalty_tier', (
      select jsonb_build_object('id', t.id, 'name', t.name)
      from public.loyalty_tiers t where t.id = (p_customer).loyalty_tier_id),
      'consent', private.consent_json(p_customer))
$$;
comment on function private.customer_json(public.customers) is 'A customer as the API gives it.';

create function public.save_customer(p_fields jsonb, p_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_editable constant text[] := array['email', 'phone', 'first_name', 'last_name', 'birth_date', 'company',
    'job_title', 'address', 'tags', 'notes', 'location_id'];
  v_fields jsonb := (select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(p_fields) as f
    where f.key = any(v_editable));
  v_wishes constant jsonb := p_fields -> 'consent';
  v_old public.customers;
  v_next public.customers;
  v_changed text[];
  v_obstacle jsonb;
begin
  if v_organization is null then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  perform private.lock_identities(v_organization);
  if p_id is not null then
    select * into v_old from public.customers where id = p_id and organization_id = v_organization for update;
    if v_old.id is null then
      return jsonb_build_object('outcome', 'not_found');
    end if;
  end if;
  v_next := jsonb_populate_record(v_old, v_fields);
  v_next.tags := coalesce(v_next.tags, '{}');
  select array_agg(n.key order by n.key) into v_changed from jsonb_each(to_jsonb(v_next)) as n
  where n.key = any(v_editable) and n.value is distinct from to_jsonb(v_old) -> n.key;
  if p_id is not null and v_changed is null and v_wishes is null then
    return jsonb_build_object('outcome', 'saved', 'customer', private.customer_json(v_old));
  end if;
  if coalesce(v_next.email, v_next.phone, v_next.first_name, v_next.last_name) is null then
    return jsonb_build_object('outcome', 'nameless');
  end if;
  if v_next.location_id is distinct from v_old.location_id and v_next.location_id is not null and not exists (
    select 1 from public.locations l where l.id = v_next.location_id and l.id = any(array(select private.my_locations()))
  ) then
    return jsonb_build_object('outcome', 'unknown_location');
  end if;
  v_next.organization_id := v_organization;
  v_obstacle := private.consent_obstacle(v_next, v_wishes);
  if v_obstacle is not null then
    return v_obstacle;
  end if;
  begin
    if p_id is null then
      insert into public.customers (organization_id, source, email, phone, first_name, last_name, birth_date,
        company, job_title, address, tags, notes, location_id)
      values (v_organization, 'Manual', v_next.email, v_next.phone, v_next.first_name, v_next.last_name,
        v_next.birth_date, v_next.company, v_next.job_title, v_next.address, v_next.tags, v_next.notes,
        v_next.location_id)
      returning * into v_next;
    elsif v_changed is not null then
      update public.customers c set email = v_next.email, phone = v_next.phone, first_name = v_next.first_name,
        last_name = v_next.last_name, birth_date = v_next.birth_date, company = v_next.company,
        job_title = v_next.job_title, address = v_next.address, tags = v_next.tags, notes = v_next.notes,
        location_id = v_next.location_id
      where c.id = p_id
      returning * into v_next;
    end if;
  exception
    when unique_violation then return jsonb_build_object('outcome', 'duplicate_email');
    when check_violation then return jsonb_build_object('outcome', 'malformed_contact');
  end;
  -- An e-mail that somebody has is nobody's former one.
  delete from public.customer_aliases a where a.organization_id = v_organization and a.email = v_next.email;
  if p_id is null or v_changed is not null then
    perform private.audit(v_organization, case when p_id is null then 'customer.created' else 'customer.changed' end,
      v_next.id, case when p_id is null then '{}' else jsonb_build_object('fields', to_jsonb(v_changed)) end);
  end if;
  -- Who asked for no messages at an address asked for none at its correction.
  perform private.carry_opt_outs(v_organization, array[v_old.email], v_next.email);
  perform private.carry_opt_outs(v_organization, array[v_old.phone], v_next.phone);
  perform private.record_consent(v_next.id, v_wishes);
  select * into v_next from public.customers where id = v_next.id;
  return jsonb_build_object('outcome', 'saved', 'customer', private.customer_json(v_next));
end
$$;
comment on function public.save_customer(jsonb, uuid) is
  'Creates a customer, or changes the fields given: outcome saved (with customer), not_found, nameless, unknown_location, duplicate_email, malformed_contact, forbidden, or for a consent (with its channel) no_address_for or address_refused.';

create function public.erase_customer(p_id uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_addresses text[];
begin
  perform private.refuse_unconfirmed();
  perform private.lock_identities(v_organization);
  perform 1 from public.customers where id = p_id and organization_id = v_organization for update;
  if not found then
    return 'not_found';
  end if;
  v_addresses := private.whatsapp_addresses_of(p_id)
    || array(select c.email from public.customers c where c.id = p_id and c.email is not null);
  -- What an import left is nothing but the link to the person.
  delete from public.reservations where customer_id = p_id and source = 'import';
  update public.reservations set customer_id = null, customer_name = null, customer_email = null,
    customer_phone = null, notes = null, staff_marks = staff_marks - 'notes', erased_at = now()
  where customer_id = p_id;
  -- Providers put addresses into their reasons.
  update public.messages set recipient = null, content = '{}', customer_id = null,
    reason = case when status = 'queued' then 'erased' end,
    status = case when status = 'queued' then 'skipped' else status end
  where customer_id = p_id;
  delete from public.customers where id = p_id;
  -- That the address wants no messages stays; what was said about the person goes.
  update public.suppressions set author = null, note = null
  where organization_id = v_organization and address = any(v_addresses) and num_nonnulls(author, note) > 0;
  -- When they last wrote by WhatsApp; somebody else may write from the same phone.
  delete from public.whatsapp_windows w
  where w.organization_id = v_organization and (w.address = any(v_addresses) or w.whatsapp_id = any(v_addresses))
    and not exists (
      select 1 from public.customers c
      where c.organization_id = v_organization and (c.phone = w.address or c.whatsapp_id = w.address));
  perform private.audit(v_organization, 'customer.erased', p_id);
  return 'erased';
end
$$;
comment on function public.erase_customer(uuid) is
  'Erases a person (GDPR art. 17): the customer goes, reservations and messages stay without personal data. erased or not_found.';

create function public.merge_customers(p_id uuid, p_duplicate_id uuid, p_fields text[] default '{}') returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
  v_kept public.customers;
  v_gone public.customers;
  v_next public.customers;
  v_taken jsonb;
  v_link record;
begin
  if p_id = p_duplicate_id then
    return jsonb_build_object('outcome', 'same');
  end if;
  perform private.lock_identities(v_organization);
  perform 1 from public.customers where id in (p_id, p_duplicate_id) and organization_id = v_organization
  order by id for update;
  select * into v_kept from public.customers where id = p_id and organization_id = v_organization;
  select * into v_gone from public.customers where id = p_duplicate_id and organization_id = v_organization;
  if v_kept.id is null or v_gone.id is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;

  -- Blanks are filled from the duplicate; named fields are taken from it when it has them.
  select coalesce(jsonb_object_agg(g.key, g.value), '{}') into v_taken from jsonb_each(to_jsonb(v_gone)) as g
  where g.key in ('email', 'phone', 'whatsapp_id', 'first_name', 'last_name', 'birth_date', 'company', 'job_title', 'address',
      'notes', 'location_id')
    and g.value <> 'null' and (g.key = any(p_fields) or to_jsonb(v_kept) -> g.key = 'null'
      -- The id is the number's.
      or g.key = 'whatsapp_id' and 'phone' = any(p_fields));
  v_next := jsonb_populate_record(v_kept, v_taken);
  -- Nobody's allergies get lost: two notes become one.
  if not v_taken ? 'notes' and v_gone.notes <> v_kept.notes then
    v_next.notes := left(v_kept.notes || E'\n' || v_gone.notes, 20000);
  end if;
  v_next.tags := array(
    select t.tag from unnest(v_kept.tags || v_gone.tags) with ordinality as t (tag, position)
    group by t.tag order by min(t.position) limit 200);
  v_next.loyalty_tier_id := (select t.id from public.loyalty_tiers t
    where t.id in (v_kept.loyalty_tier_id, v_gone.loyalty_tier_id) order by t.rank desc limit 1);
  v_next.consents := private.merged_consents(v_kept.consents, v_gone.consents);

  -- Both were written to in one run: only one of the two messages can stay theirs.
  update public.messages m set customer_id = null, recipient = null, content = '{}',
    reason = case when m.status = 'queued' then 'merged' end,
    status = case when m.status = 'queued' then 'skipped' else m.status end
  where m.customer_id = p_duplicate_id and exists (
    select 1 from public.messages k where k.customer_id = p_id and k.run_id = m.run_id and k.channel = m.channel
      and k.reservation_id is not distinct from m.reservation_id);
  -- Whatever refers to the duplicate, in whichever table, follows.
  for v_link in
    select f.conrelid::regclass as source, a.attname as field from pg_catalog.pg_constraint f
    join pg_catalog.pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
    where f.contype = 'f' and f.confrelid = 'public.customers'::regclass
  loop
    execute format('update %s set %I = $1 where %2$I = $2', v_link.source, v_link.field) using p_id, p_duplicate_id;
  end loop;

  delete from public.customers where id = p_duplicate_id;
  update public.customers c set email = v_next.email, phone = v_next.phone, whatsapp_id = v_next.whatsapp_id,
    first_name = v_next.first_name,
    last_name = v_next.last_name, birth_date = v_next.birth_date, company = v_next.company,
    job_title = v_next.job_title, address = v_next.address, notes = v_next.notes, location_id = v_next.location_id,
    tags = v_next.tags, loyalty_tier_id = v_next.loyalty_tier_id, consents = v_next.consents,
    created_at = least(v_kept.created_at, v_gone.created_at)
  where c.id = p_id;
  delete from public.customer_aliases a where a.customer_id = p_id and (a.email = v_next.email or a.phone = v_next.phone);
  insert into public.customer_aliases (organization_id, customer_id, email)
  select v_organization, p_id, lost from unnest(array[v_kept.email, v_gone.email]) as lost
  where lost <> v_next.email
  on conflict (organization_id, email) where email is not null do update set customer_id = excluded.customer_id;
  insert into public.customer_aliases (organization_id, customer_id, phone)
  select v_organization, p_id, lost from unnest(array[v_kept.phone, v_gone.phone]) as lost
  where lost <> v_next.phone and not exists (
    select 1 from public.customer_aliases a where a.customer_id = p_id and a.phone = lost);

  insert into public.customer_aliases (organization_id, customer_id, whatsapp_id)
  select v_organization, p_id, lost from unnest(array[v_kept.whatsapp_id, v_gone.whatsapp_id]) as lost
  where lost <> v_next.whatsapp_id and not exists (
    select 1 from public.customer_aliases a where a.customer_id = p_id and a.whatsapp_id = lost);
  perform private.share_whatsapp_stop(v_organization, private.whatsapp_addresses_of(p_id));
  perform private.carry_opt_outs(v_organization, array[v_kept.email, v_gone.email], v_next.email);
  perform private.carry_opt_outs(v_organization, array[v_kept.phone, v_gone.phone], v_next.phone);

  perform private.refresh_customers(array[p_id]);
  perform private.audit(v_organization, 'customer.merged', p_id, jsonb_build_object('duplicate_id', p_duplicate_id,
    'fields', array(select k from jsonb_object_keys(v_taken) as k order by k)));
  select * into v_next from public.customers where id = p_id;
  return jsonb_build_object('outcome', 'merged', 'customer', private.customer_json(v_next));
end
$$;
comment on function public.merge_customers(uuid, uuid, text[]) is
  'Makes one customer of two: outcome merged (with customer), same or not_found. p_fields are taken from the duplicate.';

create function public.export_customer(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_customer public.customers;
  v_everywhere constant boolean := private.works_everywhere();
  v_locations constant uuid[] := array(select private.my_locations());
begin
  perform private.refuse_unconfirmed();
  select * into v_customer from public.customers
  where id = p_id and organization_id = any(array(select private.my_organizations('canAccessClientes')))
    and exists (
      select 1 from public.profiles p
      where p.id = (select private.caller()) and p.role in ('super_admin', 'admin', 'ceo'));
  if v_customer.id is null then
    return null;
  end if;
  perform private.audit(v_customer.organization_id, 'customer.exported', p_id);
  return jsonb_build_object(
    'exported_at', now(),
    'customer', private.customer_json(v_customer),
    'recorded_consents', v_customer.consents,
    'former_addresses', (
      select coalesce(jsonb_agg(coalesce(a.email, a.phone, a.whatsapp_id) order by a.created_at, a.id), '[]')
      from public.customer_aliases a where a.customer_id = p_id),
    'reservations', (
      select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'external_id', r.external_id, 'location', l.name,
        'customer_name', r.customer_name, 'customer_email', r.customer_email, 'customer_phone', r.customer_phone,
        'reservation_date', r.reservation_date, 'reservation_time', to_char(r.reservation_time, 'HH24:MI'),
        'party_size', r.party_size, 'status', r.status, 'pms_status', r.pms_status, 'visited', r.visited,
        'notes', r.notes, 'staff_marks', r.staff_marks, 'total_amount', r.total_amount,
        'source', r.source, 'zone_name', r.zone_name, 'table_name', r.table_name, 'created_at', r.created_at)
        order by r.service_order, r.id), '[]')
      from public.reservations r join public.locations l on l.id = r.location_id
      where r.customer_id = p_id and r.location_id = any(v_locations)),
    'points', (
      select coalesce(jsonb_agg(private.points_json(p) order by p.created_at, p.id), '[]')
      from public.loyalty_points p left join public.reservations r on r.id = p.reservation_id
      where p.customer_id = p_id and (p.reservation_id is null or r.location_id = any(v_locations))),
    'messages', (
      select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'kind', m.kind, 'automation', u.name,
        'channel', m.channel, 'recipient', m.recipient, 'status', m.status, 'reason', m.reason,
        'simulated', m.simulated, 'content', m.content, 'created_at', m.created_at, 'sent_at', m.sent_at, 'delivered_at', m.delivered_at)
        order by m.created_at, m.id), '[]')
      from public.messages m left join public.automations u on u.id = m.automation_id
      where m.customer_id = p_id and (v_everywhere or m.location_id = any(v_locations))),
    'suppressions', (
      select coalesce(jsonb_agg(jsonb_build_object('channel', s.channel, 'address', s.address, 'reason', s.reason,
        'author', s.author, 'note', s.note, 'created_at', s.created_at) order by s.created_at, s.id), '[]')
      from public.suppressions s
      where s.organization_id = v_customer.organization_id and s.channel in ('email', 'sms', 'whatsapp')
        and (s.address in (v_customer.email, v_customer.phone, v_customer.whatsapp_id) or s.address in (
          select coalesce(a.email, a.phone, a.whatsapp_id) from public.customer_aliases a
          where a.customer_id = p_id))),
    'whatsapp_windows', (
      select coalesce(jsonb_agg(jsonb_build_object('address', w.address, 'last_inbound_at', w.last_inbound_at)
        order by w.last_inbound_at, w.address), '[]')
      from public.whatsapp_windows w
      where w.organization_id = v_customer.organization_id
        and w.address = any(private.whatsapp_addresses_of(p_id))),
    'audit', (
      select coalesce(jsonb_agg(jsonb_build_object('action', g.action, 'details', g.details,
        'created_at', g.created_at) order by g.created_at, g.id), '[]')
      from public.audit_log g where g.subject_id = p_id));
end
$$;
comment on function public.export_customer(uuid) is
  'Everything held about a person (GDPR art. 15 and 20) in the caller''s locations, or null when the caller may not see them.';

revoke execute on function private.phone_owners(uuid, text[]), private.lock_identities(uuid),
  private.audit(uuid, text, uuid, jsonb), private.audit_change(text, uuid, uuid, jsonb, jsonb),
  private.customer_json(public.customers) from public;
revoke execute on function public.save_customer(jsonb, uuid), public.erase_customer(uuid),
  public.merge_customers(uuid, uuid, text[]), public.export_customer(uuid) from public, anon;
grant execute on function private.phone_owners(uuid, text[]), private.lock_identities(uuid) to service_role;
grant execute on function public.save_customer(jsonb, uuid), public.erase_customer(uuid),
  public.merge_customers(uuid, uuid, text[]), public.export_customer(uuid) to authenticated;
