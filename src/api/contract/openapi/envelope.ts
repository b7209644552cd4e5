/** The envelope of every answer, with its fields beside the result. */
import { named, listOf, nothing, record, whole, string, annotate, optional, constant } from '#shapes';

const chained = named('ChainedError', record({ code: whole, message: string }));

const source = named(
  'ErrorSource',
  record({
    pointer: annotate(string, { description: 'JSON pointer to the place in the request body.' }),
  }),
);

const meta = named('ErrorMeta', record({ id: annotate(string, { description: 'The conflicting object.' }) }));

export const message = named(
  'Message',
  record({
    code: optional(annotate(whole, { description: 'See docs/reference/error-codes.md.' })),
    message: string,
    type: optional(nothing),
    source: optional(source),
    meta: optional(meta),
  }),
);

export const errorEntry = named(
  'ErrorEntry',
  record({
    code: annotate(whole, { description: 'See docs/reference/error-codes.md.' }),
    message: string,
    source: optional(source),
    meta: optional(meta),
    error_chain: optional(listOf(chained)),
  }),
);

export const failure = named(
  'Failure',
  record({
    result: nothing,
    success: constant(false),
    errors: annotate(listOf(errorEntry), { minItems: 1 }),
    messages: listOf(message),
  }),
);

const count = annotate(whole, { minimum: 0 });
export const pageInfo = named(
  'PageInfo',
  record({ page: count, per_page: count, count, total_count: count, total_pages: count }),
);

export const cursorInfo = named(
  'CursorInfo',
  record({
    cursors: optional(
      named(
        'Cursors',
        record(
          { after: optional(string), before: optional(string) },
          'What to send as `cursor` for the items that follow, and for those before.',
        ),
      ),
    ),
    cursor: optional(
      annotate(string, {
        description: 'What to send as `cursor` for the items that follow, if there are any.',
      }),
    ),
    count: optional(count),
    per_page: optional(count),
    total_count: optional(count),
  }),
);
