import { z } from 'zod'
import { newPassword } from '@/lib/auth/schema'
import { blankable, emailAddress, line } from '@/lib/http/fields'
import { timezone } from '@/lib/locations/timezone'

export const setupSchema = z.strictObject({
  token: z.string().max(200).meta({ description: 'SETUP_TOKEN of the deployment' }),
  group_name: line(120),
  timezone: timezone.default('Europe/Madrid'),
  email: emailAddress,
  full_name: blankable(line(120)).optional(),
  password: newPassword,
})
