-- Large sends wait for a second person, and any send can be stopped.

alter table public.organizations
  add column approve_above integer check (approve_above between 1 and 1000000);
comment on column public.organizations.approve_above is
  'A send to more guests than this waits for a second person; null: none does.';
