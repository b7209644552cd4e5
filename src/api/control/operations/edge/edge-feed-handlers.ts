/** Operations for remote edges. */
import { eventFields, type RecordedEvent, retentionMs, type SecurityEvent } from '#events';
import { edgeCodes, fault, genericCodes, ok } from '#contract';
import { findGrants, findToken } from '../../context/caller.ts';
import { getTokenState } from '../../context/token.ts';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';
import { type FeedMessage, readConfigurations } from './configuration-feed.ts';
import { eventTextCharactersMax, judgedCharactersMax, metadataMax } from './limits.ts';

export const edgeFeedHandlers: ObjectsHandlers<'edge.feed' | 'edge.record'> = {
  async 'edge.feed'(context) {
    return {
      kind: 'plain',
      status: 200,
      contentType: 'application/x-ndjson',
      headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      body: feedLines(context),
    };
  },

  async 'edge.record'({ directory, activity }, { body }) {
    const zone = directory.zones.get(body.zone_id);
    if (zone === undefined) throw fault(genericCodes.zoneNotFound);
    const events = body.events.map((each, index): RecordedEvent => {
      const event = readEvent(each.event, `/events/${index}/event`);
      const judged = readJudged(each.judged, `/events/${index}/judged`);
      return { event, ...(judged === undefined ? {} : { judged }) };
    });
    await activity.record(zone.id, events, retentionMs[zone.plan]);
    return ok({ count: events.length });
  },
};

/** The feed as lines of JSON; a heartbeat is an empty line. It ends when the reader loses its permission. */
async function* feedLines(context: ObjectsContext): AsyncGenerator<string, void> {
  const end = new AbortController();
  const forget = context.activity.onEnd(() => end.abort());
  const forgetChanges = context.configurations.onChange(() => {
    if (!mayListen(context)) end.abort();
  });
  try {
    for await (const message of readConfigurations(context.configurations, end.signal)) {
      if (!mayListen(context)) return;
      yield message.kind === 'heartbeat' ? '\n' : `${JSON.stringify(removeKeys(context, message))}\n`;
    }
  } finally {
    forget();
    forgetChanges();
  }
}

/** Only edges that serve get private keys, not clients that only read. */
function removeKeys({ actor, directory }: ObjectsContext, message: FeedMessage): FeedMessage {
  if (message.kind !== 'configuration') return message;
  if (findGrants({ actor, directory }).allows('accountEdgeWrite', directory.accountId)) return message;
  const { certificates: _, ...configuration } = message.configuration;
  return { ...message, configuration };
}

function mayListen({ actor, directory, activity }: ObjectsContext): boolean {
  const token = findToken({ actor, directory });
  if (token !== undefined && getTokenState(token, activity.clock.now()) !== 'active') return false;
  const grants = findGrants({ actor, directory });
  const { accountId } = directory;
  return grants.allows('accountEdgeRead', accountId) || grants.allows('accountEdgeWrite', accountId);
}

/** Reads the known fields and ignores all others. */
function readEvent(given: unknown, pointer: string): SecurityEvent {
  const fields = Object(given) as Readonly<Record<string, unknown>>;
  const event: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(eventFields)) {
    const value = fields[name];
    const isRight =
      type === 'number'
        ? Number.isSafeInteger(value)
        : typeof value === 'string' && value.length <= eventTextCharactersMax;
    if (!isRight || (type === 'time' && Number.isNaN(Date.parse(String(value))))) {
      throw createFault(`${pointer}/${name}`, `${name} must be a ${type} that the log can keep`);
    }
    event[name] = value;
  }
  if (!/^[0-9a-f]{16}-[A-Z]{1,8}-\d{1,4}$/.test(String(event['id']))) {
    throw createFault(`${pointer}/id`, 'id must be a ray id and a number');
  }
  return { ...event, metadata: readMetadata(fields['metadata'], pointer) } as unknown as SecurityEvent;
}

function readMetadata(given: unknown, pointer: string): SecurityEvent['metadata'] {
  const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 256;
  const items: readonly unknown[] = Array.isArray(given) ? given : [undefined];
  return items.map((item) => {
    const { key, value } = Object(item) as { readonly key: unknown; readonly value: unknown };
    if (!isText(key) || !isText(value) || items.length > metadataMax) {
      throw createFault(`${pointer}/metadata`, 'metadata must be a short list of keys and values');
    }
    return { key, value };
  });
}

/** An edge's explanation is stored unchanged; only its size is checked here. */
function readJudged(given: unknown, pointer: string): string | undefined {
  if (given === undefined || given === null) return undefined;
  const text = JSON.stringify(given);
  if (typeof given === 'object' && text.length <= judgedCharactersMax) return text;
  throw createFault(pointer, `judged must be an object of at most ${judgedCharactersMax} characters`);
}

function createFault(pointer: string, reason: string): Error {
  return fault(edgeCodes.edgeEventInvalid, { pointer, fill: { reason } });
}
