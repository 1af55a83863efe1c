-- Asking the model before a guest is made: who is certainly here already, who may be, and which pairs a new
-- guest makes.

create or replace function private.certain_matches(p_organization uuid, p_people jsonb)
returns table (place integer, customer_id uuid)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  v_weights constant real[] := private.weights_of(p_organization);
  v_prior constant real := private.prior_bits(p_organization);
  v_likely constant real := private.likely_from(p_organization);
  v_certain constant real := private.certain_from(p_organization);
  -- A key of more guests than these is an office's or a concierge's.
  v_most constant integer := 8;
  v_compared constant integer := 1000;
begin
  return query
  with people as materialized (
    select e.place::integer as place, e.person, e.person ->> 'customer_id' as known,
      e.person ? 'known' as is_known, e.person ->> 'phone' as phone,
      private.mailbox_key(e.person ->> 'email') as mailbox, (e.person ->> 'birth_date')::date as birth_date,
      private.fold(coalesce(e.person ->> 'last_name', '') || ' '
        || coalesce(e.person ->> 'first_name', '')) as sort_name,
      split_part(btrim(private.fold(e.person ->> 'first_name')), ' ', 1) as given,
      private.name_key(coalesce(e.person ->> 'first_name', '') || ' '
        || coalesce(e.person ->> 'last_name', '')) as name_key
    from jsonb_array_elements(p_people) with ordinality as e (person, place)
  ), asked as materialized (
    select p.* from people p where not p.is_known and p.name_key <> ''
  ), holders as materialized (
    -- Who has a phone, a mailbox, or name and day of birth: asked at once for the whole batch. Asked for each
    -- person, with a limit, statistics of other times make each question read all guests.
    select h.* from (
      select k.*, row_number() over (partition by k.phone, k.mailbox, k.birth_date,
        case when k.birth_date is not null then k.sort_name end) as nth
      from (
        select c.phone, null::text as mailbox, null::date as birth_date, c.sort_name, c.id
        from public.customers c
        where c.organization_id = p_organization and c.phone = any(array(select a.phone from asked a))
        union
        select f.phone, null, null, c.sort_name, c.id from public.customer_aliases f
        join public.customers c on c.id = f.customer_id
        where f.organization_id = p_organization and f.phone = any(array(select a.phone from asked a))
        union
        select null, c.email_key, null, c.sort_name, c.id from public.customers c
        where c.organization_id = p_organization and c.email_key = any(array(select a.mailbox from asked a))
        union
        select null, null, c.birth_date, c.sort_name, c.id
        from (select distinct a.birth_date, a.sort_name from asked a
          where a.birth_date is not null and a.sort_name <> '') as a
        join public.customers c on c.organization_id = p_organization and c.birth_date = a.birth_date
          and c.sort_name = a.sort_name and c.sort_name <> ''
      ) as k
    ) as h where h.nth <= v_most + 1
  ), shared as materialized (
    select k.place, k.id, bool_or(k.holds) as holds, count(*) over (partition by k.place) as many,
      bool_or(k.given = any(string_to_array(k.sort_name, ' '))) as same_given, max(k.sort_name) <> '' as named
    from (
      select a.place, a.given, h.id, h.sort_name, true as holds
      from asked a join holders h on h.phone = a.phone
      union all
      select a.place, a.given, h.id, h.sort_name, true from asked a join holders h on h.mailbox = a.mailbox
      union all
      select a.place, a.given, h.id, h.sort_name, false
      from asked a join holders h on h.birth_date = a.birth_date and h.sort_name = a.sort_name
    ) as k
    group by k.place, k.id
  ), worth as materialized (
    -- Most new guests share nothing with anyone, and a household's share a phone under another given name:
    -- only the rest take the time of a comparison, up to a bound that keeps a call below the statement limit.
    select s.place from shared s group by s.place
    having max(s.many) <= v_most and bool_or(s.same_given)
      and not bool_or(s.holds and s.named and not s.same_given)
    order by s.place limit v_compared
  ), formed as materialized (
    select a.place, f as i, private.shares_of(f) as shares
    from asked a join worth w on w.place = a.place
    cross join lateral private.identity_of(p_organization, a.person) as f
  ), compared as materialized (
    select f.place, f.i, f.shares, s.id, private.compare_identities(f.i, o, f.shares, false) as levels,
      s.holds and coalesce(o.given_meant, o.surname1) is not null
        and (o.given_meant, o.surname1) is distinct from ((f.i).given_meant, (f.i).surname1) as other_name
    from formed f
    join shared s on s.place = f.place
    join private.customer_identity o on o.customer_id = s.id and o.organization_id = p_organization
  ), weighed as materialized (
    select c.*, private.probability_of(v_prior + private.weigh(c.levels, v_weights)) as probability
    from compared c where c.levels is not null
  ), alone as (
    -- One candidate, and certain.
    select w.place, (array_agg(w.id))[1] as id
    from weighed w where w.probability >= v_likely
    group by w.place
    having count(*) = 1
      and bool_and(w.probability >= v_certain and private.is_certain(w.i, w.levels, w.shares))
  ), chosen as (
    select f.place, f.id, count(*) over (partition by f.id) as takers
    from alone f join asked a on a.place = f.place
    -- Nobody else has the phone or the mailbox under another name: neither here …
    where not exists (select from compared c where c.place = f.place and c.id <> f.id and c.other_name)
      -- … nor among the people asked about.
      and not exists (select from people p where p.phone = a.phone and p.name_key <> a.name_key
        and p.name_key <> ''
        and p.known is distinct from f.id::text)
      and not exists (select from people p where p.mailbox = a.mailbox and p.name_key <> a.name_key
        and p.name_key <> ''
        and p.known is distinct from f.id::text)
      -- Someone said that there are two people behind what they share.
      and not exists (select from shared s join public.customer_pairs k
        on k.first_id = least(s.id, f.id) and k.second_id = greatest(s.id, f.id) and k.verdict = 'different'
        where s.place = f.place and s.id <> f.id)
  )
  select c.place, c.id from chosen c where c.takers = 1;
end
$$;
comment on function private.certain_matches(uuid, jsonb) is
  'Which people are certainly a customer already: their place in p_people (from 1) and the customer. A person is {first_name, last_name, email, phone, birth_date, address, company, job_title}; with known: true it is one of the same batch who is not asked about (customer_id: who it is), and only counts among those who share a phone or a mailbox. Call it under lock_identities.';

create or replace function private.mailbox_key(p_email text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case when split_part(p_email, '@', 2) in ('gmail.com', 'googlemail.com')
    then replace(split_part(split_part(p_email, '@', 1), '+', 1), '.', '') || '@gmail.com'
    else split_part(split_part(p_email, '@', 1), '+', 1) || '@' || split_part(p_email, '@', 2) end;
end
$$;
comment on function private.mailbox_key(text) is 'The mailbox behind an e-mail, as in customers.email_key.';

create or replace function private.birth_year(p_birth date, p_email text) returns integer
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return coalesce(extract(year from p_birth)::integer,
    (regexp_match(split_part(p_email, '@', 1), '(?:^|[^0-9])(19[3-9][0-9]|200[0-9])(?![0-9])'))[1]::integer);
end
$$;
comment on function private.birth_year(date, text) is 'The year of birth, or else the one that the mailbox ends in or has (ana1984@).';

create or replace function private.are_generations(p_year integer, p_other integer) returns boolean
language sql immutable parallel safe set search_path = ''
as $$ select coalesce(abs(p_year - p_other) > 15, false) $$;
comment on function private.are_generations(integer, integer) is
  'Whether two years of birth are so far apart that one name on one phone is a parent''s and a child''s.';

create or replace function private.suggest_for(p_customer uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  c public.customers;
begin
  select * into c from public.customers where id = p_customer;
  if c.id is null then return; end if;
  perform private.pair_people(c.organization_id, array[c.id], true);
  delete from private.identity_queue q where q.organization_id = c.organization_id and q.customer_id = c.id;
end
$$;
comment on function private.suggest_for(uuid) is
  'Scores one customer that somebody has just made or changed, so that it is suggested at once and need not wait for private.score_step.';

create or replace function private.masked_phone(p_phone text) returns text
language sql immutable parallel safe set search_path = ''
as $$ select '… ' || right(p_phone, 3) $$;
comment on function private.masked_phone(text) is 'The last three digits: enough to recognise.';

create or replace function private.masked_email(p_email text) returns text
language sql immutable parallel safe set search_path = ''
as $$ select left(p_email, 1) || '…@' || split_part(p_email, '@', 2) $$;
comment on function private.masked_email(text) is 'The first character and what is behind the @: enough to recognise.';

create or replace function public.customer_matches(p_person jsonb, p_id uuid default null) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessClientes') as id limit 1);
begin
  if v_organization is null then return '[]'; end if;
  return coalesce((
    select jsonb_agg(jsonb_build_object('id', m.id, 'first_name', m.first_name, 'last_name', m.last_name,
      'phone', private.masked_phone(m.phone), 'email', private.masked_email(m.email),
      'last_visit_at', m.last_visit_at, 'last_visit_on', m.last_visit_on,
      'total_visits', m.total_visits, 'probability', m.probability, 'certain', m.certain, 'reasons',
      m.reasons)
      order by m.probability desc, m.id)
    from (
      select c.*, s.probability, s.certain, s.reasons
      from private.score_new(v_organization, (p_person - 'id') || jsonb_build_object('id', p_id), 20) as s
      join public.customers c on c.id = s.customer_id and c.organization_id = v_organization
      where not exists (select from public.customer_pairs k where k.verdict = 'different'
        and k.first_id = least(c.id, p_id) and k.second_id = greatest(c.id, p_id))
      order by s.probability desc, c.id limit 3
    ) as m), '[]');
end
$$;
comment on function public.customer_matches(jsonb, uuid) is
  'The three of the caller''s guests who are most likely the person that is being typed in, with masked contact data, the most likely first. p_id: the customer that is edited, who is no match for themselves.';
grant execute on function private.certain_matches(uuid, jsonb), private.suggest_for(uuid),
  private.birth_year(date, text), private.are_generations(integer, integer) to service_role;
grant execute on function public.customer_matches(jsonb, uuid) to authenticated;
