-- Which customer a person is: one rule for the sync, imports, bookings by hand and the waitlist. match_people
-- finds a known customer for each person of a batch, or makes the id of a new one. Its steps fill in
-- pg_temp.people; the caller writes the customers.

create or replace function private.match_people(p_organization uuid, p_people jsonb)
  returns table (place integer, customer_id uuid, is_new boolean)
language plpgsql volatile set search_path = ''
as $$
#variable_conflict use_column
begin
  drop table if exists pg_temp.people;
  create temp table people on commit drop as
  select e.place, coalesce(e.recency, e.place) as recency, e.email, e.phone, e.first_name, e.last_name,
    e.birth_date, e.address, e.company, e.job_title, e.customer_id, e.customer_id is null as is_asked,
    false as is_new, null::integer as born, null::text as name_key
  from jsonb_to_recordset(p_people) as e (place integer, recency integer, email text, phone text,
    first_name text, last_name text, birth_date date, address text, company text, job_title text,
    customer_id uuid);
  analyze pg_temp.people;
  perform private.match_emails(p_organization);
  -- Only who is not known by e-mail is compared by name and year of birth, which take long to work out.
  update pg_temp.people p set born = private.birth_year(p.birth_date, p.email),
    name_key = private.name_key(coalesce(p.first_name, '') || ' ' || coalesce(p.last_name, ''))
  where p.customer_id is null;
  if found then
    analyze pg_temp.people;
  end if;
  perform private.match_phones_of_emails(p_organization);
  perform private.match_by_model(p_organization);
  perform private.number_new_emails();
  perform private.match_phones(p_organization);
  return query select p.place, p.customer_id, p.is_new from pg_temp.people p
    where p.is_asked and p.customer_id is not null;
end
$$;
comment on function private.match_people(uuid, jsonb) is
  'The customers of people [{place, recency, email, phone, first_name, last_name, birth_date, address, company, job_title}], of whom only place is required; with customer_id: one of the batch who is known. The order is that of place; the name of highest recency counts. is_new: customer_id is of nobody yet, and the caller makes that customer; people of one id are one. Whoever has neither e-mail nor phone is left out. Call it under lock_identities.';
grant execute on function private.match_people(uuid, jsonb) to service_role;

create or replace function private.match_emails(p_organization uuid) returns void
language sql volatile set search_path = ''
as $$
  update pg_temp.people p set customer_id = c.id from public.customers c
  where p.customer_id is null and p.email is not null and c.organization_id = p_organization
    and c.email = p.email;
  update pg_temp.people p set customer_id = a.customer_id from public.customer_aliases a
  where p.customer_id is null and p.email is not null and a.organization_id = p_organization
    and a.email = p.email;
$$;
comment on function private.match_emails(uuid) is 'Matches people by e-mail, then by a former or further e-mail.';
grant execute on function private.match_emails(uuid) to service_role;

create or replace function private.names_agree(p_one text, p_other text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$
  select '' in (p_one, p_other) or string_to_array(p_one, ' ') <@ string_to_array(p_other, ' ')
    or string_to_array(p_one, ' ') @> string_to_array(p_other, ' ')
$$;
comment on function private.names_agree(text, text) is
  'Whether two name keys may be one person''s: one has all words of the other, or one is empty.';
grant execute on function private.names_agree(text, text) to service_role;

create or replace function private.match_phones_of_emails(p_organization uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  if not exists (select from pg_temp.people p where p.customer_id is null and p.email is not null
    and p.phone is not null) then
    return;
  end if;
  -- A new e-mail on a known phone belongs to the phone's owner when both have the same name, or when the
  -- owner has no e-mail and the names agree. Years of birth must not contradict: father and son may share
  -- name and phone.
  with wanted as (
    select p.email, p.phone, p.name_key, min(p.place) as place, max(p.birth_date) as birth_date,
      max(p.born) as born
    from (
      -- When an e-mail has rows with and without a name, only those with a name count.
      select *, bool_or(name_key <> '') over (partition by email) as named from pg_temp.people
      where customer_id is null and email is not null
    ) as p
    where p.phone is not null and p.named = (p.name_key <> '')
    group by p.email, p.phone, p.name_key
  ), known as materialized (
    select owned.phone, c.id, c.email, c.created_at, c.birth_date,
      private.birth_year(c.birth_date, c.email) as born,
      private.name_key(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')) as name_key
    from private.phone_owners(p_organization, array(select distinct phone from wanted)) as owned
    join public.customers c on c.id = owned.customer_id
  ), pairs as materialized (
    select w.email, w.place, k.id, k.created_at, k.email as their_email,
      w.name_key <> '' and w.name_key = k.name_key as same_name
    from wanted w join known k on k.phone = w.phone
      and (w.name_key = k.name_key or k.email is null and private.names_agree(w.name_key, k.name_key))
    where not private.are_generations(k.born, w.born)
      and (k.birth_date is null or w.birth_date is null
        or private.birth_level(k.birth_date, w.birth_date) not in (1, 5))
  ), named as (
    select distinct on (p.email) p.email, p.id from pairs p where p.same_name
    order by p.email, p.place, p.their_email is null desc, p.created_at, p.their_email, p.id
  ), others as (
    -- For customers without an e-mail. Left out are those who get one from another person of the batch.
    select p.email, p.place, p.id, row_number() over (partition by p.email
      order by p.place, p.created_at, p.id) as choice
    from pairs p
    where p.their_email is null and not exists (select from named n where n.email = p.email or n.id = p.id)
      and not exists (select from pg_temp.people t where t.customer_id = p.id and t.email is not null)
  ), chosen as (
    select n.email, n.id from named n
    union all
    (select distinct on (o.id) o.email, o.id from others o where o.choice = 1 order by o.id, o.place)
  )
  update pg_temp.people p set customer_id = c.id from chosen c
  where p.customer_id is null and p.email = c.email;
end
$$;
comment on function private.match_phones_of_emails(uuid) is
  'Hands a new e-mail to an owner of its phone: one of the same name, else one without an e-mail whose name agrees or is missing; never across years of birth that contradict.';
grant execute on function private.match_phones_of_emails(uuid) to service_role;

create or replace function private.new_emails()
  returns table (email text, phone text, first_name text, last_name text, own text)
language plpgsql stable set search_path = ''
as $$
begin
  return query
  with latest as (
    select p.email, min(p.place) as place,
      (array_agg(p.phone order by p.recency desc) filter (where p.phone is not null))[1] as phone,
      (array_agg(p.first_name order by p.recency desc) filter (where p.name_key <> ''))[1] as first_name,
      (array_agg(p.last_name order by p.recency desc) filter (where p.name_key <> ''))[1] as last_name,
      (array_agg(p.name_key order by p.recency desc) filter (where p.name_key <> ''))[1] as name_key,
      max(p.born) as born
    from pg_temp.people p where p.customer_id is null and p.email is not null
    group by p.email
  )
  select l.email, l.phone, l.first_name, l.last_name,
    first_value(l.email) over (partition by coalesce(l.phone || ' ' || l.name_key, l.email),
      case when l.generations then l.born end order by l.place)
  from (
    select a.*, private.are_generations(min(a.born) over one_name, max(a.born) over one_name) as generations
    from latest a window one_name as (partition by a.phone, a.name_key)
  ) as l;
end
$$;
comment on function private.new_emails() is
  'The e-mails of pg_temp.people that no customer has yet, with the latest phone and name; own: the first e-mail of the same phone and name.';
grant execute on function private.new_emails() to service_role;

create or replace function private.match_by_model(p_organization uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_people jsonb;
begin
  if not exists (select from pg_temp.people p where p.customer_id is null and p.email is not null) then
    return;
  end if;
  -- Only people with an e-mail are compared: a new phone alone is too little. How many people share a phone
  -- or mailbox counts the whole batch.
  with facts as (
    select p.email, (array_agg(p order by p.birth_date is not null desc, p.place desc))[1] as last
    from pg_temp.people p where p.customer_id is null and p.email is not null group by p.email
  )
  select jsonb_agg(jsonb_strip_nulls(to_jsonb(one))) into v_people from (
    select n.own, n.phone, n.first_name, n.last_name, n.email, null::uuid as customer_id,
      null::boolean as known, (f.last).birth_date, (f.last).address, (f.last).company, (f.last).job_title
    from private.new_emails() as n join facts f on f.email = n.email where n.email = n.own
    union all
    select distinct null, p.phone, p.first_name, p.last_name, p.email, p.customer_id, true, null::date, null,
      null, null
    from pg_temp.people p where p.customer_id is not null or p.email is null and p.phone is not null
  ) as one;
  update pg_temp.people p set customer_id = m.customer_id
  from private.certain_matches(p_organization, v_people) as m
  join private.new_emails() as n on n.own = v_people -> (m.place - 1) ->> 'own'
  where p.customer_id is null and p.email = n.email;
end
$$;
comment on function private.match_by_model(uuid) is
  'Gives new e-mails to the customers that the model is certain of (docs/identity.md).';
grant execute on function private.match_by_model(uuid) to service_role;

create or replace function private.number_new_emails() returns void
language sql volatile set search_path = ''
as $$
  with fresh as materialized (
    select n.email, n.own from private.new_emails() as n
  ), made as materialized (
    select own, private.new_id() as id from fresh group by own
  )
  update pg_temp.people p set customer_id = m.id, is_new = true
  from fresh f join made m on m.own = f.own
  where p.customer_id is null and p.email = f.email;
$$;
comment on function private.number_new_emails() is
  'Makes ids of new customers for the e-mails left: one for those with the same phone and name.';
grant execute on function private.number_new_emails() to service_role;

create or replace function private.match_phones(p_organization uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  if not exists (select from pg_temp.people p where p.customer_id is null and p.phone is not null) then
    return;
  end if;
  -- People without an e-mail are found by phone: the customer of that name, else the oldest record. Customers
  -- of this batch already count with the phone and name that it gives them, so a repeated batch finds the
  -- same people.
  with own as (
    select p.customer_id as id, (array_agg(p.email order by p.place))[1] as email,
      bool_or(p.is_new) as is_new,
      (array_agg(p.phone order by p.recency desc) filter (where p.phone is not null))[1] as phone,
      (array_agg(p.first_name order by p.recency desc) filter (where p.first_name is not null))[1]
        as first_name,
      (array_agg(p.last_name order by p.recency desc) filter (where p.last_name is not null))[1] as last_name
    from pg_temp.people p where p.email is not null group by p.customer_id
  ), wanted as (
    select distinct p.phone, p.name_key from pg_temp.people p
    where p.customer_id is null and p.phone is not null
  ), owners as (
    select coalesce(c.phone, o.phone) as phone, o.id from own o left join public.customers c on c.id = o.id
    union
    select k.phone, k.customer_id
    from private.phone_owners(p_organization, array(select distinct phone from wanted)) as k
  ), known as materialized (
    select w.phone, w.id, coalesce(o.is_new, false) as is_new, coalesce(c.email, o.email) as email,
      coalesce(c.created_at, now()) as created_at,
      private.name_key(coalesce(nullif(c.first_name, ''), o.first_name, '') || ' ' ||
        coalesce(nullif(c.last_name, ''), o.last_name, '')) as name_key
    from owners w left join own o on o.id = w.id left join public.customers c on c.id = w.id
    where w.phone in (select phone from wanted)
  ), chosen as (
    select distinct on (w.phone, w.name_key) w.phone, w.name_key, k.id, k.is_new
    from wanted w join known k on k.phone = w.phone
    order by w.phone, w.name_key, (w.name_key <> '' and k.name_key = w.name_key) desc, k.created_at, k.email,
      k.id
  )
  update pg_temp.people p set customer_id = c.id, is_new = c.is_new
  from chosen c where p.customer_id is null and p.phone = c.phone and p.name_key = c.name_key;

  -- Each other phone becomes a new customer.
  update pg_temp.people p set customer_id = n.id, is_new = true
  from (
    select o.phone, private.new_id() as id from pg_temp.people o
    where o.customer_id is null and o.phone is not null group by o.phone
  ) as n
  where p.customer_id is null and p.phone = n.phone;
end
$$;
comment on function private.match_phones(uuid) is
  'Gives people without an e-mail the customer of their phone: the one of that name, else the oldest record, else a new one.';
grant execute on function private.match_phones(uuid) to service_role;
