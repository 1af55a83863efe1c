-- Staff verdicts on pairs of customers: they are different people, so that they are not suggested as duplicates.

create table public.customer_pairs (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  first_id uuid not null references public.customers on delete cascade,
  second_id uuid not null references public.customers on delete cascade,
  verdict text not null check (verdict in ('different')),
  author_id uuid references public.profiles on delete set null,
  author_name text not null check (length(author_name) <= 254),
  decided_at timestamptz not null default now() check (decided_at between '1900-01-01Z' and '2200-01-01Z'),
  constraint customer_pairs_key unique (first_id, second_id),
  -- A pair has no direction, and is stored once.
  constraint customer_pairs_order check (first_id < second_id)
);
create index customer_pairs_second_idx on public.customer_pairs (second_id);
create index customer_pairs_recent_idx on public.customer_pairs (organization_id, decided_at desc, id desc);
create index customer_pairs_author_idx on public.customer_pairs (author_id) where author_id is not null;
comment on table public.customer_pairs is
  'A verdict on two customers of a group, with author and time; different: not the same person.';
comment on column public.customer_pairs.author_name is 'The author''s name at the time; it stays when the author leaves.';

alter table public.customer_pairs enable row level security;
revoke all on public.customer_pairs from anon, authenticated;
grant select on public.customer_pairs to authenticated;
grant select, insert, update, delete on public.customer_pairs to service_role;

create policy "staff with customer access read pairs" on public.customer_pairs for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessClientes'))));
