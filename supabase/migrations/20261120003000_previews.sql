-- Previews: the effect of a run of an automation, saved or not, and its message for one customer.

create function private.preview_of(a public.automations, p_now timestamptz, p_closed jsonb default '{}') returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_customer uuid;
  v_reservation uuid;
begin
  drop table if exists pg_temp.outbox_preview;
  create temp table outbox_preview on commit drop as
  select * from private.plan_of(a, p_now, interval '0', null, 2147483647, p_closed);
  select p.customer_id, p.reservation_id into v_customer, v_reservation from pg_temp.outbox_preview p
  order by p.reason is not null, p.customer_id, p.reservation_id limit 1;
  -- No customer now: the one with the latest visit is the example.
  v_customer := coalesce(v_customer, (
    select c.id from public.customers c
    where c.organization_id = a.organization_id and (a.location_ids = '{}' or c.location_id = any(a.location_ids))
    order by c.sort_visit desc, c.id desc limit 1));
  return jsonb_build_object(
    'matched', (select count(*) from pg_temp.outbox_preview),
    'skipped', (
      select coalesce(jsonb_object_agg(reason, n), '{}') from (
        select reason, count(*) as n from pg_temp.outbox_preview where reason is not null group by reason) as s),
    'held', (select count(*) from pg_temp.outbox_preview where reason is null and not_before > p_now),
    'template', private.template_of(a),
    'kind', case a.type when 'reservation_confirmation' then 'transactional' else 'marketing' end,
    'channel', coalesce((select p.channel from pg_temp.outbox_preview p
      where p.customer_id = v_customer and p.reservation_id is not distinct from v_reservation limit 1), a.channel),
    'customer_id', v_customer,
    'facts', (
      select private.message_facts(o, c, r, l)
      from public.organizations o
      join public.customers c on c.id = v_customer
      left join public.reservations r on r.id = v_reservation
      left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
      where o.id = a.organization_id));
end
$$;
comment on function private.preview_of(public.automations, timestamptz, jsonb) is
  'The effect of a manual run of the automation, saved or not, at p_now: counts, the template, and facts about one customer.';

create function public.preview_automation(p_organization uuid, p_automation uuid,
  p_now timestamptz default now(), p_closed jsonb default '{}')
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  a public.automations;
begin
  select * into a from public.automations
  where id = p_automation and organization_id = p_organization and deleted_at is null;
  return case when a.id is not null then private.preview_of(a, p_now, p_closed) end;
end
$$;
comment on function public.preview_automation(uuid, uuid, timestamptz, jsonb) is
  'The effect of a manual run at p_now, without running it: counts, the template, and facts about one customer. Null when there is no such automation.';

create function public.preview_draft(p_organization uuid, p_draft jsonb, p_automation uuid default null,
  p_now timestamptz default now(), p_closed jsonb default '{}')
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  a public.automations;
begin
  if p_automation is not null and not exists (
    select 1 from public.automations
    where id = p_automation and organization_id = p_organization and deleted_at is null) then
    return null;
  end if;
  a := jsonb_populate_record(null::public.automations, p_draft);
  -- Under its own id, so that customers it has already written to are excluded.
  a.id := coalesce(p_automation, gen_random_uuid());
  a.organization_id := p_organization;
  return private.preview_of(a, p_now, p_closed);
end
$$;
comment on function public.preview_draft(uuid, jsonb, uuid, timestamptz, jsonb) is
  'preview_automation for an unsaved automation, or for unsaved changes of p_automation. Null when there is no such automation.';

revoke execute on function private.preview_of(public.automations, timestamptz, jsonb) from public;
revoke execute on function public.preview_automation(uuid, uuid, timestamptz, jsonb),
  public.preview_draft(uuid, jsonb, uuid, timestamptz, jsonb) from public, anon, authenticated;
grant execute on function private.preview_of(public.automations, timestamptz, jsonb),
  public.preview_automation(uuid, uuid, timestamptz, jsonb),
  public.preview_draft(uuid, jsonb, uuid, timestamptz, jsonb) to service_role;
