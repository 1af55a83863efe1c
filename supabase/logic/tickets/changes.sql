-- Writes the history of a ticket, and reads it.

create or replace function private.note_ticket_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.ticket_changes (ticket_id, author_id, author_name, field, before, after, created_at)
  -- The changes of one statement have an order.
  select new.id, who.id, who.name, c.field, c.before, c.after,
    clock_timestamp() + c.place * interval '1 microsecond'
  from (values
    (1, 'status', old.status, new.status),
    (2, 'priority', old.priority, new.priority),
    (3, 'due', to_json(old.sla_due_at) #>> '{}', to_json(new.sla_due_at) #>> '{}'),
    (4, 'assignee', private.colleague_name(old.assignee_id), private.colleague_name(new.assignee_id)),
    (5, 'location', (select l.name from public.locations l where l.id = old.location_id),
      (select l.name from public.locations l where l.id = new.location_id)),
    (6, 'subject', old.subject, new.subject)
  ) as c (place, field, before, after)
  left join (select a.id, private.colleague_name(a.id) as name from private.acting() a) as who on true
  where case c.field
    when 'assignee' then old.assignee_id is distinct from new.assignee_id
    when 'location' then old.location_id is distinct from new.location_id
    else c.before is distinct from c.after end;
  return null;
end
$$;
comment on function private.note_ticket_change() is 'Trigger: records the changes of a ticket with their author.';

create or replace trigger tickets_note_change after update of status, priority, assignee_id, location_id,
  subject on public.tickets
  for each row execute function private.note_ticket_change();

create or replace function private.colleague_name(p_id uuid) returns text
language sql stable set search_path = ''
as $$ select left(coalesce(nullif(btrim(p.full_name), ''), p.email), 254) from public.profiles p
  where p.id = p_id $$;
comment on function private.colleague_name(uuid) is 'The present name of a team member; null when there is none.';

-- With the caller's rights: callers who can read the ticket can read its history.
create or replace function public.ticket_activity(p_ticket uuid, p_after timestamptz default null,
  p_after_id uuid default null, p_limit integer default 50)
returns table (id uuid, at timestamptz, kind text, author_name text, details jsonb)
language sql stable set search_path = ''
as $$
  select e.id, e.at, e.kind, e.author_name, e.details
  from (
    select m.id, m.created_at as at, 'comment' as kind, m.author_name,
      jsonb_build_object('body', m.body) as details
    from public.ticket_comments m where m.ticket_id = p_ticket
    union all
    select c.id, c.created_at, 'change', c.author_name,
      jsonb_build_object('field', c.field, 'before', c.before, 'after', c.after)
    from public.ticket_changes c where c.ticket_id = p_ticket
  ) as e
  where p_after is null or (e.at, e.id) > (p_after, p_after_id)
  order by e.at, e.id
  limit least(p_limit, 201)
$$;
comment on function public.ticket_activity(uuid, timestamptz, uuid, integer) is
  'A keyset page of a ticket''s comments and changes, the oldest first; empty for a ticket that the caller may not see.';
grant execute on function public.ticket_activity(uuid, timestamptz, uuid, integer) to authenticated;
