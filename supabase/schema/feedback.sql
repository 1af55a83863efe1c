-- Feedback: the answer of a guest to the one question after a visit.

create table public.feedback (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations on delete cascade,
  location_id uuid not null references public.locations on delete cascade,
  customer_id uuid references public.customers on delete set null,
  reservation_id uuid not null unique references public.reservations on delete cascade,
  -- Stars, as guests know them from review sites; 0 to 10 is the scale of "would you recommend us".
  score smallint not null check (score between 1 and 5),
  words text check (btrim(words) <> '' and length(words) <= 1000),
  language text not null
    check (language in ('es', 'ca', 'eu', 'gl', 'en', 'fr', 'pt', 'it', 'de', 'nl')),
  answered_at timestamptz not null,
  changed_at timestamptz,
  ticket_id uuid references public.tickets on delete set null,
  ticket_opened_at timestamptz,
  reply text check (btrim(reply) <> '' and length(reply) <= 2000),
  replied_by text check (length(replied_by) <= 254),
  replied_at timestamptz,
  reply_message_id uuid references public.messages on delete set null,
  constraint feedback_instants_check check (
    least(answered_at, changed_at, ticket_opened_at, replied_at) >= '1900-01-01Z'
    and greatest(answered_at, changed_at, ticket_opened_at, replied_at) < '2200-01-01Z')
);
comment on table public.feedback is 'What guests said about a visit, once a visit.';
comment on column public.feedback.location_id is 'The location of the visit; with customer_id it follows the reservation.';
comment on column public.feedback.language is 'The language of the page on which the guest answered.';
comment on column public.feedback.answered_at is 'The first answer; the guest may change it for a day, the last time at changed_at.';
comment on column public.feedback.ticket_opened_at is 'When a bad score opened a ticket; a visit opens one at most, also when the ticket was deleted.';
comment on column public.feedback.reply is 'What the restaurant wrote back, once. An erasure removes it.';
comment on column public.feedback.replied_by is 'Who wrote back: a name that outlives the profile.';

create index feedback_organization_idx on public.feedback (organization_id, answered_at desc, id desc);
create index feedback_location_idx on public.feedback (location_id, answered_at desc, id desc);
create index feedback_customer_idx on public.feedback (customer_id, answered_at desc)
  where customer_id is not null;
create index feedback_ticket_idx on public.feedback (ticket_id) where ticket_id is not null;
create index feedback_reply_idx on public.feedback (reply_message_id) where reply_message_id is not null;
alter table public.feedback enable row level security;
grant select on public.feedback to authenticated;
grant select, insert, update, delete on public.feedback to service_role;

create policy "who may read customers reads feedback of their locations" on public.feedback
  for select to authenticated
  using (location_id = any(array(select private.my_locations('canAccessClientes'))));
