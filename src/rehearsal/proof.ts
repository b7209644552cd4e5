/**
 * Tries suggested edits on the migrated copy and replays the traffic with them. A suggestion is kept only if a replay
 * shows that requests are treated as before because of it, and that no request which was treated alike changes.
 */
import { CompiledZone, type Judgement } from '#firewall';
import { managedParts } from '#managed';
import { Comparison } from './comparison.ts';
import { suggestionRoundsMax } from './limits.ts';
import { findChange, findDecidingRule, type Outcome, toOutcome, writeRuleKey } from './outcome.ts';
import { RehearsalError } from './rehearsal-error.ts';
import type { Replayer } from './replay.ts';
import type { RehearsalReport } from './report/report.ts';
import { applyEdits, suggestEdits, type Suggestion } from './suggestions.ts';
import type { MigrationConfig, ZoneCopy } from './zone-copy.ts';

type Proof = Pick<RehearsalReport, 'suggestions' | 'changedWithSuggestions' | 'configWithSuggestions'>;

export interface ProofParts {
  readonly replayer: Replayer;
  readonly copy: ZoneCopy;
  readonly config: MigrationConfig;
  readonly before: CompiledZone;
  readonly after: CompiledZone;
  /** Of `before` and `after`. */
  readonly comparison: Comparison;
}

const nothing: Proof = { suggestions: [], changedWithSuggestions: null, configWithSuggestions: null };

export async function proveSuggestions(parts: ProofParts): Promise<Proof> {
  const { copy, config, comparison } = parts;
  /** What was tried, so that nothing is suggested again. */
  const tried = new Set<string>();
  let suggestions = takeNew(suggestEdits(comparison), tried);
  // One rule that stops a request may hide the next: these are the configurations in which it shows.
  const steps = [parts.after];
  for (let round = 1; suggestions.length > 0; round++) {
    const edited = applyEdits(config, suggestions);
    if (!(await isAccepted(copy, edited))) return nothing;
    const zone = new CompiledZone(await copy.readConfiguration(), managedParts);
    const trial = await tryConfiguration(parts, [...steps, zone]);
    const harmless = suggestions.filter((each) => !listKeys(each).some((key) => trial.harm.has(key)));
    const more = round < suggestionRoundsMax ? takeNew(suggestEdits(trial.comparison), tried) : [];
    const useful = more.length > 0 ? harmless : harmless.filter((each) => trial.restored.has(findKey(each)));
    if (more.length === 0 && useful.length === suggestions.length) {
      return {
        suggestions: useful.map((each) => ({ ...each, restored: trial.restored.get(findKey(each)) ?? 0 })),
        changedWithSuggestions: trial.comparison.changed,
        configWithSuggestions: edited,
      };
    }
    if (more.length > 0) steps.push(zone);
    suggestions = [...useful, ...more];
  }
  return nothing;
}

function takeNew(suggestions: readonly Suggestion[], tried: Set<string>): Suggestion[] {
  return suggestions.filter((suggestion) => {
    const text = JSON.stringify(suggestion.edit);
    if (tried.has(text)) return false;
    tried.add(text);
    return true;
  });
}

/** The checks of the zone may refuse edits that no replay can judge, such as too many rules for the plan. */
async function isAccepted(copy: ZoneCopy, config: MigrationConfig): Promise<boolean> {
  try {
    await copy.replaceRules(config);
    return true;
  } catch (error) {
    if (error instanceof RehearsalError) return false;
    throw error;
  }
}

interface Trial {
  readonly comparison: Comparison;
  /** Requests by the rule of the suggestion: those that are treated as before again, and those that were and no longer are. */
  readonly restored: ReadonlyMap<string, number>;
  readonly harm: ReadonlySet<string>;
}

/** The last of `steps` is the configuration on trial. */
async function tryConfiguration(
  { replayer, copy, before }: ProofParts,
  steps: readonly CompiledZone[],
): Promise<Trial> {
  const findOriginalId = (id: string): string => copy.findOriginalId(id);
  const comparison = new Comparison(findOriginalId);
  const restored = new Map<string, number>();
  const harm = new Set<string>();
  await replayer('prove', {
    zones: [before, ...steps],
    onJudged: (request, judgements: readonly Judgement[]) => {
      const [judgedBefore, ...others] = judgements;
      comparison.add(request, judgedBefore!, others.at(-1)!);
      const [was, ...outcomes] = judgements.map((judgement) => toOutcome(judgement, findOriginalId)) as [
        Outcome,
        ...Outcome[],
      ];
      const last = outcomes.at(-1)!;
      if (findChange(was, last) === undefined) {
        for (const key of listDecidingKeys(was, outcomes.slice(0, -1)))
          restored.set(key, (restored.get(key) ?? 0) + 1);
      } else if (findChange(was, outcomes[0]!) === undefined) {
        for (const { rule } of [...outcomes, was]) if (rule !== undefined) harm.add(writeRuleKey(rule));
      }
    },
  });
  return { comparison, restored, harm };
}

function listDecidingKeys(was: Outcome, outcomes: readonly Outcome[]): Set<string> {
  const keys = new Set<string>();
  for (const outcome of outcomes) {
    const kind = findChange(was, outcome);
    if (kind !== undefined) keys.add(writeRuleKey(findDecidingRule(kind, was, outcome)));
  }
  return keys;
}

function findKey({ rule }: Suggestion): string {
  return writeRuleKey(rule);
}

/** The rule whose requests are meant, and the rule that is edited: not the same where a legacy rule has a replacement. */
function listKeys(suggestion: Suggestion): string[] {
  const { edit } = suggestion;
  if (edit.kind === 'exception') return [findKey(suggestion)];
  const { id } = edit.override as { readonly id: string };
  return [findKey(suggestion), `firewallManaged ${edit.rulesetId} ${id}`];
}
