import { unknownPath } from '@/lib/routes/other-methods'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath()
