import type { Channel } from '@/lib/messaging/channels'
import type { Preferences } from '@/lib/messaging/preferences'

/** What a guest says yes or no to at once: the e-mail, or SMS and WhatsApp to one number, which are one address. */
interface ChannelLine {
  channels: Channel[]
  isOn: boolean
}

/** The channels of a link as the page offers them, and those that it cannot open again. */
export function channelLines(channels: Preferences['channels']): { lines: ChannelLine[]; closed: Channel[] } {
  const lines = (['email', 'phone'] as const).map((line) => {
    const own = channels.filter(
      ({ channel, state }) => (channel === 'email') === (line === 'email') && state !== 'closed',
    )
    return { channels: own.map(({ channel }) => channel), isOn: own.some(({ state }) => state === 'on') }
  })
  return {
    lines: lines.filter(({ channels: own }) => own.length > 0),
    closed: channels.filter(({ state }) => state === 'closed').map(({ channel }) => channel),
  }
}
