/** Whether this browser can get push notices: never, not while the person blocks them (`denied`), or now. */
export type PushSupport = 'unsupported' | 'denied' | 'ready'

/** What this browser can do now. */
export function pushSupport(): PushSupport {
  const parts = ['Notification', 'PushManager']
  if (!('serviceWorker' in navigator) || !parts.every((part) => part in window)) return 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : 'ready'
}

interface PushAddress {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

/**
 * Asks the person, and then the browser, for an address to send notices to.
 * @param publicKey the VAPID key, base64url
 * @returns the address, or `notAllowed`
 * @throws Error when the browser's push service does not answer, or the service worker cannot run.
 */
export async function pushAddress(publicKey: string): Promise<PushAddress | 'notAllowed'> {
  if ((await Notification.requestPermission()) !== 'granted') return 'notAllowed'
  const registered = await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })
  if (!registered) throw new Error('No service worker')
  const { pushManager } = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  const subscription = await pushManager.subscribe(options).catch(async () => {
    // The subscription belongs to a former VAPID key of this installation.
    await (await pushManager.getSubscription())?.unsubscribe()
    return pushManager.subscribe(options)
  })
  const { endpoint, keys } = subscription.toJSON()
  return { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } }
}
