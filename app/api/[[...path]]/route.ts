import { unknownPath } from '@/lib/http/undeclared'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath()
