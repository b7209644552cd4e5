/**
 * Validates the lines of the feed of a remote control plane. The parts of a configuration are checked where they are
 * compiled, zone by zone; what the edge keeps zones by is checked here.
 */
import type { FeedMessage } from '#control';
import { ProtocolError, readAmount, readFields, readList, readText } from '#processes';

type FeedMessageKind = FeedMessage['kind'];
type MessageOf<Each extends FeedMessageKind> = Extract<FeedMessage, { readonly kind: Each }>;
type SentFields = Readonly<Record<string, unknown>>;

const nameCharactersMax = 2_048;
const zonesMax = 10_000_000;
const idPattern = /^[0-9a-f]{32}$/;

const readers: { readonly [Each in FeedMessageKind]: (fields: SentFields) => Omit<MessageOf<Each>, 'kind'> } =
  {
    account: ({ account }) => ({
      account: readPart(account, 'the account') as MessageOf<'account'>['account'],
    }),
    'core-rules': ({ rules }) => ({
      rules:
        rules === null
          ? null
          : (readFields(rules, 'the OWASP rules') as unknown as MessageOf<'core-rules'>['rules']),
    }),
    zones: ({ zones }) => ({ zones: readList(zones, 'the zones', zonesMax).map(readZone) }),
    configuration({ configuration }) {
      const part = readPart(configuration, 'a configuration');
      readZone(part['zone']);
      return { configuration: part as MessageOf<'configuration'>['configuration'] };
    },
    removed: ({ zone }) => ({ zone: readId(zone) }),
    unavailable: ({ zone, reason, retryMs }) => ({
      zone: readText(zone, 'the id of a zone', nameCharactersMax),
      reason: readText(reason, 'a reason', nameCharactersMax),
      retryMs: readAmount(retryMs, 'a delay'),
    }),
    complete: () => ({}),
    heartbeat: () => ({}),
  };

/** Undefined for a kind that a newer control plane sends. */
export function readFeedMessage(line: string): FeedMessage | undefined {
  const { kind, ...fields } = readFields(JSON.parse(line), 'a line of the feed');
  if (typeof kind !== 'string') throw new ProtocolError('a line of the feed has no kind');
  if (!Object.hasOwn(readers, kind)) return undefined;
  return { kind, ...readers[kind as FeedMessageKind](fields) } as FeedMessage;
}

function readPart(value: unknown, what: string): SentFields {
  const part = readFields(value, what);
  readAmount(part['version'], `the version of ${what}`);
  return part;
}

function readZone(value: unknown): { readonly id: string; readonly name: string } {
  const { id, name } = readFields(value, 'a zone');
  return { id: readId(id), name: readText(name, 'the name of a zone', nameCharactersMax) };
}

function readId(value: unknown): string {
  const id = readText(value, 'the id of a zone', nameCharactersMax);
  if (!idPattern.test(id)) throw new ProtocolError('a zone has an id that no zone has');
  return id;
}
