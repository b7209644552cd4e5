/** What every operation's description refers to: the envelope, the ways to authenticate. */
import type { JsonSchema } from '#shapes';

const message: JsonSchema = {
  type: 'object',
  required: ['message'],
  properties: {
    code: { type: 'integer' },
    message: { type: 'string' },
    type: { type: 'null' },
  },
};

const errorEntry: JsonSchema = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'integer', description: 'See docs/error-codes.md.' },
    message: { type: 'string' },
    source: {
      type: 'object',
      required: ['pointer'],
      properties: {
        pointer: { type: 'string', description: 'JSON pointer to what is wrong in the request body.' },
      },
    },
    meta: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string', description: 'The object that stands in the way.' } },
    },
    error_chain: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'integer' }, message: { type: 'string' } },
      },
    },
  },
};

const failure: JsonSchema = {
  type: 'object',
  required: ['result', 'success', 'errors', 'messages'],
  properties: {
    result: { type: 'null' },
    success: { const: false },
    errors: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/ErrorEntry' } },
    messages: { type: 'array', items: { $ref: '#/components/schemas/Message' } },
  },
};

const count: JsonSchema = { type: 'integer', minimum: 0 };
const pageInfo: JsonSchema = {
  type: 'object',
  required: ['page', 'per_page', 'count', 'total_count', 'total_pages'],
  properties: { page: count, per_page: count, count, total_count: count, total_pages: count },
};

const cursorInfo: JsonSchema = {
  type: 'object',
  properties: {
    cursors: {
      type: 'object',
      description: 'What to send as `cursor` for the items that follow, and for those before.',
      properties: { after: { type: 'string' }, before: { type: 'string' } },
    },
    cursor: {
      type: 'string',
      description: 'What to send as `cursor` for the items that follow, if there are any.',
    },
    count,
    per_page: count,
    total_count: count,
  },
};

export const components: JsonSchema = {
  schemas: {
    Message: message,
    ErrorEntry: errorEntry,
    Failure: failure,
    PageInfo: pageInfo,
    CursorInfo: cursorInfo,
  },
  responses: {
    Failure: {
      description: 'Nothing was changed unless the message says so; each entry has a code.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
    },
  },
  securitySchemes: {
    token: { type: 'http', scheme: 'bearer', description: 'An API token.' },
    email: { type: 'apiKey', in: 'header', name: 'X-Auth-Email' },
    key: { type: 'apiKey', in: 'header', name: 'X-Auth-Key' },
  },
};

/** A token, or a user's address together with the key. */
export const security: readonly JsonSchema[] = [{ token: [] }, { email: [], key: [] }];
