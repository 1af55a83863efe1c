import { z } from 'zod'
import { safeUrl } from '@/lib/address/address'
import { RefusedAddress } from '@/lib/address/refusals'
import { text } from '@/lib/http/fields'
import { problemAs } from '@/lib/http/issues'

// The check of locations.review_urls repeats these limits.
const MAX_URLS = 5
const MAX_LENGTH = 500

/** Why an address is none where guests may be led: no https, with credentials, or inside a network. */
function problemOf(value: string): ReturnType<typeof problemAs> | null {
  try {
    const { hostname, username, password } = safeUrl(value, false)
    if (username !== '' || password !== '') return problemAs('invalid', 'has credentials in it')
    return hostname.includes('.') || hostname.startsWith('[')
      ? null
      : problemAs('internal_name', 'names a machine inside the network')
  } catch (error) {
    if (!(error instanceof RefusedAddress)) throw error
    return problemAs(error.reason, error.message)
  }
}

/** As browsers write it: in ASCII, so that it is the host that is opened. */
const asWritten = (value: string): string => URL.parse(value)?.href ?? value

const reviewUrl = text(MAX_LENGTH)
  .overwrite(asWritten)
  .max(MAX_LENGTH)
  .superRefine((value, { addIssue }) => {
    const problem = problemOf(value)
    if (problem) addIssue({ code: 'custom', ...problem })
  })

/** Where guests may review a location in public. */
export const reviewUrls = z
  .array(reviewUrl)
  .max(MAX_URLS)
  .overwrite((urls) => [...new Set(urls)])
  .meta({
    description:
      'Public review pages (https), in this order; a guest who rates a visit with five stars gets links to them',
  })
