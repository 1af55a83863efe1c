-- The daily allowance of the assistant.

create table public.ai_usage (
  organization_id uuid not null references public.organizations on delete cascade,
  day date not null check (day between '1900-01-01' and '2199-12-31'),
  person uuid not null,
  calls integer not null default 0 check (calls between 0 and 1000000000),
  tokens bigint not null default 0 check (tokens between 0 and 1000000000000),
  primary key (organization_id, day, person)
);
comment on table public.ai_usage is 'Questions to the assistant and the tokens they took, a day and person.';
comment on column public.ai_usage.day is 'By the organization''s clock.';
comment on column public.ai_usage.person is 'The profile; the row outlives it, as the organization''s total counts it.';
comment on column public.ai_usage.tokens is 'Used tokens, and tokens reserved by calls under way or with unknown use.';
alter table public.ai_usage enable row level security;
grant select on public.ai_usage to authenticated;
grant select, insert, update, delete on public.ai_usage to service_role;

create policy "people read their own use, settings people all" on public.ai_usage for select to authenticated
  using (person = (select private.caller())
    or organization_id = any(array(select private.my_organizations('canViewSettings'))));
