/**
 * Validates the messages of an edge process. It runs no code of users, but parses what any client sends: the fields
 * used here are checked, so that no message throws in the program; the receivers of batches check them again.
 */
import { readFamilies } from '#metrics';
import { ProtocolError, readAmount, readFields, readList, readText } from '#processes';
import type { WrittenEvents } from '../edge-reports.ts';
import type { FromEdgeProcess } from './edge-process-messages.ts';

const nameCharactersMax = 2_048;
const listMax = 1_000_000;

type SentFields = Readonly<Record<string, unknown>>;
type EdgeMessageKind = FromEdgeProcess['kind'];
type Read<Each extends EdgeMessageKind> = (
  fields: SentFields,
) => Omit<Extract<FromEdgeProcess, { readonly kind: Each }>, 'kind'>;

const readers: { readonly [Each in EdgeMessageKind]: Read<Each> } = {
  connect: ({ wanted }) => ({ wanted: readList(wanted, 'the zones of an edge', listMax).map(readName) }),
  asked: ({ zone }) => ({ zone: readName(zone) }),
  taken: ({ isWanted }) => ({ isWanted: isWanted === true }),
  events: ({ id, events }) => ({
    id: readNumber(id),
    events: readList(events, 'events', listMax) as WrittenEvents,
  }),
  traffic: ({ id, batch }) => {
    const { name, rows } = readFields(batch, 'a batch of traffic');
    return { id: readNumber(id), batch: { name: readName(name), rows: readRecords(rows) } };
  },
  requests: ({ id, requests }) => {
    const zones = Object.entries(readFields(requests, 'requests'));
    return {
      id: readNumber(id),
      requests: Object.fromEntries(zones.map(([zone, records]) => [zone, readRecords(records)])),
    };
  },
  learned: ({ id, learned }) => {
    const [zone, batch] = readList(learned, 'what was learned', 2);
    return { id: readNumber(id), learned: [readName(zone), readFields(batch, 'what was learned') as never] };
  },
  'thread ended': ({ end }) => {
    const { reason, zone, rule } = readFields(end, 'the end of a thread');
    return {
      end: {
        reason: readName(reason),
        ...(zone === undefined ? {} : { zone: readName(zone) }),
        ...(rule === undefined ? {} : { rule: readName(rule) }),
      },
    };
  },
  lines({ id, bytes }) {
    if (!(bytes instanceof Uint8Array)) throw new ProtocolError('lines of a log are not bytes');
    return { id: readNumber(id), bytes };
  },
  rates: ({ id, counts }) => ({ id: readNumber(id), counts: readRecords(counts) }),
  'rates taken': ({ id, counts }) => ({ id: readNumber(id), counts: readRecords(counts) }),
  'rate keys': ({ id, keys }) => ({ id: readNumber(id), keys: readRecords(keys) }),
  'origin marked': ({ state }) => ({ state: readFields(state, 'the state of an origin') as never }),
  metrics: ({ id, families }) => ({
    id: id === undefined ? undefined : readNumber(id),
    families: readFamilies(families),
  }),
};

export function readEdgeMessage(body: unknown): FromEdgeProcess {
  const { kind, ...fields } = readFields(body, 'what an edge sends');
  if (typeof kind !== 'string' || !Object.hasOwn(readers, kind))
    throw new ProtocolError('a message has a kind that no edge sends');
  return { kind, ...readers[kind as EdgeMessageKind](fields) } as FromEdgeProcess;
}

function readNumber(value: unknown): number {
  return readAmount(value, 'the number of a message');
}

function readName(value: unknown): string {
  return readText(value, 'a name', nameCharactersMax);
}

function readRecords<Each>(value: unknown): readonly Each[] {
  return readList(value, 'a list of records', listMax).map((each) => readFields(each, 'a record') as Each);
}
