/** Evaluates recorded requests like a new zone of a plan, with its initial managed rules. */
import { randomBytes } from 'node:crypto';
import { emptyGeoDatabase, ZoneJudge } from '#edge';
import {
  checkEntryPointChange,
  createRuleset,
  entryPointDraft,
  type Plan,
  type Problem,
  type Ruleset,
} from '#rulesets';
import { CompiledZone, type ZoneConfiguration } from '#firewall';
import { findDeployable, managedParts, rulesetIds } from '#managed';
import { RehearsalError } from './rehearsal-error.ts';
import { judgeRequest, toIncomingRequest } from './replay.ts';
import type { RecordedRequest } from './traffic/recorded-request.ts';

export interface StoppingRule {
  readonly id: string;
  readonly description: string;
}

/** The rule that stops a request; undefined if it passes. */
type PlanJudge = (request: RecordedRequest) => Promise<StoppingRule | undefined>;

const phase = 'http_request_firewall_managed';

/** `exceptions` are skip rules in the API's form; they are placed before the managed rules. */
export function createPlanJudge(plan: Plan, exceptions: readonly unknown[] = []): PlanJudge {
  const zone = new CompiledZone(createPlanZone(plan, exceptions), managedParts);
  const judge = new ZoneJudge({ geo: emptyGeoDatabase, secret: randomBytes(32), rewritesTarget: true });
  let index = 0;
  return async (request) => {
    const { verdict } = await judgeRequest(judge, zone, toIncomingRequest(request, index++), request.body);
    if (verdict.kind === 'pass') return undefined;
    return { id: verdict.by.ruleId, description: verdict.by.description };
  };
}

export function createPlanZone(plan: Plan, exceptions: readonly unknown[] = []): ZoneConfiguration {
  return {
    version: 1,
    zone: { id: 'corpus', name: 'corpus.invalid', plan, accountId: 'corpus', isPaused: false },
    migration: 'complete',
    firewallRules: [],
    entryPoints: [createEntryPoint(plan, exceptions)],
    customRulesets: [],
    previous: { waf: 'off', packages: {}, groups: {}, rules: {}, overrides: [], pageRules: [] },
    lists: [],
    edge: { origin: undefined, overInspectionLimit: 'default' },
  };
}

function createEntryPoint(plan: Plan, exceptions: readonly unknown[]): Ruleset {
  const id = plan === 'free' ? rulesetIds.free : rulesetIds.managed;
  const execute = { action: 'execute', expression: 'true', action_parameters: { id } };
  const checked = checkEntryPointChange(
    { rules: [...exceptions.map(dropPosition), execute] },
    { phase, current: undefined },
    {
      level: 'zone',
      plan,
      lists: new Map(),
      managed: findDeployable,
      custom: () => undefined,
      hasEntryPoint: () => false,
    },
  );
  if (!checked.ok) {
    const [{ pointer, message }] = checked.problems as [Problem];
    throw new RehearsalError(
      `the exception is not valid: ${pointer.replace(/^\/rules\/\d+/, '')}: ${message}`,
    );
  }
  let count = 0;
  const stamp = { now: '', newId: () => `rule-${++count}` };
  return createRuleset(entryPointDraft({ level: 'zone', phase }, checked.value), stamp);
}

/** Its position among other rules is irrelevant here. */
function dropPosition(exception: unknown): unknown {
  if (typeof exception !== 'object' || exception === null) return exception;
  return Object.fromEntries(Object.entries(exception).filter(([name]) => name !== 'position'));
}
