-- Support tickets of the staff, with a deadline by priority, and their comments. Everyone of the organization uses
-- them; members bound to locations see those of their locations and of none.

create function private.sla_length(priority text) returns interval
language sql immutable parallel safe set search_path = ''
as $$
  select case priority when 'low' then interval '72 hours' when 'medium' then interval '24 hours'
    when 'high' then interval '8 hours' when 'urgent' then interval '2 hours' end
$$;
comment on function private.sla_length(text) is 'The time limit of a ticket of the priority, from its creation.';

create table public.tickets (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  -- The trigger gives the number and the deadline; the defaults only make them optional.
  number integer not null default 0 check (number between 1 and 1000000000),
  subject text not null check (btrim(subject) <> '' and length(subject) <= 200),
  description text check (length(description) <= 10000),
  status text not null default 'open' check (status in ('open', 'in_progress', 'waiting', 'resolved', 'closed')),
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  sla_due_at timestamptz not null default now(),
  -- Not "set null": a ticket without a location is open to everyone.
  location_id uuid references public.locations on delete cascade,
  customer_id uuid references public.customers on delete set null,
  reservation_id uuid references public.reservations on delete set null,
  assignee_id uuid references public.profiles on delete set null,
  requester_id uuid references public.profiles on delete set null,
  changes integer not null default 1 check (changes between -1 and 1000000000),
  notified_changes integer not null default 0 check (notified_changes between -1 and 1000000000),
  notified_at timestamptz,
  sla_reminded_at timestamptz,
  resolved_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search_text text not null generated always as (
    private.normalize_text('#' || number::text || ' ' || subject || ' ' || coalesce(description, ''))) stored,
  unique (organization_id, number),
  constraint tickets_instants_check check (
    least(sla_due_at, notified_at, sla_reminded_at, resolved_at, created_at, updated_at) >= '1900-01-01Z'
    and greatest(sla_due_at, notified_at, sla_reminded_at, resolved_at, created_at, updated_at) < '2200-01-01Z')
);
comment on table public.tickets is 'Something the staff has to solve, until sla_due_at.';
comment on column public.tickets.sla_due_at is 'Creation plus the length of the priority; a new deadline is reminded of again.';
comment on column public.tickets.reservation_id is
  'The reservation of a guest''s message that staff have to read.';
comment on column public.tickets.changes is
  'Counts the events to notify: creation, comments, and every change by a person. A count and not a time, because clocks differ.';
comment on column public.tickets.notified_changes is 'The value of changes when it was last notified.';

create index tickets_status_idx on public.tickets (organization_id, status, number);
create index tickets_priority_idx on public.tickets (organization_id, priority, number);
create index tickets_location_idx on public.tickets (location_id, number);
create index tickets_assignee_idx on public.tickets (assignee_id, number);
create index tickets_customer_idx on public.tickets (customer_id) where customer_id is not null;
create index tickets_requester_idx on public.tickets (requester_id) where requester_id is not null;
create index tickets_reservation_idx on public.tickets (reservation_id) where reservation_id is not null;
create index tickets_search_idx on public.tickets using gin (search_text extensions.gin_trgm_ops);
create index tickets_to_notify_idx on public.tickets (organization_id, number)
  where changes > notified_changes;
create index tickets_to_remind_idx on public.tickets (organization_id, sla_due_at, id)
  where sla_reminded_at is null and status in ('open', 'in_progress', 'waiting');

create trigger tickets_touch before update on public.tickets
  for each row execute function private.touch_updated_at();

create table public.ticket_comments (
  id uuid primary key default gen_random_uuid(),
  ticket_id uuid not null references public.tickets on delete cascade,
  author_id uuid references public.profiles on delete set null,
  author_name text not null check (length(author_name) <= 254),
  body text not null check (btrim(body) <> '' and length(body) <= 5000),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table public.ticket_comments is 'The comments on a ticket, the oldest first.';
comment on column public.ticket_comments.author_name is 'The author''s name at the time; it stays when the author leaves.';

create index ticket_comments_ticket_idx on public.ticket_comments (ticket_id, created_at, id);
create index ticket_comments_author_idx on public.ticket_comments (author_id) where author_id is not null;
create index ticket_comments_body_idx on public.ticket_comments using gin (body extensions.gin_trgm_ops);

create table private.ticket_numbers (
  organization_id uuid primary key references public.organizations on delete cascade,
  last_number integer not null check (last_number between 0 and 1000000000)
);
comment on table private.ticket_numbers is 'The last ticket number given; its row lock makes numbers come one after another.';

create function private.open_ticket() returns trigger
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
create trigger tickets_open before insert on public.tickets
  for each row execute function private.open_ticket();

create function private.follow_ticket() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if (new.status, new.priority, new.assignee_id) is distinct from (old.status, old.priority, old.assignee_id) then
    new.changes := old.changes + 1;
  end if;
  if new.priority <> old.priority then
    new.sla_due_at := new.created_at + private.sla_length(new.priority);
    new.sla_reminded_at := null;
  end if;
  if new.status <> old.status then
    new.resolved_at := case when new.status in ('resolved', 'closed') then coalesce(old.resolved_at, now()) end;
  end if;
  return new;
end
$$;
comment on function private.follow_ticket() is
  'Trigger: counts changes of status, priority and assignee, moves the deadline with the priority, and notes when it was resolved.';
create trigger tickets_follow before update of status, priority, assignee_id on public.tickets
  for each row execute function private.follow_ticket();

alter table public.tickets enable row level security;
alter table public.ticket_comments enable row level security;
alter table private.ticket_numbers enable row level security;
revoke all on public.tickets, public.ticket_comments from anon, authenticated;
grant select on public.tickets, public.ticket_comments to authenticated;
grant select, insert, update, delete on public.tickets, public.ticket_comments to service_role;

create policy "members read tickets of their locations and of none" on public.tickets
  for select to authenticated using (
    organization_id = any(array(select private.my_organizations()))
    and (location_id is null or location_id = any(array(select private.my_locations()))));
-- The policy of tickets applies to the tickets this one reads.
create policy "who reads a ticket reads its comments" on public.ticket_comments for select to authenticated
  using (exists (select 1 from public.tickets t where t.id = ticket_id));

-- With its owner's rights, for the names of colleagues and because under RLS LIKE uses no index.
create function public.list_tickets(
  p_filters jsonb default '{}', p_id uuid default null, p_before integer default null, p_limit integer default 50)
returns table (
  id uuid, number integer, subject text, description text, status text, priority text, sla_due_at timestamptz,
  location_id uuid, customer_id uuid, assignee_id uuid, assignee_name text, requester_id uuid, requester_name text,
  notified_at timestamptz, sla_reminded_at timestamptz, resolved_at timestamptz, created_at timestamptz,
  updated_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_where text := '';
begin
  if p_filters ->> 'status' is not null then v_where := v_where || ' and t.status = $2 ->> ''status'''; end if;
  if p_filters ->> 'priority' is not null then v_where := v_where || ' and t.priority = $2 ->> ''priority'''; end if;
  if p_filters ->> 'location_id' is not null then
    v_where := v_where || ' and t.location_id = ($2 ->> ''location_id'')::uuid';
  end if;
  if p_filters ->> 'assignee_id' is not null then
    v_where := v_where || ' and t.assignee_id = ($2 ->> ''assignee_id'')::uuid';
  end if;
  if p_filters ->> 'number' is not null then v_where := v_where || ' and t.number = ($2 ->> ''number'')::integer'; end if;
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

create function public.save_ticket(p_id uuid, p_fields jsonb) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select private.person_organizations() limit 1);
  v_locations uuid[] := array(select private.my_locations());
  v_old public.tickets;
  v_new public.tickets;
  v_fields jsonb := (
    select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(p_fields)
    where key in ('subject', 'description', 'status', 'priority', 'location_id', 'customer_id', 'assignee_id'));
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
    v_edited := private.edited_meanwhile(to_jsonb(jsonb_populate_record(v_old, p_fields -> 'loaded')), to_jsonb(v_old),
      to_jsonb(v_new), v_fields);
    if v_edited is not null then
      return jsonb_build_object('outcome', 'edited_meanwhile', 'current', v_edited);
    end if;
  end if;
  v_problem := private.link_problem(v_organization, v_locations, to_jsonb(v_old), to_jsonb(v_new));
  if v_problem is not null then
    return jsonb_build_object('outcome', v_problem);
  end if;
  if p_id is null then
    insert into public.tickets (id, organization_id, subject, description, status, priority, location_id, customer_id,
      assignee_id, requester_id, resolved_at)
    values (v_new.id, v_organization, v_new.subject, v_new.description, v_new.status, v_new.priority,
      v_new.location_id, v_new.customer_id, v_new.assignee_id, (select private.caller()),
      case when v_new.status in ('resolved', 'closed') then now() end);
  elsif v_new is distinct from v_old then
    update public.tickets t set subject = v_new.subject, description = v_new.description, status = v_new.status,
      priority = v_new.priority, location_id = v_new.location_id, customer_id = v_new.customer_id,
      assignee_id = v_new.assignee_id, changes = t.changes + 1
    where t.id = p_id;
  end if;
  return jsonb_build_object('outcome', 'saved',
    'ticket', (select to_jsonb(l) from public.list_tickets(p_id => v_new.id) as l));
end
$$;
comment on function public.save_ticket(uuid, jsonb) is
  'Creates a ticket (p_id null; the caller is its requester) or changes the given fields of one. Returns outcome (saved, not_found, edited_meanwhile with the current values, forbidden, unknown_location, unknown_customer, unknown_assignee) and the ticket.';

create function public.delete_ticket(p_id uuid) returns boolean
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

create function public.add_ticket_comment(p_ticket uuid, p_body text) returns jsonb
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

revoke execute on function private.sla_length(text), private.open_ticket(), private.follow_ticket() from public;
revoke execute on function public.list_tickets(jsonb, uuid, integer, integer),
  public.save_ticket(uuid, jsonb), public.delete_ticket(uuid), public.add_ticket_comment(uuid, text)
  from public, anon;
grant execute on function public.list_tickets(jsonb, uuid, integer, integer),
  public.save_ticket(uuid, jsonb), public.delete_ticket(uuid), public.add_ticket_comment(uuid, text) to authenticated;
grant execute on function private.sla_length(text) to service_role;
