import { redirect } from 'next/navigation'

/** The settings begin with what everything else needs. */
export default function SettingsPage() {
  redirect('/settings/integrations')
}
