/** The longest text that goes to a guest: Twilio takes no more, by SMS and WhatsApp alike. */
export const MAX_REPLY = 1600
/** For so long after their last text, a person may be answered by WhatsApp with words of one's own. */
export const WHATSAPP_HOURS = 24
