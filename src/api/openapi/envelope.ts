/** The envelope of every answer, and what is in it beside the result. */
import { named, listOf, type JsonSchema } from '#shapes';

const nothing: JsonSchema = { type: 'null' };

const chained = named('ChainedError', {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'integer' }, message: { type: 'string' } },
});

const source = named('ErrorSource', {
  type: 'object',
  required: ['pointer'],
  properties: {
    pointer: { type: 'string', description: 'JSON pointer to what is meant in the request body.' },
  },
});

const meta = named('ErrorMeta', {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', description: 'The object that stands in the way.' } },
});

export const message = named('Message', {
  type: 'object',
  required: ['message'],
  properties: {
    code: { type: 'integer', description: 'See docs/error-codes.md.' },
    message: { type: 'string' },
    type: nothing,
    source,
    meta,
  },
});

export const errorEntry = named('ErrorEntry', {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'integer', description: 'See docs/error-codes.md.' },
    message: { type: 'string' },
    source,
    meta,
    error_chain: listOf(chained),
  },
});

export const failure = named('Failure', {
  type: 'object',
  required: ['result', 'success', 'errors', 'messages'],
  properties: {
    result: nothing,
    success: { type: 'boolean', const: false },
    errors: { type: 'array', minItems: 1, items: errorEntry },
    messages: listOf(message),
  },
});

const count: JsonSchema = { type: 'integer', minimum: 0 };
export const pageInfo = named('PageInfo', {
  type: 'object',
  required: ['page', 'per_page', 'count', 'total_count', 'total_pages'],
  properties: { page: count, per_page: count, count, total_count: count, total_pages: count },
});

export const cursorInfo = named('CursorInfo', {
  type: 'object',
  properties: {
    cursors: named('Cursors', {
      type: 'object',
      description: 'What to send as `cursor` for the items that follow, and for those before.',
      properties: { after: { type: 'string' }, before: { type: 'string' } },
    }),
    cursor: {
      type: 'string',
      description: 'What to send as `cursor` for the items that follow, if there are any.',
    },
    count,
    per_page: count,
    total_count: count,
  },
});
