import type { SetupProgress, SetupStep } from '@/lib/setup/schema'

/** The page where a step of the set-up list is done. */
export function hrefOf(step: SetupStep, { without_hours }: Pick<SetupProgress, 'without_hours'>): string {
  switch (step) {
    case 'locations':
      return '/settings/locations'
    case 'hours':
      return without_hours ? `/settings/locations/${without_hours}` : '/settings/locations'
    case 'pms':
      return '/settings/integrations#pms'
    case 'email':
      return '/settings/integrations#resend'
    case 'team':
      return '/settings/team'
    case 'data':
      return '/settings/import'
    case 'channels':
      return '/settings/integrations#twilio'
    case 'webhooks':
      return '/settings/setup#webhooks'
  }
}

/** The test that ticks a step, where a test does. */
export const TEST_OF = { pms: 'pms', email: 'mail', channels: 'twilio' } as const satisfies Partial<
  Record<SetupStep, string>
>

export const isTested = (step: SetupStep): step is keyof typeof TEST_OF => step in TEST_OF
