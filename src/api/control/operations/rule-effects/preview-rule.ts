/**
 * What an expression would have matched among the last requests: all requests that the edge of this program has logged,
 * or without such a log those of the activity log, which a rule acted on. In a cluster each host evaluates its own log,
 * and the results are summed. Nothing is saved, nothing is sent.
 */
import { assert } from '#base';
import { bytesOf } from '#text';
import { compile, parse, usesOf, type Value } from '#expressions';
import { fault, genericCodes, type InputOf, type Result } from '#contract';
import { compileLists } from '#firewall';
import { requestFrom } from '#request';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ZoneFacts } from '../../context/directory.ts';
import { readExpression } from '../filters/read-expression.ts';
import type { ObjectsContext } from '../several-objects.ts';
import type { RecentRequest, RequestsRead } from './recent-requests.ts';
import { readLoggedRequests } from './logged-requests.ts';

type Preview = Result<'ruleEffects.preview'>;

const requestsByDefault = 12_000;
/** Enough to recognise the pattern. */
const shownMax = 5;
/** Evaluated per turn: this takes a few milliseconds. */
const requestsPerTurn = 500;

export async function previewRule(
  context: ObjectsContext,
  zone: ZoneFacts,
  { expression, requests: max = requestsByDefault }: InputOf<'ruleEffects.preview'>['body'],
): Promise<Preview> {
  const { directory } = context;
  const text = readExpression(expression, { directory, plan: zone.plan, pointer: '/expression' });
  const parsed = parse(text);
  assert(parsed.ok, 'an expression that was checked can be parsed');
  const used = Array.from(usesOf(parsed.tree).fields, ({ key }) => key);
  const places = used.filter((key) => key.startsWith('ip.src.'));
  const isMatch = await createMatcher(context, zone, { tree: parsed.tree, places });
  const read =
    (await context.recentRequests?.read(zone.name, { max, needsPlaces: places.length > 0 })) ??
    (context.askOtherHosts === undefined ? nothingRead : await readLoggedRequests(context, zone, max));
  const matching: RecentRequest[] = [];
  for (const [index, request] of read.requests.entries()) {
    if (index % requestsPerTurn === requestsPerTurn - 1) await nextTurn();
    if (isMatch(request)) matching.push(request);
  }
  const isKnown = read.requests.some(({ isSignedIn }) => isSignedIn !== undefined);
  return {
    source: read.requests.length === 0 ? 'none' : read.source,
    examined: read.requests.length,
    matched: matching.length,
    matched_signed_in: isKnown ? matching.filter(({ isSignedIn }) => isSignedIn === true).length : null,
    since: read.requests.length === 0 ? null : new Date(read.requests[0]!.receivedAtMs).toISOString(),
    missing: listMissing(read, used),
    newest: matching.slice(-shownMax).toReversed().map(toJson),
  };
}

/** The activity log is the same on all hosts: the host that calls the others reads it. */
const nothingRead: RequestsRead = { source: 'activity log', requests: [], unknownFields: [] };

interface Tried {
  readonly tree: Parameters<typeof compile>[0];
  /** The fields of the expression that locate an address. */
  readonly places: readonly string[];
}

async function createMatcher(
  { configurations }: ObjectsContext,
  zone: ZoneFacts,
  { tree, places }: Tried,
): Promise<(request: RecentRequest) => boolean> {
  const configuration = await configurations.readConfiguration(zone.id);
  if (configuration === undefined) throw fault(genericCodes.zoneNotFound);
  const isMatch = compile(tree, { lists: compileLists(configuration.lists) });
  const ofZone: readonly (readonly [string, Value])[] = [['cf.zone.name', bytesOf(zone.name)]];
  return ({ receivedAtMs, isSignedIn: _isSignedIn, readPlace, asn, ...request }) => {
    const known = places.flatMap((key) => {
      const value = readPlace?.(key);
      return value === undefined ? [] : [[key, value] as const];
    });
    const fields = new Map([...ofZone, ...known]);
    return isMatch(
      requestFrom({ ...request, ...(asn === undefined ? {} : { asn }), receivedAt: receivedAtMs, fields }),
    );
  };
}

/** Fields are listed by prefix: `http.cookie` stands for all fields below it. */
function listMissing({ unknownFields }: RequestsRead, used: readonly string[]): string[] {
  return used
    .filter((name) => unknownFields.some((prefix) => name === prefix || name.startsWith(`${prefix}.`)))
    .toSorted();
}

function toJson({ receivedAtMs, method, url, ip, isSignedIn }: RecentRequest): Preview['newest'][number] {
  return {
    datetime: new Date(receivedAtMs).toISOString(),
    method,
    url,
    ip,
    is_signed_in: isSignedIn ?? null,
  };
}

/** The combined results of the hosts: all requests in their logs, or without any log the result of the first host. */
export function addPreviews(previews: readonly [Preview, ...Preview[]]): Preview {
  const logged = previews.filter(({ source }) => source === 'access log');
  if (logged.length === 0) return previews[0];
  const sum = (pick: (preview: Preview) => number): number =>
    logged.reduce((all, preview) => all + pick(preview), 0);
  return {
    source: 'access log',
    examined: sum(({ examined }) => examined),
    matched: sum(({ matched }) => matched),
    matched_signed_in: logged.every(({ matched_signed_in: found }) => found === null)
      ? null
      : sum(({ matched_signed_in: found }) => found ?? 0),
    since: logged.map(({ since }) => since ?? '').toSorted()[0] || null,
    missing: [...new Set(logged.flatMap(({ missing }) => missing))].toSorted(),
    newest: logged
      .flatMap(({ newest }) => newest)
      .toSorted((one, other) => other.datetime.localeCompare(one.datetime))
      .slice(0, shownMax),
  };
}
