/** The last steps of every write: problems become a fault, and a valid ruleset becomes the current version. */
import {
  type Checked,
  diffRulesets,
  findIdleSkips,
  isInForce,
  type Ruleset,
  type Stamp,
  summaryOf,
  vanishedRules,
} from '#rulesets';
import { listIdleSettings } from '#firewall';
import { managedRulesets } from '#managed';
import { entryOf, type ErrorEntry, Fault, fault, ok, type Reply, rulesetCodes, type Result } from '#contract';
import type { Context } from '../../context/handler.ts';
import {
  namedTextCharactersMax,
  rulesetBytesMax,
  rulesetsBytesMax,
  rulesNamedMax,
} from '../../context/limits.ts';
import { toMicroseconds } from '../../context/timestamps.ts';
import type { SentBody } from './before-migration.ts';
import type { RulesetLevel } from './ruleset-level.ts';

/** Returns the value, or throws a fault with every problem. */
export function accept<T>(checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  const entries = checked.problems.map(({ code, message, pointer }): ErrorEntry => ({
    code,
    message,
    ...(pointer === '' ? {} : { source: { pointer } }),
  }));
  throw new Fault(400, entries);
}

export function createStamp({ nowMs, newId }: Context): Stamp {
  return { now: toMicroseconds(nowMs), newId };
}

export interface Commit {
  /** Undefined if the ruleset is created. */
  readonly before?: Ruleset | undefined;
  readonly next: Ruleset;
  readonly body: SentBody;
  readonly isDryRun: boolean | undefined;
}

/** Returns the ruleset, or null for a dry run. */
export function commit(
  level: RulesetLevel,
  { before, next, body, isDryRun = false }: Commit,
): Reply<Result<'rulesets.update'>> {
  const { context, store } = level;
  const text = JSON.stringify(next);
  const bytes = Buffer.byteLength(text);
  checkSize(level, next, bytes);
  level.admit(next, body);
  addNotes(level, next);
  if (body !== 'nothing') refuseUselessSkips(before, next);
  addNotInstalledMessages(context, next);
  addIdleSkipMessages(context, next);
  if (isDryRun) return ok(null);
  store.put(next, { text, bytes });
  // Storing whole documents would make the log grow by the size of the ruleset with each change of a rule.
  context.audit({
    resource: 'ruleset',
    id: next.id,
    before: before && summaryOf(before),
    after: before === undefined ? next : { ...summaryOf(next), changes: diffRulesets(before, next) },
  });
  return ok(next);
}

function checkSize({ name, store }: RulesetLevel, { id }: Ruleset, bytes: number): void {
  if (bytes > rulesetBytesMax) {
    throw fault(rulesetCodes.rulesetTooLarge, { fill: { bytes, max: rulesetBytesMax } });
  }
  const all = store.countBytesBeside(id) + bytes;
  if (all > rulesetsBytesMax) {
    const fill = { level: name, bytes: all, max: rulesetsBytesMax };
    throw fault(rulesetCodes.rulesetsTooLarge, { fill });
  }
}

/** A body that was not meant to replace rules can delete them, so the response names the deleted rules. */
export function addVanishedMessage({ addMessage }: Context, before: Ruleset, next: Ruleset): void {
  const vanished = vanishedRules(before, next);
  if (vanished.length === 0) return;
  const names = vanished.slice(0, rulesNamedMax).map(({ id, ref, description }) => {
    const name = description ?? (ref === id ? undefined : ref);
    return name === undefined ? id : `${id} (${shortenText(name)})`;
  });
  const more = vanished.length - names.length;
  const fill = {
    count: vanished.length,
    total: before.rules.length,
    version: before.version,
    ruleset: before.id,
    rules: `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  };
  addMessage(entryOf(rulesetCodes.rulesVanish, { fill }));
}

function shortenText(text: string): string {
  return text.length <= namedTextCharactersMax ? text : `${text.slice(0, namedTextCharactersMax - 1)}…`;
}

/** Adds messages about what the ruleset does not show: whether, and how, its rules are in force. */
export function addNotes(level: RulesetLevel, ruleset: Ruleset): void {
  addUnevaluatedMessages(level.context, [ruleset]);
  addIdleSettingMessages(level.context, ruleset);
  for (const note of level.listNotes(ruleset)) level.context.addMessage(note);
}

/**
 * Useless settings that are already stored are kept: a client that changes something else did not request their
 * removal.
 */
function refuseUselessSkips(before: Ruleset | undefined, next: Ruleset): void {
  const old = new Set(
    before === undefined
      ? []
      : findIdleSkips(before).flatMap(({ ruleId, lateFor }) => (lateFor === undefined ? [] : [ruleId])),
  );
  const late = findIdleSkips(next).find(({ ruleId, lateFor }) => lateFor !== undefined && !old.has(ruleId));
  if (late === undefined) return;
  const { place, rulesetIds, lateFor } = late;
  const targets = rulesetIds.length === 0 ? 'what it skips' : rulesetIds.join(', ');
  throw fault(rulesetCodes.skipNeverActs, {
    fill: { place, late: lateFor!.place, id: lateFor!.ruleId, targets },
  });
}

function addNotInstalledMessages({ addMessage }: Context, { rules }: Ruleset): void {
  for (const [index, { id: rule, action, enabled, action_parameters }] of rules.entries()) {
    const ruleset = String(action_parameters?.['id']);
    if (!enabled || action !== 'execute') continue;
    if (managedRulesets.get(ruleset)?.content?.state !== 'not installed') continue;
    addMessage(entryOf(rulesetCodes.rulesetNotInstalled, { fill: { place: index + 1, rule, ruleset } }));
  }
}

function addIdleSkipMessages({ addMessage }: Context, ruleset: Ruleset): void {
  for (const { place, ruleId, rulesetIds } of findIdleSkips(ruleset).slice(0, rulesNamedMax)) {
    const targets = rulesetIds.length === 0 ? 'any managed ruleset' : rulesetIds.join(', ');
    addMessage(entryOf(rulesetCodes.skipIdle, { fill: { place, rule: ruleId, targets } }));
  }
}

/** One message for each rule and reason: settings of a rule that have no effect here. */
function addIdleSettingMessages({ addMessage }: Context, { phase, rules }: Ruleset): void {
  if (phase !== 'http_config_settings') return;
  const notes = rules.flatMap(({ id: rule, action_parameters = {} }, index) => {
    const byReason = Map.groupBy(listIdleSettings(action_parameters), ({ reason }) => reason);
    return Array.from(byReason, ([reason, settings]) => ({
      place: index + 1,
      rule,
      settings: settings.map(({ name }) => name).join(', '),
      reason,
    }));
  });
  for (const fill of notes.slice(0, rulesNamedMax))
    addMessage(entryOf(rulesetCodes.configurationIdle, { fill }));
}

/** Clients send a name of their own; the ruleset keeps the name it was created with. */
export function addNameKeptMessage(
  { addMessage }: Context,
  { name }: Ruleset,
  sent: string | undefined,
): void {
  if (sent === undefined || sent === name) return;
  addMessage(
    entryOf(rulesetCodes.rulesetNameKept, { fill: { name: shortenText(name), sent: shortenText(sent) } }),
  );
}

export function addUnevaluatedMessages(
  { addMessage }: Context,
  rulesets: readonly Pick<Ruleset, 'phase' | 'kind'>[],
): void {
  const idle = rulesets.filter((ruleset) => !isInForce(ruleset)).map(({ phase }) => phase);
  const unevaluated = [...new Set(idle)];
  if (unevaluated.length === 0) return;
  addMessage(entryOf(rulesetCodes.phaseNotEvaluated, { fill: { phases: unevaluated.join(', ') } }));
}
