-- Segments: conditions on customers under a name, kept as a tree of and, or, not.

create table public.segments (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  shared boolean not null default false,
  owner_id uuid references public.profiles on delete set null,
  definition jsonb not null check (jsonb_typeof(definition) = 'object')
    check (pg_column_size(definition) <= 131072 and not jsonb_path_exists(definition, '$.**{16}')),
  version integer not null default 1 check (version between 1 and 1000000000),
  created_at timestamptz not null default now() check (created_at between '1900-01-01Z' and '2200-01-01Z'),
  updated_at timestamptz not null default now() check (updated_at between '1900-01-01Z' and '2200-01-01Z')
);
comment on table public.segments is 'A named set of conditions on customers: one person''s own, or shared with the group.';
comment on column public.segments.owner_id is 'Who made it; null when they left. What they did not share goes with them.';
comment on column public.segments.definition is 'A tree of {and: []}, {or: []}, {not: …} over conditions {field, …}.';
comment on column public.segments.version is 'Counts the changes of its definition.';

create unique index segments_shared_name_key on public.segments (organization_id, name) where shared;
create unique index segments_own_name_key on public.segments (owner_id, name) where not shared;
create index segments_owner_idx on public.segments (owner_id);
alter table public.segments enable row level security;
grant select on public.segments to authenticated;
grant select, insert, update, delete on public.segments to service_role;

create policy "staff with customer access read shared segments and their own" on public.segments
  for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessClientes')))
    and (shared or owner_id = (select private.caller())));

-- What a definition is evaluated for: the moment, the group's day, and the locations whose reservations
-- count.
create type private.segment_scope as (
  organization_id uuid, at timestamptz, timezone text, today date, locations uuid[], bound boolean);
