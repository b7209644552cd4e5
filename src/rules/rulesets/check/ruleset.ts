/**
 * Checks what clients send to the rulesets API, one function for each operation: the body, parsed from JSON and
 * completely untrusted, becomes a draft or change that can be applied without further checks, or a list of problems.
 */
import { assert } from '#base';
import { type Checked, JsonField, type Shape, type Shaped } from '#shapes';
import { ruleAddition, rulesetChange, rulesetDraft, ruleEdit } from '../bodies.ts';
import type {
  Home,
  RuleAddition,
  RuleDraft,
  RuleEdit,
  Ruleset,
  RulesetChange,
  RulesetDraft,
} from '../model.ts';
import { creatableKinds, entryPointKind, hasPhase, type RulesetKind } from '../phases.ts';
import { includesPlan, notEntitled } from '../plans/plans.ts';
import { type BodyField, noProblems } from '../problem.ts';
import type { RulesetContext } from './context.ts';
import { checkPosition } from './position.ts';
import { checkRule, definesRule, type RuleField } from './rule.ts';
import { checkRuleCount, checkTogether } from './rules-together.ts';

type SentChange = Shaped<typeof rulesetChange>;

/** POST of a ruleset. */
export function checkRulesetDraft(body: unknown, context: RulesetContext): Checked<RulesetDraft> {
  const field = open(body, rulesetDraft, context);
  const name = field.at('name').read();
  const description = field.at('description').read() ?? '';
  const phase = readPhase(field.at('phase'), context);
  const kind = readKind(field.at('kind'), phase, context);
  const rules =
    phase === undefined || kind === undefined
      ? undefined
      : readRules(field, { level: context.level, kind, phase }, context);
  return field.problems.conclude(() => {
    assert(name !== undefined && kind !== undefined && phase !== undefined, 'a sound draft is whole');
    return { name, description, kind, phase, rules: rules ?? [] };
  });
}

/** PUT of a ruleset. */
export function checkRulesetChange(
  body: unknown,
  ruleset: Ruleset,
  context: RulesetContext,
): Checked<RulesetChange> {
  const field = open(body, rulesetChange, context);
  checkUnchanged(field, { name: ruleset.name, kind: ruleset.kind, phase: ruleset.phase });
  return concludeChange(field, { home: homeOf(ruleset, context), context, current: ruleset });
}

/**
 * PUT of an entry point, which may not exist yet. A name is used if it does not and ignored if it does: clients send
 * the one that they would choose.
 */
export function checkEntryPointChange(
  body: unknown,
  { phase, current }: { phase: string; current: Ruleset | undefined },
  context: RulesetContext,
): Checked<RulesetChange> {
  const field = open(body, rulesetChange, context);
  const kind = entryPointKind[context.level];
  checkUnchanged(field, { kind, phase });
  const name = field.at('name').read();
  const home = { level: context.level, kind, phase };
  return concludeChange(field, { home, context, current, ...(name === undefined ? {} : { name }) });
}

/** POST of a rule. */
export function checkRuleAddition(
  body: unknown,
  ruleset: Ruleset,
  context: RulesetContext,
): Checked<RuleAddition> {
  const field = open(body, ruleAddition, context, { isRule: true });
  const home = homeOf(ruleset, context);
  checkRuleCount(ruleset.rules.length + 1, field, { home, context });
  const position = checkPosition(field.at('position'), ruleset.rules);
  const draft = checkRule(field, home, context);
  // The id of a rule is chosen when it is added.
  const added = draft && { ...draft, id: undefined };
  if (added !== undefined) {
    checkTogether([...ruleset.rules.map((rule) => ({ rule })), { rule: added, field }], { home, context });
  }
  return field.problems.conclude(() => {
    assert(added !== undefined, 'a sound addition has a rule');
    return { draft: added, ...(position === undefined ? {} : { position }) };
  });
}

/** PATCH of a rule that the ruleset has. */
export function checkRuleEdit(
  body: unknown,
  { ruleset, ruleId }: { ruleset: Ruleset; ruleId: string },
  context: RulesetContext,
): Checked<RuleEdit> {
  const field = open(body, ruleEdit, context, { isRule: true });
  const home = homeOf(ruleset, context);
  const others = ruleset.rules.filter(({ id }) => id !== ruleId);
  const positionField = field.at('position');
  const position = checkPosition(positionField, others);
  if (!positionField.isAbsent && !definesRule(field)) {
    return field.problems.conclude(() => (position === undefined ? {} : { position }));
  }
  const draft = checkRule(field, home, context);
  const edited = draft && { ...draft, id: ruleId };
  if (edited !== undefined) {
    checkTogether([...others.map((rule) => ({ rule })), { rule: edited, field }], { home, context });
  }
  return field.problems.conclude(() => {
    assert(edited !== undefined, 'a sound edit has a rule');
    return { draft: edited, ...(position === undefined ? {} : { position }) };
  });
}

/** The draft of an entry point that does not exist yet. */
export function entryPointDraft(home: Pick<Home, 'level' | 'phase'>, change: RulesetChange): RulesetDraft {
  const { name = 'default', description = '', rules = [] } = change;
  return { name, description, kind: entryPointKind[home.level], phase: home.phase, rules };
}

function open<T>(
  body: unknown,
  shape: Shape<T>,
  { level, plan }: RulesetContext,
  { isRule = false } = {},
): BodyField<T> {
  const field: BodyField<T> = JsonField.ofBody(body ?? null, shape, noProblems());
  // The check of a rule reports unknown fields itself.
  if (!isRule) field.hasOnlyKnownFields();
  if (level === 'account' && !includesPlan(plan, 'enterprise')) {
    const message = notEntitled('rulesets of the account', { plan, needed: 'enterprise' });
    field.problems.add('notEntitled', message, '');
  }
  return field;
}

function homeOf({ kind, phase }: Ruleset, { level }: RulesetContext): Home {
  return { level, kind, phase };
}

function readPhase(field: BodyField<string>, { level }: RulesetContext): string | undefined {
  const phase = field.read();
  if (phase === undefined || hasPhase(level, phase)) return phase;
  return field.refuse('notAvailable', `the phase does not exist at the level of a ${level}`);
}

function readKind(
  field: BodyField<'custom' | 'root' | 'zone'>,
  phase: string | undefined,
  context: RulesetContext,
): RulesetKind | undefined {
  if (!field.isThere()) return undefined;
  const kind = field.choice(creatableKinds[context.level]);
  if (kind === undefined || phase === undefined) return undefined;
  if (kind === 'custom' && phase === 'http_request_firewall_managed') {
    return field.refuse('notAvailable', `the phase ${phase} has no custom rulesets`);
  }
  if (kind === 'custom' || !context.hasEntryPoint(phase)) return kind;
  return field.refuse('entryPointExists', `exceeded maximum number of ${kind} rulesets for phase ${phase}`);
}

function checkUnchanged(
  field: BodyField<SentChange>,
  values: Readonly<Partial<Record<'name' | 'kind' | 'phase', string>>>,
): void {
  for (const [name, value] of Object.entries(values)) {
    const each = field.at(name as keyof typeof values);
    if (each.isAbsent || each.value === value) continue;
    each.refuse('immutableField', `it is ${value} and cannot be changed`);
  }
}

interface ChangeContext {
  readonly home: Home;
  readonly context: RulesetContext;
  readonly current: Ruleset | undefined;
  readonly name?: string;
}

function concludeChange(
  field: BodyField<SentChange>,
  { home, context, current, name }: ChangeContext,
): Checked<RulesetChange> {
  const description = field.at('description').read();
  const rules = readRules(field, home, context, current);
  return field.problems.conclude(() => ({
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(rules === undefined ? {} : { rules }),
  }));
}

/** Ids that the ruleset does not contain are ignored: the rules with them are matched by ref, or are new. */
function readRules(
  field: BodyField<SentChange>,
  home: Home,
  context: RulesetContext,
  current?: Ruleset,
): readonly RuleDraft[] | undefined {
  const rulesField = field.at('rules');
  const { value } = rulesField;
  if (value === null) return [];
  if (Array.isArray(value) && !checkRuleCount(value.length, rulesField, { home, context })) return undefined;
  const items = rulesField.items();
  if (items === undefined) return undefined;
  const idsKnown = new Set(current?.rules.map(({ id }) => id));
  const members: { rule: RuleDraft; field: RuleField }[] = [];
  for (const item of items) {
    if (field.problems.isFull) break;
    const rule = checkRule(item, home, context);
    if (rule === undefined) continue;
    const isKnown = rule.id !== undefined && idsKnown.has(rule.id);
    members.push({ rule: isKnown ? rule : { ...rule, id: undefined }, field: item });
  }
  checkTogether(members, { home, context });
  return members.map(({ rule }) => rule);
}
