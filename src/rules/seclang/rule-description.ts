/** The metadata of a rule, for catalogues and comparisons, without compiling it. */
import type { WrittenRule } from './compile/rule-writer.ts';
import type { Phase } from './phase.ts';
import type { SourcePlace } from './problem.ts';

export interface RuleDescription {
  readonly id: number;
  readonly phase: Phase;
  readonly place: SourcePlace;
  /** As written: macros are not expanded. */
  readonly message: string;
  readonly severity: string;
  readonly tags: readonly string[];
  /** The arguments of `setvar` in its whole chain: `tx.score=+5`. */
  readonly assignments: readonly string[];
  /** All words of its whole chain. Two rules with the same text are the same rule. */
  readonly text: string;
}

export function describeRule({ links }: WrittenRule): RuleDescription {
  const [{ draft, place }] = links as [WrittenRule['links'][number]];
  return {
    id: draft.id!,
    phase: draft.phase ?? 2,
    place,
    message: draft.message,
    severity: draft.severity,
    tags: draft.tags,
    assignments: links.flatMap((link) => link.draft.assignments),
    text: links.map(({ text }) => text.replaceAll(/\s+/g, ' ')).join('\n'),
  };
}
