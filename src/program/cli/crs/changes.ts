/** The differences between two versions of the rules, for people. */
import { compareVersions, type CoreRules } from '#seclang';

/** `12 rules added, 3 removed, 40 changed` */
export function countChanges(before: CoreRules, after: CoreRules): string {
  const { added, removed, changed } = compareVersions(before, after);
  return `${added.length} rules added, ${removed.length} removed, ${changed.length} changed`;
}

/** A line for each rule, and one with the counts. */
export function writeChanges(before: CoreRules | undefined, after: CoreRules): string {
  if (before === undefined) return 'no version is in force\n';
  const { added, removed, changed } = compareVersions(before, after);
  const marked = [
    ...added.map((rule) => ({ ...rule, mark: '+' })),
    ...removed.map((rule) => ({ ...rule, mark: '-' })),
    ...changed.map((rule) => ({ ...rule, mark: '~' })),
  ].toSorted((a, b) => a.number - b.number);
  const lines = marked.map(({ mark, number, description }) => `${mark} ${number} ${description}`.trimEnd());
  return `${[...lines, `${before.version} -> ${after.version}: ${countChanges(before, after)}`].join('\n')}\n`;
}
