/**
 * Protects a site: an origin, a plan, and managed rules of that plan. The plan belongs to the account, the rest to the
 * zone. So everything that the zone might refuse is tried before the plan is changed, and all changes of the zone are
 * one transaction.
 */
import { type IdsOf, ok, type Result } from '#contract';
import type { EdgeAnswer, ObjectsHandlers, PlannedRequest } from '../several-objects.ts';
import {
  type PlannedStep,
  planManagedRules,
  planOrigin,
  planSubscription,
  planUndo,
  type Undo,
} from './protection-steps.ts';
import { readZoneState } from './zone-state.ts';

const note =
  'Managed rules read 128 KiB of text in a body (edge_inspection_bytes). Bodies with more text are blocked, with an event from which you can create an exception for their path. Files do not count, whether in forms or alone.';

export const protectionHandlers: ObjectsHandlers<Exclude<IdsOf<'protection'>, 'protection.get'>> = {
  async 'protection.protect'(context, { path, query, body }) {
    const zone = context.directory.zones.get(path['zone_id']!)!;
    const { plan = zone.plan } = body;
    const state = await readZoneState(context, zone);
    const versions = { zone: state.version };
    const origin = planOrigin(zone, state, body.origin);
    const subscription = planSubscription(zone, plan);
    const managed = planManagedRules(zone, state, plan);
    const tried = await context.change(listRequests([origin]), { versions, isTrial: true });
    if ('refusal' in tried) return tried.refusal;
    const undos = new Map<PlannedStep, Undo>();
    for (const steps of query.dry_run === true ? [] : [[subscription], [managed, origin]]) {
      const outcome = await context.change(listRequests(steps), { versions });
      if ('refusal' in outcome) return outcome.refusal;
      const changing = steps.filter(({ change }) => change !== undefined);
      for (const [index, step] of changing.entries())
        undos.set(step, step.change!.getUndo(outcome.results[index]));
    }
    return ok({
      steps: [origin, subscription, managed].map((step) => ({
        will: step.will,
        did: step.did,
        is_change: step.change !== undefined,
        undo: undos.get(step) ?? null,
      })),
      rules: managed.rules,
      plan,
      note,
    });
  },

  /** The zone comes first: a smaller plan may not include the rules that are turned off. */
  async 'protection.undo'(context, { path, body }) {
    const zone = context.directory.zones.get(path['zone_id']!)!;
    const state = await readZoneState(context, zone);
    const kept: string[] = [];
    const requests = { zone: [] as PlannedRequest[], account: [] as PlannedRequest[] };
    for (const step of body.steps.toReversed()) {
      const undone = planUndo(zone, state, step);
      if (typeof undone === 'string') kept.push(undone);
      else if (undone !== undefined) requests[step.step === 'plan' ? 'account' : 'zone'].push(undone);
    }
    for (const each of [requests.zone, requests.account]) {
      const outcome = await context.change(each, { versions: { zone: state.version } });
      if ('refusal' in outcome) return outcome.refusal;
    }
    return ok({ kept });
  },

  'protection.checkOrigin': async ({ probe }, { body }) =>
    ok(
      probe === undefined
        ? { answers: false, status: null, sentence: 'This server cannot connect to origins.' }
        : await probe.askOrigin(body.url),
    ),

  async 'protection.test'({ directory, probe }, { path: { zone_id }, body }) {
    const { name } = directory.zones.get(zone_id!)!;
    const path = testPaths[body.kind];
    const answer = await probe?.visit(name, path);
    const command = `curl -i -H 'Host: ${name}' "${probe?.edgeUrl ?? `http://${name}`}${path}"`;
    return ok({ command, ...describeTest(body.kind === 'visit', answer) });
  },

  async 'protection.scanTls'({ directory, probe }, { path: { zone_id }, body }) {
    const { name } = directory.zones.get(zone_id!)!;
    const host = body.host?.toLowerCase() ?? name;
    // A caller needs permissions for other zones to use their names.
    if (host !== name && !host.endsWith(`.${name}`))
      return ok(describeUnscanned(host, `${host} is not in the zone ${name}`));
    return ok((await probe?.scanTls(host)) ?? describeUnscanned(host, 'this server has no edge'));
  },
};

function describeUnscanned(host: string, problem: string): Result<'protection.scanTls'> {
  return {
    host,
    protocols: [],
    applications: [],
    resumes_sessions: false,
    chain: [],
    expires_in_days: null,
    problems: [problem],
  };
}

/** Any managed rules block the attacks, including those of the free plan. */
const testPaths = {
  visit: '/',
  sql: "/?id=1'%20UNION%20SELECT%20user,password%20FROM%20users--%20",
  script: '/?q=%3Cscript%3Ealert(document.cookie)%3C/script%3E',
  path: '/?file=../../../../etc/passwd',
} as const;

function describeTest(
  isVisit: boolean,
  answer: EdgeAnswer | undefined,
): Pick<Result<'protection.test'>, 'status' | 'ray' | 'sentence'> {
  if (answer === undefined)
    return {
      status: null,
      ray: null,
      sentence: 'This server has no edge that is reachable over plain HTTP: send the request yourself.',
    };
  const { status, ray } = answer;
  const isStopped = status === 403 || status === 429;
  if (isVisit)
    return {
      status,
      ray,
      sentence: isStopped ? 'A rule stopped the visit.' : `The site answered with ${status}.`,
    };
  return {
    status,
    ray,
    sentence: isStopped
      ? 'The attack was stopped; its event follows within seconds.'
      : `The attack was not stopped: the response was ${status}.`,
  };
}

function listRequests(steps: readonly PlannedStep[]): PlannedRequest[] {
  return steps.flatMap(({ change }) => (change === undefined ? [] : [change.request]));
}
