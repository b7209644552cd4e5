/**
 * What an expression would have matched among the last requests: those that the edge of this program has logged, whatever
 * became of them, or without such a log those of the activity log, which a rule acted on. Nothing is saved, nothing is sent.
 */
import { assert, bytesOf, workTurns } from '#base';
import { compile, parse, usesOf } from '#expressions';
import { fault, genericCodes, type InputOf, type Result } from '#contract';
import { CompiledZone } from '#firewall';
import { managedParts } from '#managed';
import { requestFrom } from '#request';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ZoneFacts } from '../../context/directory.ts';
import { readExpression } from '../filters/read-expression.ts';
import type { ObjectsContext } from '../several-objects.ts';
import type { RecentRequest, RequestsRead } from './recent-requests.ts';
import { readLoggedRequests } from './logged-requests.ts';

type Preview = Result<'ruleEffects.preview'>;

const requestsByDefault = 12_000;
/** Enough to recognise what they have in common. */
const shownMax = 5;
/** Judged before others have their turn: some milliseconds. */
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
  const isMatch = await createMatcher(context, zone, parsed.tree);
  const read =
    (await context.recentRequests?.read(zone.name, max)) ?? (await readLoggedRequests(context, zone, max));
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
    missing: listMissing(
      read,
      Array.from(usesOf(parsed.tree).fields, ({ key }) => key),
    ),
    newest: matching.slice(-shownMax).toReversed().map(toJson),
  };
}

async function createMatcher(
  { configurations }: ObjectsContext,
  zone: ZoneFacts,
  tree: Parameters<typeof compile>[0],
): Promise<(request: RecentRequest) => boolean> {
  const configuration = await configurations.readConfiguration(zone.id);
  if (configuration === undefined) throw fault(genericCodes.zoneNotFound);
  // Only for its lists.
  const bare = { ...configuration, firewallRules: [], entryPoints: [], customRulesets: [] };
  const { options } = await workTurns.run(CompiledZone.compileInPieces(bare, managedParts));
  const isMatch = compile(tree, options);
  const fields = new Map([['cf.zone.name', bytesOf(zone.name)]]);
  return ({ receivedAtMs, isSignedIn: _isSignedIn, ...request }) =>
    isMatch(requestFrom({ ...request, receivedAt: receivedAtMs, fields }));
}

/** By their prefixes: `http.cookie` and what is below it. */
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
