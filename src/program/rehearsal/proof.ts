/**
 * Tries suggested edits on the migrated copy, one after the other, and replays the traffic with each. An edit is kept
 * only if its replay shows that more requests are treated as before, and that no unchanged request changes.
 */
import { CompiledZone } from '#firewall';
import { managedParts } from '#managed';
import { Comparison } from './comparison.ts';
import { suggestionTrialsMax } from './limits.ts';
import { findChange, toOutcome } from './outcome.ts';
import { RehearsalError } from './rehearsal-error.ts';
import type { Replayer } from './replay.ts';
import type { ProvenSuggestion, RehearsalReport } from './report/report.ts';
import type { MigrationConfig } from './snapshot.ts';
import { applyEdits, type Suggestion, suggestEdit } from './suggestions.ts';
import type { ZoneCopy } from './zone-copy.ts';

type Proof = Pick<RehearsalReport, 'suggestions' | 'changedWithSuggestions' | 'configWithSuggestions'>;

interface ProofParts {
  readonly replayer: Replayer;
  readonly copy: ZoneCopy;
  readonly config: MigrationConfig;
  readonly before: CompiledZone;
  readonly after: CompiledZone;
  /** The comparison of `before` and `after`. */
  readonly comparison: Comparison;
}

export async function proveSuggestions(parts: ProofParts): Promise<Proof> {
  const tried = new Set<string>();
  const suggestions: ProvenSuggestion[] = [];
  let comparison = parts.comparison;
  for (let trials = 0; trials < suggestionTrialsMax; trials++) {
    const suggestion = suggestEdit(comparison, tried);
    if (suggestion === undefined) break;
    const trial = await tryEdits(parts, [...suggestions, suggestion]);
    const restored = comparison.changed.total - (trial?.comparison.changed.total ?? Number.POSITIVE_INFINITY);
    if (trial === undefined || trial.harmed > 0 || restored <= 0) continue;
    suggestions.push({ ...suggestion, restored });
    comparison = trial.comparison;
  }
  if (suggestions.length === 0)
    return { suggestions, changedWithSuggestions: null, configWithSuggestions: null };
  return {
    suggestions,
    changedWithSuggestions: comparison.changed,
    configWithSuggestions: applyEdits(parts.config, suggestions),
  };
}

interface Trial {
  readonly comparison: Comparison;
  /** Requests that the migration without edits treats as before. */
  readonly harmed: number;
}

/** Undefined if the zone would refuse the edits, for example because of too many rules for its plan. */
async function tryEdits(parts: ProofParts, suggestions: readonly Suggestion[]): Promise<Trial | undefined> {
  const { replayer, copy, config, before, after } = parts;
  try {
    await copy.replaceRules(applyEdits(config, suggestions));
  } catch (error) {
    if (error instanceof RehearsalError) return undefined;
    throw error;
  }
  const edited = new CompiledZone(await copy.readConfiguration(), managedParts);
  const findOriginalId = (id: string): string => copy.findOriginalId(id);
  const comparison = new Comparison(findOriginalId);
  let harmed = 0;
  await replayer('prove', {
    zones: [before, after, edited],
    onJudged: (request, judgements) => {
      const [was, is, will] = judgements.map((judgement) => toOutcome(judgement, findOriginalId));
      comparison.add(request, judgements[0]!, judgements[2]!);
      if (findChange(was!, is!) === undefined && findChange(was!, will!) !== undefined) harmed++;
    },
  });
  return { comparison, harmed };
}
