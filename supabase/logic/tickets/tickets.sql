-- Making, changing and listing tickets, with the deadline that their priority gives them.

create or replace function private.sla_length(priority text) returns interval
language sql immutable parallel safe set search_path = ''
as $$
  select case priority when 'low' then interval '72 hours' when 'medium' then interval '24 hours'
    when 'high' then interval '8 hours' when 'urgent' then interval '2 hours' end
$$;
comment on function private.sla_length(text) is 'The time limit of a ticket of the priority, from its creation.';

create or replace function private.open_ticket() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.ticket_numbers as n (organization_id, last_number) values (new.organization_id, 1)
  on conflict (organization_id) do update set last_number = n.last_number + 1
  returning n.last_number into new.number;
  new.sla_due_at := new.created_at + private.sla_length(new.priority);
  return new;
end
$$;
comment on function private.open_ticket() is 'Trigger: gives a new ticket its number and its deadline.';

create or replace trigger tickets_open before insert on public.tickets
  for each row execute function private.open_ticket();

create or replace function private.follow_ticket() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if (new.status, new.priority, new.assignee_id) is distinct
    from (old.status, old.priority, old.assignee_id) then
    new.changes := old.changes + 1;
  end if;
  if new.priority <> old.priority then
    new.sla_due_at := new.created_at + private.sla_length(new.priority);
    new.sla_reminded_at := null;
  end if;
  if new.status <> old.status then
    new.resolved_at := case when new.status in ('resolved', 'closed')
      then coalesce(old.resolved_at, now()) end;
  end if;
  return new;
end
$$;
comment on function private.follow_ticket() is
  'Trigger: counts changes of status, priority and assignee, moves the deadline with the priority, and notes when it was resolved.';

create or replace trigger tickets_follow before update of status, priority, assignee_id on public.tickets
  for each row execute function private.follow_ticket();

-- With its owner's rights, for the names of colleagues and because under RLS LIKE uses no index.
create or replace function public.list_tickets(
  p_filters jsonb default '{}', p_id uuid default null, p_before integer default null,
    p_limit integer default 50)
returns table (
  id uuid, number integer, subject text, description text, status text, priority text, sla_due_at timestamptz,
  location_id uuid, customer_id uuid, assignee_id uuid, assignee_name text, requester_id uuid,
  requester_name text, notified_at timestamptz, sla_reminded_at timestamptz, resolved_at timestamptz,
  created_at timestamptz, updated_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_where text := '';
begin
  if p_filters ->> 'status' is not null
    then v_where := v_where || ' and t.status = $2 ->> ''status'''; end if;
  if p_filters ->> 'priority' is not null
    then v_where := v_where || ' and t.priority = $2 ->> ''priority'''; end if;
  if p_filters ->> 'location_id' is not null then
    v_where := v_where || ' and t.location_id = ($2 ->> ''location_id'')::uuid';
  end if;
  if p_filters ->> 'assignee_id' is not null then
    v_where := v_where || ' and t.assignee_id = ($2 ->> ''assignee_id'')::uuid';
  end if;
  if p_filters ->> 'number' is not null
    then v_where := v_where || ' and t.number = ($2 ->> ''number'')::integer'; end if;
  if p_filters ->> 'search' is not null then
    v_where := v_where || private.search_condition('t.search_text', p_filters -> 'search');
  end if;
  if p_id is not null then v_where := v_where || ' and t.id = $4'; end if;
  if p_before is not null then v_where := v_where || ' and t.number < $5'; end if;
  return query execute format(
    'select t.id, t.number, t.subject, t.description, t.status, t.priority, t.sla_due_at, t.location_id, t.customer_id,
       t.assignee_id, coalesce(nullif(a.full_name, ''''), a.email), t.requester_id,
       coalesce(nullif(r.full_name, ''''), r.email), t.notified_at, t.sla_reminded_at, t.resolved_at, t.created_at,
       t.updated_at
     from public.tickets t
     left join public.profiles a on a.id = t.assignee_id
     left join public.profiles r on r.id = t.requester_id
     where t.organization_id = $1 and (t.location_id is null or t.location_id = any($3)) %s
     order by t.number desc limit $6', v_where)
  using (select private.my_organizations() limit 1), p_filters, array(select private.my_locations()),
    p_id, p_before, least(p_limit, 201);
end
$$;
comment on function public.list_tickets(jsonb, uuid, integer, integer) is
  'A keyset page of the tickets the caller may see, the newest first, or the one with p_id; filters as ticketsQuery in lib/tickets/filters.ts has them.';

create or replace function public.save_ticket(p_id uuid, p_fields jsonb) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select private.person_organizations() limit 1);
  v_locations uuid[] := array(select private.my_locations());
  v_old public.tickets;
  v_new public.tickets;
  v_fields jsonb := (
    select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(p_fields)
    where key in ('subject', 'description', 'status', 'priority', 'location_id', 'customer_id',
      'assignee_id'));
  v_edited jsonb;
  v_problem text;
begin
  if p_id is not null then
    select * into v_old from public.tickets t
    where t.id = p_id and t.organization_id = v_organization
      and (t.location_id is null or t.location_id = any(v_locations))
    for update;
  else
    v_old.id := gen_random_uuid();
    v_old.status := 'open';
    v_old.priority := 'medium';
  end if;
  if v_organization is null or v_old.id is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  v_new := jsonb_populate_record(v_old, v_fields);
  if p_id is not null and p_fields ? 'loaded' then
    v_edited := private.edited_meanwhile(to_jsonb(jsonb_populate_record(v_old, p_fields -> 'loaded')),
      to_jsonb(v_old), to_jsonb(v_new), v_fields);
    if v_edited is not null then
      return jsonb_build_object('outcome', 'edited_meanwhile', 'current', v_edited);
    end if;
  end if;
  v_problem := private.link_problem(v_organization, v_locations, to_jsonb(v_old), to_jsonb(v_new));
  if v_problem is not null then
    return jsonb_build_object('outcome', v_problem);
  end if;
  if p_id is null then
    insert into public.tickets (id, organization_id, subject, description, status, priority, location_id,
      customer_id, assignee_id, requester_id, resolved_at)
    values (v_new.id, v_organization, v_new.subject, v_new.description, v_new.status, v_new.priority,
      v_new.location_id, v_new.customer_id, v_new.assignee_id, (select private.caller()),
      case when v_new.status in ('resolved', 'closed') then now() end);
  elsif v_new is distinct from v_old then
    update public.tickets t set subject = v_new.subject, description = v_new.description,
      status = v_new.status, priority = v_new.priority, location_id = v_new.location_id,
      customer_id = v_new.customer_id, assignee_id = v_new.assignee_id, changes = t.changes + 1
    where t.id = p_id;
  end if;
  return jsonb_build_object('outcome', 'saved',
    'ticket', (select to_jsonb(l) from public.list_tickets(p_id => v_new.id) as l));
end
$$;
comment on function public.save_ticket(uuid, jsonb) is
  'Creates a ticket (p_id null; the caller is its requester) or changes the given fields of one. Returns outcome (saved, not_found, edited_meanwhile with the current values, forbidden, unknown_location, unknown_customer, unknown_assignee) and the ticket.';

create or replace function public.delete_ticket(p_id uuid) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with gone as (
    delete from public.tickets t
    where t.id = p_id and t.organization_id = any(array(select private.my_organizations('canViewSettings')))
      and (t.location_id is null or t.location_id = any(array(select private.my_locations())))
    returning 1)
  select exists (select 1 from gone)
$$;
comment on function public.delete_ticket(uuid) is
  'Only settings people; false when there is none that the caller may delete.';

create or replace function public.add_ticket_comment(p_ticket uuid, p_body text) returns jsonb
language sql volatile security definer set search_path = ''
as $$
  with ticket as (
    update public.tickets t set changes = t.changes + 1
    where t.id = p_ticket and t.organization_id = any(array(select private.person_organizations()))
      and (t.location_id is null or t.location_id = any(array(select private.my_locations())))
    returning t.id
  ), added as (
    insert into public.ticket_comments as c (ticket_id, author_id, author_name, body)
    select ticket.id, p.id, coalesce(nullif(p.full_name, ''), p.email), p_body
    from ticket join public.profiles p on p.id = (select private.caller())
    returning c.id, c.ticket_id, c.author_id, c.author_name, c.body, c.created_at
  )
  select to_jsonb(added) from added
$$;
comment on function public.add_ticket_comment(uuid, text) is
  'Adds a comment of the caller and returns it; null when there is no such ticket that the caller may see.';
grant execute on function public.list_tickets(jsonb, uuid, integer, integer),
  public.save_ticket(uuid, jsonb), public.delete_ticket(uuid), public.add_ticket_comment(uuid, text)
    to authenticated;
grant execute on function private.sla_length(text) to service_role;
