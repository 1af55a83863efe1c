-- Staff verdicts on pairs of customers: they are different people, so that they are not suggested as
-- duplicates.

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
grant select on public.customer_pairs to authenticated;
grant select, insert, update, delete on public.customer_pairs to service_role;

create policy "staff with customer access read pairs" on public.customer_pairs for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessClientes'))));

-- Which records are one person: the comparison form of each customer, the weights of what agrees, and the
-- pairs found. The method is in docs/identity.md; the functions are in logic/identity.

create table private.customer_identity (
  customer_id uuid primary key references public.customers on delete cascade,
  organization_id uuid not null references public.organizations on delete cascade,
  -- As spelled and as meant: "pepe luis" and "jose luis". Words of lower case without accents, particles left
  -- out.
  given text,
  given_meant text,
  given_meanings text[],
  surname1 text,
  surname2 text,
  mailbox text,
  email_suffix text,
  email_local text,
  email_domain text,
  phone text,
  birth_date date,
  address text,
  postcode text,
  company text,
  job_title text,
  -- Blocking keys: hashes of the organization and a combination; only who shares one is compared.
  by_mailbox integer,
  by_local_part integer,
  by_phone integer,
  by_phone_start integer,
  by_phone_middle integer,
  by_phone_end integer,
  by_name integer,
  by_sound integer,
  by_surname integer,
  by_surnames integer,
  by_birth integer,
  by_birth_given integer,
  by_birth_month integer,
  by_address integer,
  by_postcode integer,
  by_given_month integer,
  by_home integer
);
comment on table private.customer_identity is
  'The comparison form of a customer, kept by triggers on customers. Two with one blocking key are compared.';

create index customer_identity_organization_idx on private.customer_identity (organization_id, customer_id);
create index customer_identity_mailbox_idx on private.customer_identity (by_mailbox)
  where by_mailbox is not null;
create index customer_identity_local_part_idx on private.customer_identity (by_local_part)
  where by_local_part is not null;
create index customer_identity_phone_idx on private.customer_identity (by_phone) where by_phone is not null;
create index customer_identity_phone_start_idx on private.customer_identity (by_phone_start)
  where by_phone_start is not null;
create index customer_identity_phone_middle_idx on private.customer_identity (by_phone_middle)
  where by_phone_middle is not null;
create index customer_identity_phone_end_idx on private.customer_identity (by_phone_end)
  where by_phone_end is not null;
create index customer_identity_name_idx on private.customer_identity (by_name) where by_name is not null;
create index customer_identity_sound_idx on private.customer_identity (by_sound) where by_sound is not null;
create index customer_identity_surname_idx on private.customer_identity (by_surname)
  where by_surname is not null;
create index customer_identity_surnames_idx on private.customer_identity (by_surnames)
  where by_surnames is not null;
create index customer_identity_birth_idx on private.customer_identity (by_birth) where by_birth is not null;
create index customer_identity_birth_given_idx on private.customer_identity (by_birth_given)
  where by_birth_given is not null;
create index customer_identity_birth_month_idx on private.customer_identity (by_birth_month)
  where by_birth_month is not null;
create index customer_identity_address_idx on private.customer_identity (by_address)
  where by_address is not null;
create index customer_identity_postcode_idx on private.customer_identity (by_postcode)
  where by_postcode is not null;
create index customer_identity_given_month_idx on private.customer_identity (by_given_month)
  where by_given_month is not null;
create index customer_identity_home_idx on private.customer_identity (by_home) where by_home is not null;

create table private.identity_queue (
  organization_id uuid not null references public.organizations on delete cascade,
  customer_id uuid not null references public.customers on delete cascade,
  primary key (organization_id, customer_id)
);

create index identity_queue_customer_idx on private.identity_queue (customer_id);
comment on table private.identity_queue is 'New and changed customers that private.score_step has not compared yet.';

create table private.identity_names (
  organization_id uuid not null references public.organizations on delete cascade,
  kind text not null check (kind in ('given', 'surname')),
  name text not null,
  share real not null,
  primary key (organization_id, kind, name)
);
comment on table private.identity_names is 'The share of a group''s records, 0–1, that have a name: common names prove less.';

create table private.identity_patterns (
  organization_id uuid not null references public.organizations on delete cascade,
  -- Of pairs that share a blocking key, or of random ones.
  random boolean not null,
  levels smallint[] not null,
  rarity smallint not null,
  free smallint not null,
  pairs bigint not null,
  primary key (organization_id, random, levels, rarity, free)
);
comment on table private.identity_patterns is
  'What the weights are learned from: how many compared pairs agree at which levels; free says which fields'' blocking found them independently.';

create table private.identity_seeds (
  field text not null,
  place smallint not null,
  level smallint not null,
  label text not null,
  m real not null,
  u real not null,
  -- The rarity of what agrees takes the place of u.
  by_rarity boolean not null default false,
  primary key (field, level)
);
comment on table private.identity_seeds is 'The weights of a group that has learned none of its own, and what is added to the counts when it learns.';
alter table private.customer_identity enable row level security;
alter table private.identity_queue enable row level security;
alter table private.identity_names enable row level security;
alter table private.identity_patterns enable row level security;
alter table private.identity_seeds enable row level security;
grant select, insert, update, delete on private.customer_identity, private.identity_queue,
  private.identity_names, private.identity_patterns to service_role;
grant select on private.identity_seeds to service_role;

insert into private.identity_seeds (field, place, level, label, m, u, by_rarity) values
  ('given', 1, 1, 'different', 0.03, 0.96, false), ('given', 1, 2, 'similar', 0.03, 0.02, false),
  ('given', 1, 3, 'close', 0.06, 0.005, false), ('given', 1, 4, 'part', 0.05, 0.01, false),
  ('given', 1, 5, 'nickname', 0.06, 0.005, true), ('given', 1, 6, 'exact', 0.74, 0.01, true),
  ('given', 1, 7, 'swapped', 0.02, 0.0001, true),
  ('surname', 2, 1, 'different', 0.03, 0.97, false), ('surname', 2, 2, 'similar', 0.02, 0.01, false),
  ('surname', 2, 3, 'one_differs', 0.01, 0.01, true), ('surname', 2, 4, 'close', 0.08, 0.001, false),
  ('surname', 2, 5, 'one_missing', 0.2, 0.005, true), ('surname', 2, 6, 'exact', 0.5, 0.005, true),
  ('surname', 2, 7, 'both', 0.5, 0.0001, true),
  ('birth', 3, 1, 'different', 0.02, 0.6, false), ('birth', 3, 2, 'two_parts', 0.04, 0.03, false),
  ('birth', 3, 3, 'close', 0.06, 0.002, false), ('birth', 3, 4, 'exact', 0.87, 0.00006, false),
  ('birth', 3, 5, 'generation', 0.00001, 0.4, false), ('birth', 3, 6, 'near', 0.01, 0.03, false),
  ('email', 4, 1, 'different', 0.3, 0.99, false), ('email', 4, 2, 'company', 0.03, 0.001, false),
  ('email', 4, 3, 'close', 0.1, 0.0005, false), ('email', 4, 4, 'local_part', 0.1, 0.00003, false),
  ('email', 4, 5, 'mailbox', 0.15, 0.000003, false), ('email', 4, 6, 'exact', 0.3, 0.000003, false),
  ('email', 4, 7, 'name', 0.05, 0.0005, false),
  ('phone', 5, 1, 'different', 0.25, 0.999, false), ('phone', 5, 2, 'two_digits', 0.02, 0.0003, false),
  ('phone', 5, 3, 'close', 0.08, 0.00003, false), ('phone', 5, 4, 'exact', 0.65, 0.000003, false),
  ('address', 6, 1, 'different', 0.15, 0.95, false), ('address', 6, 2, 'related', 0.15, 0.04, false),
  ('address', 6, 3, 'similar', 0.25, 0.005, false), ('address', 6, 4, 'close', 0.2, 0.0008, false),
  ('address', 6, 5, 'exact', 0.25, 0.0005, false),
  ('postcode', 7, 1, 'different', 0.15, 0.95, false), ('postcode', 7, 2, 'area', 0.1, 0.05, false),
  ('postcode', 7, 3, 'close', 0.1, 0.01, false), ('postcode', 7, 4, 'exact', 0.65, 0.002, false),
  ('company', 8, 1, 'different', 0.3, 0.98, false), ('company', 8, 2, 'similar', 0.2, 0.01, false),
  ('company', 8, 3, 'exact', 0.5, 0.005, false),
  ('job', 9, 1, 'different', 0.4, 0.9, false), ('job', 9, 2, 'similar', 0.1, 0.02, false),
  ('job', 9, 3, 'exact', 0.5, 0.05, false);

create table public.identity_weights (
  organization_id uuid not null references public.organizations on delete cascade,
  field text not null
    check (field in ('given', 'surname', 'birth', 'email', 'phone', 'address', 'postcode', 'company', 'job')),
  level smallint not null check (level between 1 and 8),
  label text not null check (length(label) <= 40),
  m real not null check (m > 0 and m <= 1),
  u real not null check (u > 0 and u <= 1),
  learned_at timestamptz not null default now() check (learned_at between '1900-01-01Z' and '2200-01-01Z'),
  primary key (organization_id, field, level)
);
comment on table public.identity_weights is
  'How often a field compares at this level among records of one person (m) and among those of two (u); log2(m/u) is what it weighs.';

create table public.identity_settings (
  organization_id uuid primary key references public.organizations on delete cascade,
  likely real not null default 0.5 check (likely between 0.5 and 0.999),
  certain real not null default 0.999 check (certain between 0.9 and 1),
  prior real not null default 0.000001 check (prior > 0 and prior < 0.5),
  learned_at timestamptz check (learned_at between '1900-01-01Z' and '2200-01-01Z'),
  learned_from integer not null default 0 check (learned_from between 0 and 1000000000),
  queued_to uuid,
  constraint identity_settings_order check (likely < certain)
);
comment on table public.identity_settings is
  'From which probability a pair is suggested and from which it is taken for one person; and how likely two records are one person before anything is compared.';
comment on column public.identity_settings.queued_to is
  'While everyone is to be compared again: up to which id they are queued (private.queue_next); else null.';
comment on column public.identity_settings.learned_from is 'How many customers the group had when it last learned.';

create table public.identity_pairs (
  first_id uuid not null references public.customers on delete cascade,
  second_id uuid not null references public.customers on delete cascade,
  organization_id uuid not null references public.organizations on delete cascade,
  probability real not null check (probability between 0 and 1),
  certain boolean not null default false,
  reasons jsonb not null check (pg_column_size(reasons) <= 2000),
  scored_at timestamptz not null default now() check (scored_at between '1900-01-01Z' and '2200-01-01Z'),
  primary key (first_id, second_id),
  constraint identity_pairs_order check (first_id < second_id)
);
comment on table public.identity_pairs is
  'Pairs of customers who are likely one person, with the level at which each field agrees ({given: nickname, …}).';

create index identity_pairs_second_idx on public.identity_pairs (second_id);
create index identity_pairs_best_idx
  on public.identity_pairs (organization_id, probability desc, first_id, second_id);
alter table public.identity_weights enable row level security;
alter table public.identity_settings enable row level security;
alter table public.identity_pairs enable row level security;
grant select on public.identity_weights, public.identity_settings, public.identity_pairs to authenticated;
grant select, insert, update, delete
  on public.identity_weights, public.identity_settings, public.identity_pairs to service_role;

create policy "settings staff read identity weights" on public.identity_weights for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canViewSettings'))));
create policy "settings staff read identity settings" on public.identity_settings for select to authenticated
  using (organization_id = any(array(select private.my_organizations('canViewSettings'))));
create policy "staff with customer access read identity pairs" on public.identity_pairs for select
  to authenticated
  using (organization_id = any(array(select private.my_organizations('canAccessClientes'))));
