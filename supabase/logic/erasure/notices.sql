-- The texts of notices are deleted with their record, and no notice of it is sent any more.
create or replace function private.forget_notices() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.messages m set content = '{}',
    reason = case when m.status = 'queued' then 'deleted' else m.reason end,
    status = case when m.status = 'queued' then 'skipped' else m.status end
  from old_rows o
  where m.organization_id = o.organization_id and m.kind = 'notification' and m.about_id = o.id
    and m.status <> 'sending';
  return null;
end
$$;
comment on function private.forget_notices() is 'Trigger: empties the notices about deleted tickets and events; queued ones are skipped.';

create or replace trigger tickets_forget_notices after delete on public.tickets
  referencing old table as old_rows for each statement execute function private.forget_notices();

create or replace trigger calendar_events_forget_notices after delete on public.calendar_events
  referencing old table as old_rows for each statement execute function private.forget_notices();
