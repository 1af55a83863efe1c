-- What the assistant may cost a day: how often and with how many tokens the model was asked, by each person and by the
-- organization. A call reserves what it may take before it leaves and settles what it took; see lib/assistant/allowance.ts.

alter table public.organizations
  add column ai_daily_calls integer not null default 500 check (ai_daily_calls between 0 and 100000),
  add column ai_daily_calls_per_person integer not null default 100
    check (ai_daily_calls_per_person between 0 and 100000),
  add column ai_daily_tokens integer not null default 3000000 check (ai_daily_tokens between 0 and 1000000000),
  add column ai_daily_tokens_per_person integer not null default 600000
    check (ai_daily_tokens_per_person between 0 and 1000000000);
comment on column public.organizations.ai_daily_calls is 'Questions to the assistant that are answered a day, over all people.';
comment on column public.organizations.ai_daily_tokens is 'Tokens a day, over all people, as the provider counts them.';

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
comment on column public.ai_usage.tokens is 'Settled, and reserved by calls under way or of which no one knows what they took.';
alter table public.ai_usage enable row level security;
revoke all on public.ai_usage from anon, authenticated;
grant select on public.ai_usage to authenticated;
grant select, insert, update, delete on public.ai_usage to service_role;
create policy "people read their own use, settings people all" on public.ai_usage for select to authenticated
  using (person = (select private.caller())
    or organization_id = any(array(select private.my_organizations('canViewSettings'))));

create function public.reserve_ai(p_organization uuid, p_person uuid, p_calls integer, p_tokens integer,
  p_now timestamptz default now()) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  o public.organizations;
  v_zone text := private.home_timezone(p_organization);
  v_day date := (p_now at time zone v_zone)::date;
  v_all record;
begin
  -- One reservation at a time: what it reads below is what the others have left.
  select * into o from public.organizations where id = p_organization for no key update;
  if o.id is null then
    raise exception 'unknown organization' using errcode = '22023';
  end if;
  select coalesce(sum(u.calls), 0) + p_calls as calls, coalesce(sum(u.tokens), 0) + p_tokens as tokens,
    coalesce(sum(u.calls) filter (where u.person = p_person), 0) + p_calls as own_calls,
    coalesce(sum(u.tokens) filter (where u.person = p_person), 0) + p_tokens as own_tokens
  into v_all from public.ai_usage u where u.organization_id = p_organization and u.day = v_day;
  if v_all.calls > o.ai_daily_calls or v_all.own_calls > o.ai_daily_calls_per_person
    or v_all.tokens > o.ai_daily_tokens or v_all.own_tokens > o.ai_daily_tokens_per_person then
    return jsonb_build_object('day', v_day, 'wait', greatest(1,
      ceil(extract(epoch from (v_day + 1)::timestamp at time zone v_zone - p_now))));
  end if;
  insert into public.ai_usage as u (organization_id, day, person, calls, tokens)
  values (p_organization, v_day, p_person, p_calls, p_tokens)
  on conflict (organization_id, day, person)
  do update set calls = u.calls + excluded.calls, tokens = u.tokens + excluded.tokens;
  return jsonb_build_object('day', v_day, 'wait', 0);
end
$$;
comment on function public.reserve_ai(uuid, uuid, integer, integer, timestamptz) is
  'Takes calls and tokens from the day''s allowance of the person and the organization: {day, wait}. wait 0: taken; else the seconds until the day ends there, and nothing was taken.';

create function public.settle_ai(p_organization uuid, p_person uuid, p_day date, p_reserved integer, p_used integer)
returns void
language sql volatile set search_path = ''
as $$
  update public.ai_usage set tokens = greatest(0, tokens - p_reserved + p_used)
  where organization_id = p_organization and day = p_day and person = p_person
$$;
comment on function public.settle_ai(uuid, uuid, date, integer, integer) is
  'Puts what a call took in place of the tokens that were reserved for it.';

create function public.ai_use_today(p_now timestamptz default now()) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('calls', coalesce(sum(u.calls), 0), 'tokens', coalesce(sum(u.tokens), 0))
  from public.organizations o
  left join public.ai_usage u on u.organization_id = o.id
    and u.day = (p_now at time zone private.home_timezone(o.id))::date
$$;
comment on function public.ai_use_today(timestamptz) is
  'What the caller may see of today''s use of the assistant: {calls, tokens}, of all people for those who see the settings, else the caller''s own.';

revoke execute on function public.reserve_ai(uuid, uuid, integer, integer, timestamptz),
  public.settle_ai(uuid, uuid, date, integer, integer), public.ai_use_today(timestamptz) from public, anon, authenticated;
grant execute on function public.reserve_ai(uuid, uuid, integer, integer, timestamptz),
  public.settle_ai(uuid, uuid, date, integer, integer) to service_role;
grant execute on function public.ai_use_today(timestamptz) to authenticated;
