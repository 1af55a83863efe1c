const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text of an address or a request can be a record's id; a query with any other text would be an error. */
export const isUuid = (text: string): boolean => UUID.test(text)
