/** Evaluates a described request by the zone's current configuration: what the edge would do, and why. */
import { explainFilter, explainJudgement } from '#events';
import {
  type Answer,
  answerQuestions,
  assumeAnswer,
  chooseUrlNormalization,
  CompiledZone,
  type ConfiguredFirewallRule,
  findRewrite,
  findSettings,
  isStricter,
  joinJudgements,
  judgeAmbiguousPath,
  type Judgement,
  noAnswer,
  type Verdict,
  type ZoneConfiguration,
} from '#firewall';
import { type ChallengeKind, errorStatusMin, judgingStepsMax, planCodes } from '#rulesets';
import { managedParts } from '#managed';
import { inspectedBodyBytesMax, readPath, type RequestDescription, requestFrom, splitUri } from '#request';
import { parseIp } from '#addresses';
import { assert } from '#base';
import { bytesOf } from '#text';
import { StepBudget, workTurns } from '#work';
import { type Filter, parse, type RequestView } from '#expressions';
import { fault, genericCodes, type InputOf, securityCodes, type Result } from '#contract';
import type { ObjectsContext } from '../several-objects.ts';
import type { Directory, ZoneFacts } from '../../context/directory.ts';
import { readExpression } from '../filters/read-expression.ts';
import { tracedHeaderCharactersMax } from './limits.ts';
import { quoteShort } from './search.ts';
import { traceOrigin } from './traced-origin.ts';

export type TracedRequest = InputOf<'security.trace'>['body'];

export async function trace(
  context: ObjectsContext,
  zone: ZoneFacts,
  described: TracedRequest,
): Promise<Result<'security.trace'>> {
  const request = readDescription(described, zone, context.nowMs);
  const configuration = await context.configurations.readConfiguration(zone.id);
  if (configuration === undefined) throw fault(genericCodes.zoneNotFound);
  const tried = described.firewall_rule;
  const filter = tried && parseTried(tried, zone, context.directory);
  const judged =
    tried === undefined
      ? configuration
      : { ...configuration, firewallRules: placeTried(configuration, tried) };
  const compiled = await workTurns.run(CompiledZone.compileInPieces(judged, managedParts));
  // A clearance without a level is valid for every challenge.
  const clearance = described.has_clearance === true ? 'challenge' : undefined;
  const { asked } = described;
  const answer =
    asked === undefined
      ? noAnswer('a trace asks nobody')
      : assumeAnswer({ status: 200, ...asked, from: 'assumed' });
  const { view, judgement } = judge(compiled, request, { clearance, answer });
  const forwarded = traceOrigin(judged, judgement, readUrl(described.url, zone).host);
  const tree = filter && explainFilter(compiled, view, filter);
  return {
    verdict: toVerdictJson(judgement.verdict),
    explanation: explainJudgement(compiled, view, judgement),
    problems: compiled.problems,
    ...(forwarded === undefined ? {} : { forwarded_to: forwarded }),
    ...(tree === undefined ? {} : { tried: { is_match: tree.result === 'true', tree } }),
  };
}

type Tried = NonNullable<TracedRequest['firewall_rule']>;

/** The id of a tested rule that has none yet. */
const triedId = 'tried';

function parseTried({ expression }: Tried, zone: ZoneFacts, directory: Directory): Filter {
  const pointer = '/firewall_rule/expression';
  const text = readExpression(expression, { directory, plan: zone.plan, pointer });
  const parsed = parse(text);
  assert(parsed.ok, 'an expression that was checked can be parsed');
  return parsed.tree;
}

/** The zone's rules in order of evaluation, including the tested one. */
function placeTried(
  { firewallRules }: ZoneConfiguration,
  { id = triedId, before, action, products = [], expression }: Tried,
): ConfiguredFirewallRule[] {
  const rule = { id, action, products, description: '', ref: '', expression: expression.trim() };
  const others = firewallRules.filter((each) => each.id !== id);
  const replaced = firewallRules.findIndex((each) => each.id === id);
  const next = others.findIndex((each) => each.id === before);
  const place = next === -1 && before !== null ? replaced : next;
  return others.toSpliced(place === -1 ? others.length : place, 0, rule);
}

interface Judged {
  readonly view: RequestView;
  readonly judgement: Judgement;
}

/** Like the edge: by each interpretation of the path, until one does not let the request pass. */
function judge(
  compiled: CompiledZone,
  request: RequestDescription,
  { clearance, answer }: { readonly clearance: ChallengeKind | undefined; readonly answer: Answer },
): Judged {
  const { path } = splitUri(bytesOf(request.url!));
  const normalization = chooseUrlNormalization(compiled.configuration, true);
  const readings = readPath(path, normalization);
  if ('problem' in readings) {
    return { view: requestFrom({ ...request, path }), judgement: judgeAmbiguousPath(readings.problem) };
  }
  const [first] = readings.judged;
  const received = requestFrom({ ...request, path: first });
  const before = compiled.changeRequest(received, new StepBudget(judgingStepsMax));
  if (before !== undefined && before.verdict.kind !== 'pass') return { view: received, judgement: before };
  const rewrite = findRewrite(before?.changes);
  const seen = rewrite?.path === undefined ? readings : readPath(rewrite.path, normalization);
  if ('problem' in seen) return { view: received, judgement: judgeAmbiguousPath(seen.problem) };
  const settings = findSettings(before?.changes);
  const judgeBy = (reading: string): Judged => {
    const view = requestFrom({ ...request, path: first }).rewriteUri({ ...rewrite, path: reading });
    return { view, judgement: joinJudgements(before, compiled.judge({ view, clearance, settings })) };
  };
  const [rewritten, ...others] = seen.judged;
  let strictest = judgeBy(rewritten);
  for (const reading of others) {
    if (strictest.judgement.verdict.kind !== 'pass') break;
    const other = judgeBy(reading);
    if (isStricter(other.judgement, strictest.judgement)) strictest = other;
  }
  return addForwarded(compiled, strictest, { status: request.response?.status ?? 200, answer });
}

/** How rules change a request that passes, and its response. */
function addForwarded(
  compiled: CompiledZone,
  { view, judgement: given }: Judged,
  { status, answer }: { readonly status: number; readonly answer: Answer },
): Judged {
  let judgement = given;
  const { skippedPhases = {} } = judgement;
  for (const group of listGroups(status)) {
    if (judgement.verdict.kind !== 'pass') break;
    const budget = new StepBudget(judgingStepsMax);
    const after = compiled.changeForwarded(group, view, { budget, skippedPhases });
    if (after === undefined) continue;
    judgement = joinJudgements(judgement, after);
    if (group === 'ask') judgement = answerQuestions(judgement, () => answer);
  }
  return { view, judgement };
}

/** An answer that replaces an error is changed like any other. */
function listGroups(status: number): readonly ('ask' | 'forward' | 'error' | 'response')[] {
  return status >= errorStatusMin ? ['ask', 'forward', 'error', 'response'] : ['ask', 'forward', 'response'];
}

/** A challenge has the status of its page. */
function toVerdictJson(verdict: Verdict): Result<'security.trace'>['verdict'] {
  if (verdict.kind === 'pass') return { action: 'pass' };
  const { ruleId: rule_id, rulesetId: ruleset_id, source } = verdict.by;
  if (verdict.kind === 'redirect') {
    const { status, location } = verdict;
    return { action: 'redirect', rule_id, ruleset_id, source, status, location };
  }
  if (verdict.kind === 'answer')
    return { action: 'redirect', rule_id, ruleset_id, source, status: verdict.answer.status };
  const [action, status] =
    verdict.kind === 'block'
      ? (['block', verdict.answer?.status ?? verdict.response?.status_code ?? 403] as const)
      : ([verdict.challenge, 403] as const);
  return { action, rule_id, ruleset_id, source, status };
}

function readDescription(described: TracedRequest, zone: ZoneFacts, nowMs: number): RequestDescription {
  const { method = 'GET', body, ip = '192.0.2.1', country = '', asn } = described;
  const url = readUrl(described.url, zone);
  if (!/^[!#$%&'*+.^`|~\w-]+$/.test(method))
    throw createFault('/method', `no method is called ${quoteShort(method)}`);
  if (parseIp(ip) === undefined) throw createFault('/ip', `ip must be an address: ${quoteShort(ip)}`);
  if (body !== undefined && Buffer.byteLength(body) > inspectedBodyBytesMax) {
    throw createFault('/body', `body must have at most ${inspectedBodyBytesMax} bytes`);
  }
  return {
    method,
    url: `${url.scheme}://${url.host}${url.target}`,
    headers: addHost(readHeaders(described.headers ?? {}, '/headers'), url.host),
    response: {
      status: described.response?.status ?? 200,
      headers: readHeaders(described.response?.headers ?? {}, '/response/headers'),
    },
    ...(body === undefined ? {} : { body }),
    ip,
    country,
    ...(asn === undefined ? {} : { asn }),
    receivedAt: nowMs,
    fields: new Map([
      ['http.host', bytesOf(url.host)],
      ['cf.zone.name', bytesOf(zone.name)],
      ['cf.zone.plan', bytesOf(planCodes[zone.plan])],
    ]),
  };
}

/**
 * A bare path belongs to the zone itself. The target is kept as written, because rules see it before it is normalized.
 */
function readUrl(text: string, zone: ZoneFacts): { scheme: string; host: string; target: string } {
  // oxlint-disable-next-line no-control-regex -- they cannot stand in a request line
  if (/[\u0000-\u0020\u007f]/.test(text))
    throw createFault('/url', 'url must have no spaces or control characters');
  if (text.startsWith('/')) return { scheme: 'https', host: zone.name, target: text.split('#')[0]! };
  const [, scheme, authority, rest] = /^(https?):\/\/([^/?#]+)([^#]*)/i.exec(text) ?? [];
  const host = authority
    ?.toLowerCase()
    .replace(/:\d{0,5}$/, '')
    .replace(/\.$/, '');
  if (host === undefined)
    throw createFault('/url', `url must begin with http://, https:// or a slash: ${quoteShort(text)}`);
  if (host !== zone.name && !host.endsWith(`.${zone.name}`)) {
    throw createFault('/url', `the host must be ${zone.name} or a name below it: ${quoteShort(host)}`);
  }
  return { scheme: scheme!.toLowerCase(), host, target: rest!.startsWith('/') ? rest! : `/${rest}` };
}

type Headers = NonNullable<TracedRequest['headers']>;
type Pairs = readonly (readonly [name: string, value: string])[];

function readHeaders(headers: Headers, pointer: string): Pairs {
  const pairs: (readonly [string, string])[] = [];
  let characters = 0;
  for (const [name, given] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name))
      throw createFault(pointer, `no header is called ${quoteShort(name)}`);
    for (const value of [given].flat()) {
      if (typeof value !== 'string' || /[\0\r\n]/.test(value)) {
        throw createFault(
          `${pointer}/${name}`,
          `${quoteShort(name)} must be a text of one line, or an array of such`,
        );
      }
      characters += name.length + value.length;
      pairs.push([name, value]);
    }
  }
  if (characters > tracedHeaderCharactersMax) {
    throw createFault(pointer, `headers can have ${tracedHeaderCharactersMax} characters together`);
  }
  return pairs;
}

function addHost(pairs: Pairs, host: string): Pairs {
  const hasHost = pairs.some(([name]) => name.toLowerCase() === 'host');
  return hasHost ? pairs : [['Host', host], ...pairs];
}

function createFault(pointer: string, reason: string): Error {
  return fault(securityCodes.requestInvalid, { pointer, fill: { reason } });
}
