-- Conditions of segments on what was written to guests: messages that they got, opened or clicked.

create or replace function private.segment_messages(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
begin
  -- Literals, so that the planner knows how few of all messages these are.
  return concat(
    case when p_scope.bound then format(' and m.location_id = any(%L::uuid[])', p_scope.locations) end,
    case when p_node ? 'campaign_id' then format(' and m.automation_id = any(%L::uuid[])', array(
      select a.id from public.automations a where a.organization_id = p_scope.organization_id
        and a.campaign_id = private.segment_needed(p_node ->> 'campaign_id')::uuid)) end,
    case when p_node ? 'automation_id' then format(' and m.automation_id = %L::uuid',
      private.segment_needed(p_node ->> 'automation_id')::uuid) end);
end
$$;
comment on function private.segment_messages(jsonb, private.segment_scope) is
  'The condition on messages m that a condition''s campaign and automation make; for people bound to locations also these.';

create or replace function private.segment_written(p_node jsonb, p_scope private.segment_scope) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_field text := p_node ->> 'field';
  v_since timestamptz;
  -- As messages_sent_idx has it: sent, and not come back. A bounce makes the message one that failed.
  v_sent constant text := 'from public.messages m%s where m.customer_id = c.id and m.customer_id is not null
      and m.organization_id = $1 and m.status in (''sent'', ''delivered'') and m.kind <> ''notification''';
begin
  if (v_field in ('received', 'opened', 'clicked', 'not_written')) is not true then
    return null;
  end if;
  v_since := p_scope.at - make_interval(days => private.segment_number(p_node, 'days', 1, 3650)::integer);
  if v_field = 'not_written' then
    return 'not exists (select ' || format(v_sent, '') || format(
      ' and m.kind = ''marketing'' and m.sent_at >= %L::timestamptz', private.segment_needed(v_since))
      || private.segment_messages('{}', p_scope) || ')';
  elsif v_field = 'received' then
    return 'exists (select ' || format(v_sent, '') || private.segment_messages(p_node, p_scope)
      || case when v_since is not null then format(' and m.sent_at >= %L::timestamptz', v_since) else '' end
      || ')';
  end if;
  -- As campaign_versions counts them: not by machines alone, and a click proves the opening. Who leaves the
  -- list did not click on what the message offers.
  return 'exists (select ' || format(v_sent, ' join public.message_engagement g on g.message_id = m.id')
    || private.segment_messages(p_node, p_scope) || ' and g.actor <> ''machine'''
    || case v_field when 'clicked' then ' and g.kind = ''click'' and g.link <> ''unsubscribe''' else '' end
    -- The second is for the index: opens and clicks are taken for so long after sending.
    || case when v_since is not null
      then format(' and g.first_at >= %L::timestamptz and m.sent_at >= %L::timestamptz', v_since,
        v_since - private.engagement_window() - interval '1 day') else '' end || ')';
end
$$;
comment on function private.segment_written(jsonb, private.segment_scope) is
  'Whether a guest received, opened or clicked a message, or was sent no marketing for so many days; null for another field.';
