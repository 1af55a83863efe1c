-- An import from CSV: which of its rows may be one customer, and cancelling it. rows.sql saves the rows.

create or replace function public.import_links(p_organization uuid, p_emails text[], p_phones text[])
  returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (
    with owned as (
      select c.id, c.email as address from public.customers c
      where c.organization_id = p_organization and c.email = any(p_emails)
      union
      select a.customer_id, a.email from public.customer_aliases a
      where a.organization_id = p_organization and a.email = any(p_emails)
      union
      select o.customer_id, o.phone from private.phone_owners(p_organization, p_phones) as o
    ), linked as (
      select jsonb_agg(address order by address) as addresses from owned group by id having count(*) > 1
    )
    select coalesce(jsonb_agg(addresses), '[]') from linked);
end
$$;
comment on function public.import_links(uuid, text[], text[]) is
  'Groups of a file''s e-mails and phones that belong to one known customer, former ones included: [[address, …], …]. Rows of a group must be in one chunk.';

-- People call this one with their own token, so it checks their right itself.
create or replace function public.cancel_import(p_import uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_status text;
begin
  select status into v_status from public.import_runs
  where id = p_import and organization_id = any(array(select private.my_organizations('canViewSettings')))
    and ((select private.works_everywhere()) or location_id = any(array(select private.my_locations()))
      or (location_id is null and profile_id = (select private.caller())))
  for update;
  if v_status is null then
    return 'unknown';
  elsif v_status <> 'running' then
    return 'over';
  end if;
  update public.import_runs set status = 'cancelled', finished_at = now() where id = p_import;
  return 'cancelled';
end
$$;
comment on function public.cancel_import(uuid) is
  'Cancels a running import of the caller''s organization: cancelled, over or unknown. Saved rows stay.';
grant execute on function public.cancel_import(uuid) to authenticated;
grant execute on function public.import_links(uuid, text[], text[]) to service_role;
