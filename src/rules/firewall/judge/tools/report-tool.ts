/** The trace entry of a list of rules without expressions. */
import type { Source } from '../judgement.ts';
import type { JudgingRun } from '../run.ts';

export interface ToolReport {
  readonly source: Source;
  readonly ruleCount: number;
  readonly level?: 'account' | 'zone';
  /** The rule that skips all of them. */
  readonly skippedBy?: string | undefined;
  /** The rule that applies. */
  readonly matched?: string | undefined;
}

export function reportTool(
  run: JudgingRun,
  { source, ruleCount, level, skippedBy, matched }: ToolReport,
): void {
  run.reports.push({
    source,
    phase: '',
    rulesetId: '',
    version: '',
    level: level ?? 'zone',
    reached: skippedBy === undefined ? ruleCount : 0,
    ruleCount,
    matched: matched === undefined ? [] : [matched],
    end:
      skippedBy !== undefined
        ? { kind: 'skipped', by: skippedBy }
        : matched !== undefined
          ? { kind: 'decided', by: matched }
          : { kind: 'complete' },
  });
}
