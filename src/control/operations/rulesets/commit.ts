/** The last steps of every write: what is wrong becomes a fault, what is right becomes the current version. */
import {
  type Checked,
  diffRulesets,
  findIdleSkips,
  isEvaluatedPhase,
  type Ruleset,
  type Stamp,
  summaryOf,
  vanishedRules,
} from '#firewall';
import { entryOf, type ErrorEntry, Fault, fault, ok, type Reply, rulesetCodes } from '#api';
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

/** The value, or a fault with everything that is wrong. */
export function accept<T>(checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  const entries = checked.problems.map(({ code, message, pointer }): ErrorEntry => ({
    code,
    message,
    ...(pointer === '' ? {} : { source: { pointer } }),
  }));
  throw new Fault(400, entries);
}

export function stampOf({ nowMs, newId }: Context): Stamp {
  return { now: toMicroseconds(nowMs), newId };
}

export interface Commit {
  /** Nothing if the ruleset is created. */
  readonly before?: Ruleset | undefined;
  readonly next: Ruleset;
  readonly body: SentBody;
  readonly isDryRun: boolean | undefined;
}

/** Answers with the ruleset, or with null if it was only to be checked. */
export function commit(level: RulesetLevel, { before, next, body, isDryRun = false }: Commit): Reply {
  const { context, store } = level;
  const text = JSON.stringify(next);
  const bytes = Buffer.byteLength(text);
  checkSize(level, next, bytes);
  level.admit(next, body);
  sayNotes(level, next);
  sayIdleSkips(context, next);
  if (isDryRun) return ok(null);
  store.put(next, { text, bytes });
  // Whole documents would make the log grow by the size of a ruleset for each change of a rule.
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
  const all = store.bytesBeside(id) + bytes;
  if (all > rulesetsBytesMax) {
    const fill = { level: name, bytes: all, max: rulesetsBytesMax };
    throw fault(rulesetCodes.rulesetsTooLarge, { fill });
  }
}

/** Rules can be lost by a body that was not meant to replace them: whoever sent it hears which. */
export function sayVanished({ say }: Context, before: Ruleset, next: Ruleset): void {
  const vanished = vanishedRules(before, next);
  if (vanished.length === 0) return;
  const names = vanished.slice(0, rulesNamedMax).map(({ id, ref, description }) => {
    const name = description ?? (ref === id ? undefined : ref);
    return name === undefined ? id : `${id} (${shortened(name)})`;
  });
  const more = vanished.length - names.length;
  const fill = {
    count: vanished.length,
    total: before.rules.length,
    version: before.version,
    ruleset: before.id,
    rules: `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  };
  say(entryOf(rulesetCodes.rulesVanish, { fill }));
}

function shortened(text: string): string {
  return text.length <= namedTextCharactersMax ? text : `${text.slice(0, namedTextCharactersMax - 1)}…`;
}

/** What a reader of the ruleset could not see in it: whether, and how, its rules are in force. */
export function sayNotes(level: RulesetLevel, ruleset: Ruleset): void {
  sayUnevaluated(level.context, [ruleset.phase]);
  for (const note of level.notesOn(ruleset)) level.context.say(note);
}

function sayIdleSkips({ say }: Context, ruleset: Ruleset): void {
  for (const { place, ruleId, rulesetIds } of findIdleSkips(ruleset).slice(0, rulesNamedMax)) {
    const targets = rulesetIds.length === 0 ? 'any managed ruleset' : rulesetIds.join(', ');
    say(entryOf(rulesetCodes.skipIdle, { fill: { place, rule: ruleId, targets } }));
  }
}

/** Clients send the name that they would have chosen; the ruleset keeps the one it was created with. */
export function sayNameKept({ say }: Context, { name }: Ruleset, sent: string | undefined): void {
  if (sent === undefined || sent === name) return;
  say(entryOf(rulesetCodes.rulesetNameKept, { fill: { name: shortened(name), sent: shortened(sent) } }));
}

export function sayUnevaluated({ say }: Context, phases: readonly string[]): void {
  const unevaluated = [...new Set(phases)].filter((phase) => !isEvaluatedPhase(phase));
  if (unevaluated.length === 0) return;
  say(entryOf(rulesetCodes.phaseNotEvaluated, { fill: { phases: unevaluated.join(', ') } }));
}
