import { addressOf, encryptSecret } from '@/lib/integrations/secrets'
import { type Group, stackClient } from '../factories/group'
import type { Stack } from './stack'

/** The key that tests store: no part of it may appear anywhere. */
export const AI_KEY = 'sk-test-9f3Kq7TzWb2LmXv8RpD4'

/** Saves and enables a group's AI integration, its key encrypted as the app does. */
export async function connectAi(
  stack: Stack,
  group: Pick<Group, 'id'>,
  config: Record<string, unknown>,
  { apiKey = AI_KEY, isEnabled = true }: { apiKey?: string; isEnabled?: boolean } = {},
): Promise<void> {
  const address = addressOf('ai', config)
  const place = { organizationId: group.id, field: 'ai.api_key', address }
  await stackClient(stack, 'service')
    .from('integration_configs')
    .upsert(
      {
        organization_id: group.id,
        integration_type: 'ai',
        is_enabled: isEnabled,
        config: config as Record<string, string>,
        address,
        secrets: { api_key: encryptSecret(apiKey, place, [stack.keys.secretsKey]) },
      },
      { onConflict: 'organization_id,integration_type' },
    )
    .throwOnError()
}
