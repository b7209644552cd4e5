/** `gatehouse explain`: why a request was treated as it was, from a running server. */
import { type ExplainedEvent, printExplained, type SecurityEvent } from '#events';
import { type Arguments, type Command, CommandError, exitCodes, UsageError } from './command.ts';
import { readReachable } from './env.ts';

export const explainCommand: Command = {
  name: 'explain',
  parameters: '<event-id>',
  summary: 'Show why a request was stopped: the rule, what it found where, and how to make an exception.',
  details: `The first line is the shortest form. Below it are all rules that would have decided as well, the requests to the API that
make an exception, and every step and part of an expression.

The id is that of an event of the activity log, or the request id that a visitor saw (then the last rule
that acted is explained). Without --zone, all zones are searched.

Options override the ready file.`,
  options: {
    zone: { value: 'NAME|ID', help: 'the zone of the event' },
    'ready-file': { value: 'FILE', help: 'the file that gatehouse serve --ready-file wrote' },
    api: { value: 'URL', help: 'base URL of the API, ending in /client/v4' },
    token: { value: 'TOKEN', help: 'token of the API' },
    json: { help: 'print JSON' },
  },
  async run(args) {
    process.stdout.write(await explainEvent(args));
    return exitCodes.success;
  },
};

/**
 * What the command prints.
 * @internal Exported for tests.
 */
export async function explainEvent(args: Arguments): Promise<string> {
  const explained = await find(new Api(args), args.positionals[0]!, args.values['zone']);
  return args.switches.has('json') ? `${JSON.stringify(explained)}\n` : printExplained(explained);
}

interface Envelope {
  readonly result: unknown;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}

class Api {
  readonly #url: string;
  readonly #token: string;

  constructor(args: Arguments) {
    const { api, token } = readReachable(args, 'explain');
    if (token === undefined) throw new UsageError('gatehouse explain needs --token');
    this.#url = api.replace(/\/+$/, '');
    this.#token = token;
  }

  /** Undefined if it does not exist. */
  async get(path: string): Promise<unknown> {
    const { status, envelope } = await this.#ask(path);
    if (status === 404) return undefined;
    if (status === 200) return envelope.result;
    const reasons = envelope.errors.map(({ code, message }) => `${message} (${code})`);
    throw new CommandError(`the server refuses: ${reasons.join('; ') || `status ${status}`}`);
  }

  async #ask(path: string): Promise<{ status: number; envelope: Envelope }> {
    const headers = { authorization: `Bearer ${this.#token}` };
    try {
      const response = await fetch(`${this.#url}${path}`, { headers });
      return { status: response.status, envelope: (await response.json()) as Envelope };
    } catch (error) {
      const reason = (error as Error & { cause?: Error }).cause?.message ?? (error as Error).message;
      throw new CommandError(`${this.#url} does not answer: ${reason}`, { cause: error });
    }
  }
}

async function find(api: Api, id: string, zone: string | undefined): Promise<ExplainedEvent> {
  const eventIds = parseEventIds(id);
  for (const zoneId of await findZoneIds(api, zone)) {
    const eventId = await eventIds(api, zoneId);
    const explained = eventId && (await api.get(`/zones/${zoneId}/security/events/${eventId}/explain`));
    if (explained) return explained as ExplainedEvent;
  }
  const where = zone === undefined ? 'no zone' : `the zone ${zone}`;
  throw new CommandError(
    `${where} has an event ${id}: no rule acted on the request, or the event is older than the plan keeps them. ` +
      'The access log of the edge has a line for every request id (docs/monitoring.md)',
  );
}

type EventIds = (api: Api, zoneId: string) => Promise<string | undefined>;

function parseEventIds(id: string): EventIds {
  if (/^[0-9a-f]{16}-[A-Z]{1,8}-\d{1,4}$/.test(id)) return async () => id;
  if (!/^[0-9a-f]{16}-[A-Z]{1,8}$/.test(id)) {
    throw new UsageError(
      `an event is named like 019e3c5a7b1f0a2b-ABCD-0, a request without the last part: ${id}`,
    );
  }
  return async (api, zoneId) => {
    const query = `since=30d&where=rayName:eq:${id}&where=matchIndex:eq:0&per_page=1`;
    const [event] = ((await api.get(`/zones/${zoneId}/security/events?${query}`)) ?? []) as SecurityEvent[];
    return event?.id;
  };
}

async function findZoneIds(api: Api, zone: string | undefined): Promise<string[]> {
  if (zone !== undefined && /^[0-9a-f]{32}$/.test(zone)) return [zone];
  const name = zone === undefined ? '' : `&name=${encodeURIComponent(zone)}`;
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const zones = (await api.get(`/zones?per_page=50&page=${page}${name}`)) as readonly { id: string }[];
    if (!Array.isArray(zones)) throw new CommandError('that is not the API: its URL ends in /client/v4');
    ids.push(...zones.map(({ id }) => id));
    if (zones.length < 50) break;
  }
  if (ids.length === 0)
    throw new CommandError(zone === undefined ? 'there are no zones' : `there is no zone ${zone}`);
  return ids;
}
