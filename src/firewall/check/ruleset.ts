/**
 * What clients may send to the rulesets interface, one function for each operation: the body, parsed from JSON and not
 * trusted in any way, becomes a draft or change that can be applied without further checks, or a list of problems.
 */
import { assert } from '#base';
import { descriptionCharactersMax, nameCharactersMax, rulesMax } from '../limits.ts';
import type {
  Home,
  RuleAddition,
  RuleDraft,
  RuleEdit,
  Ruleset,
  RulesetChange,
  RulesetDraft,
} from '../model.ts';
import { creatableKinds, entryPointKind, hasPhase, phases, type RulesetKind } from '../phases.ts';
import { includesPlan, notEntitled } from '../plans.ts';
import { type Checked, Problems } from '../problem.ts';
import type { RulesetContext } from './context.ts';
import { Place } from './place.ts';
import { checkPosition } from './position.ts';
import { checkRule, definesRule } from './rule.ts';
import { checkRuleCount, checkTogether } from './rules-together.ts';

/** Given back by clients that send what they were given; nobody can set them. */
const readOnlyFields = ['id', 'version', 'last_updated', 'source', 'shareable_entitlement_name'];
const rulesetFields = ['name', 'description', 'kind', 'phase', 'rules', ...readOnlyFields];

/** POST of a ruleset. */
export function checkRulesetDraft(body: unknown, context: RulesetContext): Checked<RulesetDraft> {
  const place = open(body, context);
  const name = readName(place);
  place.at('name').isThere();
  const description = readDescription(place) ?? '';
  const phase = readPhase(place.at('phase'), context);
  const kind = readKind(place.at('kind'), phase, context);
  const rules =
    phase === undefined || kind === undefined
      ? undefined
      : readRules(place, { level: context.level, kind, phase }, context);
  return place.problems.conclude(() => {
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
  const place = open(body, context);
  checkUnchanged(place, { name: ruleset.name, kind: ruleset.kind, phase: ruleset.phase });
  return concludeChange(place, { home: homeOf(ruleset, context), context, current: ruleset });
}

/**
 * PUT of an entry point, which may not exist yet. A name is taken if it does not and disregarded if it does: clients
 * send the one they would have chosen.
 */
export function checkEntryPointChange(
  body: unknown,
  { phase, current }: { phase: string; current: Ruleset | undefined },
  context: RulesetContext,
): Checked<RulesetChange> {
  const place = open(body, context);
  const kind = entryPointKind[context.level];
  checkUnchanged(place, { kind, phase });
  const name = readName(place);
  const home = { level: context.level, kind, phase };
  return concludeChange(place, { home, context, current, ...(name === undefined ? {} : { name }) });
}

/** POST of a rule. */
export function checkRuleAddition(
  body: unknown,
  ruleset: Ruleset,
  context: RulesetContext,
): Checked<RuleAddition> {
  const place = open(body, context, { isRule: true });
  const home = homeOf(ruleset, context);
  checkRuleCount(ruleset.rules.length + 1, place, { home, context });
  const position = checkPosition(place.at('position'), ruleset.rules);
  const draft = checkRule(place, home, { context, hasPosition: true });
  // The id of a rule is chosen when it is added.
  const added = draft && { ...draft, id: undefined };
  if (added !== undefined) {
    checkTogether([...ruleset.rules.map((rule) => ({ rule })), { rule: added, place }], home);
  }
  return place.problems.conclude(() => {
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
  const place = open(body, context, { isRule: true });
  const home = homeOf(ruleset, context);
  const others = ruleset.rules.filter(({ id }) => id !== ruleId);
  const positionPlace = place.at('position');
  const position = checkPosition(positionPlace, others);
  if (!positionPlace.isAbsent && !definesRule(place)) {
    return place.problems.conclude(() => (position === undefined ? {} : { position }));
  }
  const draft = checkRule(place, home, { context, hasPosition: true });
  const edited = draft && { ...draft, id: ruleId };
  if (edited !== undefined) {
    checkTogether([...others.map((rule) => ({ rule })), { rule: edited, place }], home);
  }
  return place.problems.conclude(() => {
    assert(edited !== undefined, 'a sound edit has a rule');
    return { draft: edited, ...(position === undefined ? {} : { position }) };
  });
}

/** What an entry point that does not exist yet becomes. */
export function entryPointDraft(home: Pick<Home, 'level' | 'phase'>, change: RulesetChange): RulesetDraft {
  const { name = 'default', description = '', rules = [] } = change;
  return { name, description, kind: entryPointKind[home.level], phase: home.phase, rules };
}

function open(body: unknown, { level, plan }: RulesetContext, { isRule = false } = {}): Place {
  const place = Place.ofBody(body ?? null, new Problems());
  // The check of a rule knows its own fields.
  if (!isRule) place.isObjectOf(rulesetFields);
  if (level === 'account' && !includesPlan(plan, 'enterprise')) {
    const message = notEntitled('rulesets of the account', { plan, needed: 'enterprise' });
    place.problems.add('not_entitled', message, '');
  }
  return place;
}

function homeOf({ kind, phase }: Ruleset, { level }: RulesetContext): Home {
  return { level, kind, phase };
}

function readName(place: Place): string | undefined {
  return place.at('name').text({ charactersMin: 1, charactersMax: nameCharactersMax });
}

function readDescription(place: Place): string | undefined {
  return place.at('description').text({ charactersMax: descriptionCharactersMax });
}

function readPhase(place: Place, { level }: RulesetContext): string | undefined {
  if (!place.isThere()) return undefined;
  const phase = place.choice([...phases.keys()]);
  if (phase === undefined || hasPhase(level, phase)) return phase;
  return place.refuse('not_available', `the phase does not exist at the level of a ${level}`);
}

function readKind(place: Place, phase: string | undefined, context: RulesetContext): RulesetKind | undefined {
  if (!place.isThere()) return undefined;
  const kind = place.choice(creatableKinds[context.level]);
  if (kind === undefined || phase === undefined) return undefined;
  if (kind === 'custom' && phase === 'http_request_firewall_managed') {
    return place.refuse('not_available', `the phase ${phase} has no custom rulesets`);
  }
  if (kind === 'custom' || !context.hasEntryPoint(phase)) return kind;
  return place.refuse('entry_point_exists', `exceeded maximum number of ${kind} rulesets for phase ${phase}`);
}

function checkUnchanged(place: Place, fields: Readonly<Record<string, string>>): void {
  for (const [field, value] of Object.entries(fields)) {
    const fieldPlace = place.at(field);
    if (fieldPlace.isAbsent || fieldPlace.value === value) continue;
    fieldPlace.refuse('immutable_field', `it is ${value} and cannot be changed`);
  }
}

interface ChangeContext {
  readonly home: Home;
  readonly context: RulesetContext;
  readonly current: Ruleset | undefined;
  readonly name?: string;
}

function concludeChange(
  place: Place,
  { home, context, current, name }: ChangeContext,
): Checked<RulesetChange> {
  const description = readDescription(place);
  const rules = readRules(place, home, context, current);
  return place.problems.conclude(() => ({
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(rules === undefined ? {} : { rules }),
  }));
}

/** Ids that the ruleset does not have mean nothing: the rules that carry them are recognised by ref, or are others. */
function readRules(
  place: Place,
  home: Home,
  context: RulesetContext,
  current?: Ruleset,
): readonly RuleDraft[] | undefined {
  const rulesPlace = place.at('rules');
  const { value } = rulesPlace;
  if (Array.isArray(value) && !checkRuleCount(value.length, rulesPlace, { home, context })) return undefined;
  const items = rulesPlace.items({ countMax: rulesMax });
  if (items === undefined) return undefined;
  const idsKnown = new Set(current?.rules.map(({ id }) => id));
  const members: { rule: RuleDraft; place: Place }[] = [];
  for (const item of items) {
    if (place.problems.isFull) break;
    const rule = checkRule(item, home, { context, hasPosition: false });
    if (rule === undefined) continue;
    const isKnown = rule.id !== undefined && idsKnown.has(rule.id);
    members.push({ rule: isKnown ? rule : { ...rule, id: undefined }, place: item });
  }
  checkTogether(members, home);
  return members.map(({ rule }) => rule);
}
