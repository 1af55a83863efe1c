/** What the fields of an event offer. */
export interface EventChoices {
  locations: { value: string; label: string; timezone: string }[]
  colleagues: { value: string; label: string }[]
  /** Whether the person may look for customers. */
  mayPickCustomer: boolean
  /** Of events without a location. */
  timezone: string
}
