/**
 * Writes all results of a search, page by page, at the client's speed: an export holds one page in memory, however long
 * it is.
 */
import { type EventCursor, eventFields, type EventRange, type SecurityEvent } from '#events';
import type { PlainReply } from '#contract';
import type { ZoneFacts } from '../../context/directory.ts';
import type { Activity } from './activity.ts';
import { exportPageEvents } from './limits.ts';

export interface Export {
  readonly zone: ZoneFacts;
  readonly range: EventRange;
  readonly format: 'ndjson' | 'csv';
}

export function exportEvents(activity: Activity, { zone, range, format }: Export): PlainReply {
  const { contentType, head, line } = formats[format];
  return {
    kind: 'plain',
    status: 200,
    contentType,
    headers: {
      'content-disposition': `attachment; filename="events-${zone.name}.${format}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body: writeLines(readPages(activity, zone.id, range), head, line),
  };
}

async function* readPages(
  activity: Activity,
  zoneId: string,
  range: EventRange,
): AsyncGenerator<readonly SecurityEvent[]> {
  let cursor: EventCursor | undefined;
  do {
    const page = await activity.find(zoneId, range, {
      limit: exportPageEvents,
      order: 'oldest',
      ...(cursor === undefined ? {} : { cursor }),
    });
    yield page.events;
    ({ cursor } = page);
  } while (cursor !== undefined);
}

async function* writeLines(
  found: AsyncIterable<readonly SecurityEvent[]>,
  head: string,
  line: (event: SecurityEvent) => string,
): AsyncGenerator<string> {
  if (head !== '') yield head;
  for await (const events of found) if (events.length > 0) yield events.map(line).join('');
}

const columns = [...Object.keys(eventFields), 'metadata'] as readonly (keyof SecurityEvent)[];

const formats: Readonly<
  Record<
    Export['format'],
    { readonly contentType: string; readonly head: string; readonly line: (event: SecurityEvent) => string }
  >
> = {
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: '',
    line: (event) => `${JSON.stringify(event)}\n`,
  },
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    head: `${columns.join(',')}\r\n`,
    line: (event) => `${columns.map((column) => toCell(event[column])).join(',')}\r\n`,
  },
};

/**
 * Clients control paths and user agents. A spreadsheet would treat a cell that starts with these characters as a
 * formula; the apostrophe makes it text.
 */
function toCell(value: SecurityEvent[keyof SecurityEvent]): string {
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = /^[\s]*[=+\-@\t\r|%]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
