/** Operations on the edge settings of a zone. */
import { portOf } from '#listeners';
import {
  type ConfiguredOrigin,
  type EdgeSettings,
  isWithheldField,
  unconfirmedScoresDefault,
} from '#firewall';
import { edgeCodes, fault, ok, type Result } from '#contract';
import type { OriginCheck, Handlers, ZoneContext } from '../../context/handler.ts';
import { listUnconfirmedNotes } from '../../migration/notes.ts';
import { protectByDefault } from './default-protection.ts';
import { beginLearning } from '../../stores/learning.ts';
import { readEdgeSettings, setEdgeSettings } from '../../stores/edge.ts';

export const edgeHandlers: Handlers<ZoneContext, 'edge.get' | 'edge.update'> = {
  'edge.get': ({ sql }) => ok(toEdgeJson(readEdgeSettings(sql))),

  'edge.update'(context, { body }) {
    const before = readEdgeSettings(context.sql);
    const { origin, over_inspection_limit: overInspectionLimit = before.overInspectionLimit } = body;
    const { forwarded_fields: given, response_rules: responseRules } = body;
    const { unconfirmed_scores: unconfirmedScores, learning } = body;
    const after: EdgeSettings = {
      ...before,
      ...(given === undefined ? {} : { forwardedFields: checkForwardedFields(given) }),
      ...(responseRules === undefined ? {} : { responseRules }),
      ...(unconfirmedScores === undefined ? {} : { unconfirmedScores }),
      ...(learning === undefined ? {} : { learning }),
      origin:
        origin === undefined
          ? before.origin
          : origin === null
            ? undefined
            : readOrigin(origin, context.checkOrigin),
      overInspectionLimit,
    };
    setEdgeSettings(context.sql, after);
    if (learning !== undefined && learning !== 'off')
      beginLearning(context.sql, { seed: context.newId(), nowMs: context.nowMs });
    context.audit({
      resource: 'edge',
      id: context.zone.id,
      before: toEdgeJson(before),
      after: toEdgeJson(after),
    });
    const isFirst = before.origin === undefined && after.origin !== undefined;
    if (isFirst && body.protect !== false) protectByDefault(context);
    for (const note of listUnconfirmedNotes(context)) context.addMessage(note);
    return ok(toEdgeJson(after));
  },
};

interface GivenOrigin {
  readonly worker?: string;
  readonly url?: string;
  readonly connect_to?: string;
  readonly verify_tls?: boolean;
}

function readOrigin({ worker, ...server }: GivenOrigin, check: OriginCheck): ConfiguredOrigin {
  const { url } = server;
  const isOne = (worker === undefined) !== (url === undefined);
  const hasMore = worker !== undefined && Object.keys(server).length > 0;
  if (!isOne || hasMore) {
    throw fault(edgeCodes.originInvalid, {
      pointer: '/origin',
      fill: { reason: 'send either a url, optionally with connect_to and verify_tls, or a worker' },
    });
  }
  return worker === undefined ? readServer({ ...server, url: url! }, check) : readWorker(worker, check);
}

/** If the Worker is later removed from the settings, the edge reports it. */
function readWorker(worker: string, { workers }: OriginCheck): ConfiguredOrigin {
  if (workers?.includes(worker) !== false) return { worker };
  const known = workers.length === 0 ? 'none' : workers.join(', ');
  throw fault(edgeCodes.workerUnknown, { pointer: '/origin/worker', fill: { worker, known } });
}

/**
 * Addresses are checked here. Names are not: the edge checks the addresses that they resolve to, at each connection.
 */
function readServer(
  { url, connect_to, verify_tls = true }: Omit<GivenOrigin, 'worker'> & { readonly url: string },
  check: OriginCheck,
): ConfiguredOrigin {
  const parsed = URL.parse(url);
  const reason = findOriginProblem(parsed);
  if (reason !== undefined || parsed === null) {
    throw fault(edgeCodes.originInvalid, { pointer: '/origin/url', fill: { reason: `${reason}: ${url}` } });
  }
  checkAddress(parsed, connect_to, check);
  return {
    url: parsed.origin,
    verifyTls: verify_tls,
    ...(connect_to === undefined ? {} : { connectTo: connect_to }),
  };
}

/** The edge connects to `connect_to` if it is given. */
function checkAddress(url: URL, connectTo: string | undefined, check: OriginCheck): void {
  const host = connectTo ?? url.hostname;
  const obstacle = check.findObstacle(host, portOf(url));
  if (obstacle === undefined) return;
  throw fault(obstacle === 'private' ? edgeCodes.originPrivate : edgeCodes.originForbidden, {
    pointer: connectTo === undefined ? '/origin/url' : '/origin/connect_to',
    fill: { host },
  });
}

function findOriginProblem(url: URL | null): string | undefined {
  if (url === null) return 'this is not a URL';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'the scheme must be http or https';
  if (url.username !== '' || url.password !== '') return 'there must be no user name or password';
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return 'there must be no path, query or fragment';
  return undefined;
}

/** Returns the names in lower case, without duplicates. */
function checkForwardedFields(given: readonly string[]): readonly string[] {
  const names = given.map((name) => name.toLowerCase());
  const index = names.findIndex((name) => !isWithheldField(name));
  if (index >= 0) {
    throw fault(edgeCodes.forwardedFieldInvalid, {
      pointer: `/forwarded_fields/${index}`,
      fill: { reason: `${JSON.stringify(given[index])} is not withheld from origins` },
    });
  }
  return [...new Set(names)];
}

export function toEdgeJson({
  origin,
  overInspectionLimit,
  forwardedFields = [],
  responseRules = 'off',
  unconfirmedScores = unconfirmedScoresDefault,
  learning = 'off',
}: EdgeSettings): Result<'edge.get'> {
  return {
    origin: origin === undefined ? null : toOriginJson(origin),
    over_inspection_limit: overInspectionLimit,
    forwarded_fields: forwardedFields,
    response_rules: responseRules,
    unconfirmed_scores: unconfirmedScores,
    learning,
  };
}

function toOriginJson(origin: ConfiguredOrigin): Result<'edge.get'>['origin'] {
  if ('worker' in origin) return { worker: origin.worker };
  const { url, verifyTls, connectTo } = origin;
  return { url, verify_tls: verifyTls, ...(connectTo === undefined ? {} : { connect_to: connectTo }) };
}
