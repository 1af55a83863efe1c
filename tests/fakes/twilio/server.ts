import { createHash, createHmac, randomUUID } from 'node:crypto'
import {
  type Answer,
  type Arrived,
  type Deliver,
  deliverByFetch,
  type FakeServer,
  type ServerOptions,
  startFakeServer,
} from '../providers/server'

export interface TwilioOptions extends ServerOptions {
  deliver?: Deliver
  accountSid: string
  authToken: string
}

/** A message the fake has accepted. */
interface AcceptedSms {
  sid: string
  /** The form as it came: To, From, Body, ContentSid, ContentVariables, StatusCallback … */
  form: Record<string, string>
}

/** What `report` says of a message: a status of Twilio's, and its error code. */
interface Report {
  status: string
  errorCode?: number
  /** The id of the WhatsApp user it went to. */
  externalUserId?: string
  /** Instead of the message's StatusCallback. */
  url?: string
}

/** A message a guest writes to us, as `inbound` sends it. */
export interface InboundMessage {
  /** As Twilio writes it: `+34…`, `whatsapp:+34…`, or `whatsapp:ES.…` of a user who shows no number. */
  from: string
  to: string
  body: string
  url: string
  /** Of a WhatsApp user, with or without a number in `from`. */
  externalUserId?: string
  /** SID of the message of ours that it answers. */
  answers?: string
  /** What Twilio's Advanced Opt-Out makes of it. */
  optOutType?: 'STOP' | 'START' | 'HELP'
  /** A quick-reply button they pressed: the id that the template gave it, and its words. */
  button?: { payload: string; text: string }
  /** The media types of what came with it. */
  media?: readonly string[]
  /** The name that a WhatsApp user gave themselves. */
  name?: string
  /** For the very same message again; else each one has its own. */
  sid?: string
}

export interface FakeTwilio extends FakeServer {
  /** What the account says of itself: active, suspended or closed. */
  account: { status: string }
  /** The account's senders: numbers, whether each can send SMS, and WhatsApp senders with their status. */
  senders: { sms: Record<string, boolean>; whatsapp: Record<string, string> }
  /** The account's content templates, as Twilio lists them. */
  contents: object[]
  /** What was accepted, in order; a real phone would have rung for each. */
  accepted: AcceptedSms[]
  /** Sends a signed status callback of an accepted message. */
  report(sid: string, report: Report): Promise<Response>
  /** Sends a signed inbound message. */
  inbound(message: InboundMessage): Promise<Response>
}

/** Starts Twilio's Messages API over HTTP: Basic auth, forms in, SIDs and error codes out. */
export async function startFakeTwilio(options: TwilioOptions): Promise<FakeTwilio> {
  const { accountSid, authToken, deliver = deliverByFetch } = options
  const accepted: AcceptedSms[] = []
  const account = { status: 'active' }
  const contents: object[] = []
  const senders: FakeTwilio['senders'] = {
    sms: { '+34900000001': true },
    whatsapp: { '+34900000002': 'ONLINE' },
  }
  const own = `/2010-04-01/Accounts/${accountSid}.json`
  const path = `/2010-04-01/Accounts/${accountSid}/Messages.json`
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`

  const error = (status: number, code: number | string, message = 'Refused'): Answer => ({
    status,
    body: {
      code: Number(code) || 20_000 + status,
      message,
      more_info: 'https://www.twilio.com/docs/errors',
      status,
    },
  })

  function check({ method, path: asked, headers, body }: Arrived): Answer | null {
    const asksContents = method === 'GET' && asked.startsWith('/v1/ContentAndApprovals')
    const asksSenders = method === 'GET' && /^\/(v1\/Services|v2\/Channels)\//.test(asked)
    if (!asksContents && !asksSenders && !asked.startsWith('/2010-04-01/Accounts/'))
      return error(404, 20404, 'Not found')
    if (headers.authorization !== authorization) return error(401, 20003, 'Authenticate')
    if (asksContents) return { status: 200, body: contentPage(asked) }
    const query = new URL(asked, 'https://api.twilio.com').searchParams
    if (
      method === 'GET' &&
      asked.startsWith(`/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers.json?`)
    ) {
      const number = query.get('PhoneNumber') ?? ''
      const sms = senders.sms[number]
      const found = sms === undefined ? [] : [{ phone_number: number, capabilities: { sms, voice: true } }]
      return { status: 200, body: { incoming_phone_numbers: found, page: 0 } }
    }
    if (asksSenders && asked.startsWith('/v2/Channels/Senders?Channel=whatsapp')) {
      const list = Object.entries(senders.whatsapp)
      const rows = list.map(([number, status]) => ({ sender_id: `whatsapp:${number}`, status }))
      return { status: 200, body: { senders: rows, meta: { key: 'senders', next_page_url: null } } }
    }
    if (method === 'GET' && asked === own)
      return { status: 200, body: { sid: accountSid, friendly_name: 'Grupo', type: 'Full', ...account } }
    if (method !== 'POST' || asked !== path) return error(404, 20404, 'Not found')
    if (headers['content-type'] !== 'application/x-www-form-urlencoded')
      return error(415, 20415, 'Not a form')
    const form = new URLSearchParams(body)
    if (!form.get('To')) return error(400, 21604, "A 'To' phone number is required.")
    if (!/^((whatsapp:)?\+[1-9]\d{6,14}|whatsapp:[A-Z]{2}\.[A-Za-z0-9.]{1,128})$/.test(form.get('To') ?? ''))
      return error(400, 21211, `The 'To' number ${form.get('To')} is not a valid phone number.`)
    if (!form.get('From') && !form.get('MessagingServiceSid'))
      return error(400, 21603, "A 'From' is required.")
    if (!form.get('Body') && !form.get('ContentSid')) return error(400, 21602, 'Message body is required.')
    return null
  }

  function contentPage(asked: string) {
    const query = new URL(asked, 'https://content.twilio.com').searchParams
    const [size, page] = [Number(query.get('PageSize') ?? 50), Number(query.get('Page') ?? 0)]
    const next = `https://content.twilio.com/v1/ContentAndApprovals?PageSize=${size}&Page=${page + 1}&PageToken=x`
    const isLast = (page + 1) * size >= contents.length
    return {
      contents: contents.slice(page * size, (page + 1) * size),
      meta: { key: 'contents', page, page_size: size, next_page_url: isLast ? null : next },
    }
  }

  function accept({ body }: Arrived): Answer {
    const form = Object.fromEntries(new URLSearchParams(body))
    const sid = `SM${createHash('md5').update(`${accountSid}:${accepted.length}`).digest('hex')}`
    accepted.push({ sid, form })
    const { To: to, From: from = null, Body: text = '' } = form
    return {
      status: 201,
      body: {
        sid,
        account_sid: accountSid,
        to,
        from,
        body: text,
        status: 'queued',
        error_code: null,
        num_segments: '1',
      },
    }
  }

  /** Posts a form as Twilio does: signed over the address and the sorted fields. */
  function callBack(url: string, form: Record<string, string>): Promise<Response> {
    const signed = Object.keys(form)
      .sort()
      .reduce((text, name) => text + name + form[name], url)
    const signature = createHmac('sha1', authToken).update(signed, 'utf8').digest('base64')
    const headers = {
      'x-twilio-signature': signature,
      'content-type': 'application/x-www-form-urlencoded',
    }
    return deliver(url, headers, new URLSearchParams(form).toString())
  }

  async function report(sid: string, { status, errorCode, externalUserId, url }: Report): Promise<Response> {
    const message = accepted.find((one) => one.sid === sid)
    const target = url ?? message?.form.StatusCallback
    if (!message || !target) throw new Error(`No callback for ${sid}`)
    return callBack(target, {
      AccountSid: accountSid,
      MessageSid: sid,
      MessageStatus: status,
      To: message.form.To ?? '',
      From: message.form.From ?? '',
      ApiVersion: '2010-04-01',
      ...(errorCode ? { ErrorCode: String(errorCode) } : {}),
      ...(externalUserId ? { ExternalUserId: externalUserId } : {}),
    })
  }

  function inbound(message: InboundMessage) {
    const {
      from,
      to,
      body,
      url,
      externalUserId,
      answers,
      optOutType,
      button,
      sid,
      media = [],
      name,
    } = message
    return callBack(url, {
      AccountSid: accountSid,
      MessageSid: sid ?? `SM${randomUUID().replaceAll('-', '')}`,
      From: from,
      To: to,
      Body: body,
      NumMedia: String(media.length),
      ...Object.fromEntries(media.map((type, n) => [`MediaContentType${n}`, type])),
      ...(name ? { ProfileName: name } : {}),
      ...(from.startsWith('whatsapp:+') ? { WaId: from.replace('whatsapp:+', '') } : {}),
      ...(externalUserId ? { ExternalUserId: externalUserId } : {}),
      ...(answers ? { OriginalRepliedMessageSid: answers, OriginalRepliedMessageSender: to } : {}),
      ...(optOutType ? { OptOutType: optOutType } : {}),
      ...(button ? { ButtonPayload: button.payload, ButtonText: button.text } : {}),
    })
  }

  async function command(name: string, body: Record<string, unknown>): Promise<unknown> {
    if (name === 'report')
      return { status: (await report(String(body.sid), body as unknown as Report)).status }
    if (name !== 'inbound') return null
    return { status: (await inbound(body as unknown as InboundMessage)).status }
  }

  const ledger = () => ({ count: accepted.length, accepted })
  const server = await startFakeServer({ check, accept, error, ledger, command }, options)
  return { ...server, account, senders, contents, accepted, report, inbound }
}
