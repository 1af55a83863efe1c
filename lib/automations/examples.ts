import type { AutomationRun } from './schema'

/** What the OpenAPI document shows. */
export const exampleRun: AutomationRun = {
  id: '7c1d9e2b-3a4f-4d5c-9b8a-2e3f4a5b6c7d',
  automation_id: '5e0c8b1a-7d2f-4c3e-8a9b-1f2e3d4c5b6a',
  automation_name: 'Feliz cumpleaños',
  triggered_by: 'manual',
  status: 'finished',
  reason: null,
  processed: 12,
  sent: 9,
  skipped: 2,
  failed: 1,
  pending: 0,
  simulated: 0,
  started_by: '3b2a1c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  started_by_name: 'Ana Ruiz',
  guests: null,
  expires_at: null,
  decided_by: null,
  decided_at: null,
  stopped_by: null,
  stopped_at: null,
  started_at: '2026-11-20T11:00:00+00:00',
  finished_at: '2026-11-20T11:00:02+00:00',
}
