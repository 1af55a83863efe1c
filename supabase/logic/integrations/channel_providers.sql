-- Which integration sends which channel. lib/integrations/services makes a sender of each row.

create or replace function private.channel_providers()
returns table (channel text, provider public.integration_type, sender text)
language sql immutable parallel safe set search_path = ''
as $$
  values ('whatsapp', 'twilio'::public.integration_type, 'whatsapp_from'), ('sms', 'twilio', 'sms_from'),
    ('email', 'resend', 'from_email')
$$;
comment on function private.channel_providers() is
  'The integrations that send by a channel, and the setting that names the sender there: without it they do not.';

create or replace function private.providers_of(p_channel text) returns text[]
language sql immutable parallel safe set search_path = ''
as $$
  select array(select p.provider::text from private.channel_providers() as p where p.channel = p_channel)
$$;
comment on function private.providers_of(text) is
  'The providers that send by the channel, as in messages.provider. An array, so that an index by provider serves.';

create or replace function private.is_connected(p_organization uuid, p_channel text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from public.integration_configs i
    join private.channel_providers() as p on p.provider = i.integration_type and p.channel = p_channel
    where i.organization_id = p_organization and i.is_enabled
      and nullif(btrim(i.config ->> p.sender), '') is not null)
$$;
comment on function private.is_connected(uuid, text) is
  'Whether the channel has an enabled integration with a sender; lib/integrations/services makes a provider of it.';
grant execute on function private.channel_providers(), private.providers_of(text),
  private.is_connected(uuid, text) to service_role;
