-- What the app measures a read replica by (lib/db/replica-watch.ts).

create or replace function public.replication_state() returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  if pg_catalog.pg_is_in_recovery() then
    return jsonb_build_object('standby', true,
      'position', pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_last_wal_replay_lsn(), '0/0'),
      'replayed_ms', floor(1000 * extract(epoch
        from clock_timestamp() - pg_catalog.pg_last_xact_replay_timestamp())));
  end if;
  -- Flushed, because a standby gets nothing sooner.
  return jsonb_build_object('standby', false,
    'position', pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_flush_lsn(), '0/0'), 'replayed_ms',
    null);
end
$$;
comment on function public.replication_state() is
  'The place of this database in its log, in bytes: what a standby has replayed, what a primary has flushed. replayed_ms: how long ago the last transaction that a standby replayed was committed; on an idle primary this grows while nothing is missing, so compare the positions first.';
grant execute on function public.replication_state() to service_role;
