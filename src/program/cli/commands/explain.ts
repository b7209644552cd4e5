/** `gatehouse explain`: how a running server explains the treatment of a request. */
import { type ExplainedEvent, printExplained } from '#events';
import { ifFound } from '#client';
import { ApiClient } from '../api/api-client.ts';
import { connectionHelp, connectionOptions, readConnection } from '../api/connection.ts';
import { type Arguments, type Command, CommandError, UsageError } from '../command.ts';

export const explainCommand: Command = {
  name: 'explain',
  parameters: '<event-id>',
  summary: 'Show why a request was stopped: the rule, what it found and where, and how to make an exception.',
  details: `The first line is a summary. Below it are all other rules that would have decided, the API requests that make an exception, and every step and part of an expression. The id is the id of an event of the activity log, or the request id that a visitor saw (then the last rule that acted is explained). Without --zone, all zones are searched.

${connectionHelp}`,
  options: {
    zone: { value: 'NAME|ID', help: 'the zone of the event' },
    ...connectionOptions,
    json: { help: 'print JSON' },
  },
  async run(args) {
    process.stdout.write(await explainEvent(args));
  },
};

/** The output of the command. */
export async function explainEvent(args: Arguments): Promise<string> {
  using api = new ApiClient(readConnection(args, 'explain'));
  const explained = await find(api, args.positionals[0]!, args.values['zone']);
  return args.switches.has('json') ? `${JSON.stringify(explained)}\n` : printExplained(explained);
}

async function find(api: ApiClient, id: string, zone: string | undefined): Promise<ExplainedEvent> {
  const eventIds = parseEventIds(id);
  for (const zoneId of await findZoneIds(api, zone)) {
    const event_id = await eventIds(api, zoneId);
    if (event_id === undefined) continue;
    const path = '/zones/{zone_id}/security/events/{event_id}/explain';
    const explained = await ifFound(api.get(path, { zone_id: zoneId, event_id }));
    if (explained !== undefined) return explained.result;
  }
  const where = zone === undefined ? 'no zone has' : `the zone ${zone} does not have`;
  throw new CommandError(
    `${where} an event ${id}: no rule acted on the request, or the event is older than the plan keeps them. ` +
      'The access log of the edge has a line for every request id (docs/operate/monitoring.md)',
  );
}

type EventIds = (api: ApiClient, zoneId: string) => Promise<string | undefined>;

function parseEventIds(id: string): EventIds {
  if (/^[0-9a-f]{16}-[A-Z]{1,8}-\d{1,4}$/.test(id)) return async () => id;
  if (!/^[0-9a-f]{16}-[A-Z]{1,8}$/.test(id)) {
    throw new UsageError(
      `an event id looks like 019e3c5a7b1f0a2b-ABCD-0, a request id has no last part: ${id}`,
    );
  }
  const query = { since: '30d', where: [`rayName:eq:${id}`, 'matchIndex:eq:0'], per_page: 1 };
  return async (api, zone_id) =>
    (await ifFound(api.get('/zones/{zone_id}/security/events', { zone_id, query })))?.result[0]?.id;
}

async function findZoneIds(api: ApiClient, zone: string | undefined): Promise<string[]> {
  // A token that may read events may be unable to read zones.
  if (zone !== undefined && /^[0-9a-f]{32}$/.test(zone)) return [zone];
  if (zone !== undefined) return [(await api.findZone(zone)).id];
  const zones = await Array.fromAsync(api.list('/zones'));
  if (zones.length === 0) throw new CommandError('there are no zones');
  return zones.map(({ id }) => id);
}
