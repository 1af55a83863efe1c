-- Scoring customers in steps, and someone who is not saved yet.

create function private.weights_of(p_organization uuid) returns real[]
language sql stable set search_path = ''
as $$
  -- [field][level + 1]; a level whose rarity is known pair by pair weighs log2(m) and its rarity is added.
  select array_agg(f.weights order by f.place) from (
    select s.place, array_agg(
      case when s.level = 0 then 0 when s.by_rarity then log(2, w.m::numeric) else log(2, (w.m / w.u)::numeric) end::real order by s.level) as weights
    from (
      select distinct d.place, d.field, l.level, s.by_rarity, s.m, s.u
      from private.identity_seeds d cross join generate_series(0, 8) as l (level)
      left join private.identity_seeds s on s.field = d.field and s.level = l.level
    ) as s
    left join public.identity_weights o on o.organization_id = p_organization and o.field = s.field and o.level = s.level
    cross join lateral (select coalesce(o.m, s.m, 1) as m, coalesce(o.u, s.u, 1) as u) as w
    group by s.place) as f
$$;
comment on function private.weights_of(uuid) is 'The weights in bits as an array [field][level + 1]: what the group learned, else the seeds.';

create function private.weigh(l smallint[], w real[]) returns real
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_kin real := w[2][l[2] + 1] + w[6][l[6] + 1] + w[7][l[7] + 1] + w[8][l[8] + 1];
  v_contact real := w[5][l[5] + 1];
begin
  -- Relatives share a surname, a home and a phone: another given name cancels what these prove. Those who also have
  -- another surname share no birth date with whom they live.
  if l[1] = 1 then
    return w[1][2] + case when l[2] = 1 and l[3] = 4 then v_kin else least(v_kin, 0) end + least(v_contact, 0) + w[3][l[3] + 1] + least(w[4][l[4] + 1], 8) + w[9][l[9] + 1];
  end if;
  return w[1][l[1] + 1] + v_kin + v_contact + w[3][l[3] + 1] + w[4][l[4] + 1] + w[9][l[9] + 1] + l[10];
end
$$;
comment on function private.weigh(smallint[], real[]) is 'What the levels of a compared pair weigh together, in bits.';

create function private.shares_of(a public.customer_identity) returns real[]
language plpgsql stable set search_path = ''
as $$
begin
  return array[
    -log(private.name_share(a.organization_id, 'given', string_to_array(a.given_meant, ' '))) / log(2),
    -log(private.name_share(a.organization_id, 'surname', array[a.surname1])) / log(2),
    -log(private.name_share(a.organization_id, 'surname', array[a.surname2])) / log(2),
    case when a.by_phone is null then 0 else log(2, greatest(1, (
      select count(distinct s.given_meant) from (
        select i.given_meant from public.customer_identity i where i.by_phone = a.by_phone limit 60) as s))) end,
    case when a.by_mailbox is null then 0 else log(2, greatest(1, (
      select count(distinct s.given_meant) from (
        select i.given_meant from public.customer_identity i where i.by_mailbox = a.by_mailbox limit 60) as s))) end]::real[];
end
$$;
comment on function private.shares_of(public.customer_identity) is
  'How rare the given name and the surnames are, in bits, and by how many bits sharing lowers what the phone and the mailbox prove.';

create function private.score_step(p_organization uuid, p_limit integer default 2000) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_weights real[] := private.weights_of(p_organization);
  v_prior real;
  v_likely real;
  v_ids uuid[];
  v_pairs integer;
begin
  select log(2, (coalesce(max(s.prior), 0.000001) / (1 - coalesce(max(s.prior), 0.000001)))::numeric), coalesce(max(s.likely), 0.8)
  into v_prior, v_likely from public.identity_settings s where s.organization_id = p_organization;
  v_ids := array(select i.customer_id from public.customer_identity i
    where i.organization_id = p_organization and i.scored_at is null order by i.customer_id limit p_limit);
  delete from public.identity_pairs p where p.first_id = any(v_ids) or p.second_id = any(v_ids);
  with mine as materialized (
    select i, private.shares_of(i) as shares, private.identity_candidates(i) as others
    from public.customer_identity i where i.customer_id = any(v_ids)
  ), compared as materialized (
    select (m.i).customer_id as one, o.customer_id as other, private.compare_identities(m.i, o, m.shares, false) as levels
    from mine m cross join lateral unnest(m.others) as k (id)
    join public.customer_identity o on o.customer_id = k.id
    -- Of two that wait, the second one finds the first.
    where o.customer_id <> (m.i).customer_id and (o.scored_at is not null or o.customer_id < (m.i).customer_id)
  ), weighed as materialized (
    select c.one, c.other, c.levels, (1 / (1 + power(2, -least(100, v_prior + private.weigh(c.levels, v_weights)))))::real as probability
    from compared c where c.levels is not null
  )
  insert into public.identity_pairs (first_id, second_id, organization_id, probability, reasons)
  select least(w.one, w.other), greatest(w.one, w.other), p_organization, w.probability, to_jsonb(w.levels)
  from weighed w where w.probability >= v_likely
  on conflict (first_id, second_id) do nothing;
  get diagnostics v_pairs = row_count;
  update public.customer_identity i set scored_at = now() where i.customer_id = any(v_ids);
  return jsonb_build_object('scored', cardinality(v_ids), 'pairs', v_pairs, 'more', cardinality(v_ids) = p_limit);
end
$$;
comment on function private.score_step(uuid, integer) is
  'Compares the next customers that are new or changed with all others: {scored, pairs, more}. Call it again while more.';
