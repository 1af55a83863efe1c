-- Stands for Vault, pg_cron and pg_net, which need their own libraries in the server: the functions that the pages call, with
-- the arguments of the real ones. They keep what they are told; nothing is encrypted, run or sent.
create schema vault;
create table vault.secrets (id uuid primary key default gen_random_uuid(), name text unique, secret text not null);
create view vault.decrypted_secrets as select id, name, secret as decrypted_secret from vault.secrets;
create function vault.create_secret(new_secret text, new_name text default null, new_description text default '',
  new_key_id uuid default null) returns uuid
language sql as $$ insert into vault.secrets (name, secret) values (new_name, new_secret) returning id $$;
create function vault.update_secret(secret_id uuid, new_secret text default null, new_name text default null,
  new_description text default null, new_key_id uuid default null) returns void
language sql as $$ update vault.secrets s set secret = coalesce(new_secret, s.secret) where s.id = secret_id $$;

create schema cron;
create table cron.job (jobid bigint generated always as identity, jobname text unique, schedule text, command text);
create function cron.schedule(job_name text, schedule text, command text) returns bigint
language sql as $$ insert into cron.job (jobname, schedule, command) values (job_name, $2, $3) returning jobid $$;

create schema net;
create table net.asked (id bigint generated always as identity, url text, headers jsonb, timeout_milliseconds integer);
create function net.http_get(url text, params jsonb default '{}', headers jsonb default '{}',
  timeout_milliseconds integer default 5000) returns bigint
language sql as $$ insert into net.asked (url, headers, timeout_milliseconds) values ($1, $3, $4) returning id $$;

grant usage on schema vault, cron, net to postgres;
grant all on all tables in schema vault, cron, net to postgres;
grant execute on all functions in schema vault, cron, net to postgres;
